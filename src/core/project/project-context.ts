import type { ProjectContextPack, ProjectContextRequest } from "../../contract/project-context.ts";
import type { Caller } from "../caller.ts";
import { requireKnowledgeScope, sessionOf } from "../memory/memory-filter.ts";
import type { Role } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { RetrievePorts } from "../recall/retrieve-request.ts";
import { actionEntries, byUrgency } from "./context/action-items.ts";
import { agentEntries } from "./context/agent-states.ts";
import { caveatEntries } from "./context/caveats.ts";
import { chooseRows } from "./context/choose.ts";
import { decisionEntries } from "./context/decisions.ts";
import type { Describing } from "./context/described.ts";
import type { Entry } from "./context/entry.ts";
import type { ContextFacts } from "./context/facts.ts";
import { type Durable, NOTHING_RECALLED, recallDurable, topicsOf } from "./context/gather.ts";
import { durableEntries, homesOf, recentEntries } from "./context/memories.ts";
import { nextActionEntries } from "./context/next-actions.ts";
import { packEntries } from "./context/pack.ts";
import { scopeOf } from "./context/scope.ts";
import { stateOf, stateWords } from "./context/state.ts";
import { timelineEntries } from "./context/timeline.ts";
import { readableWorkspace } from "./workspace.ts";

const HOUR_MS = 3_600_000;

type ContextInput = ProjectContextRequest & { readonly project_id: string };

/**
 * What matters in a project now, under both limits. What the caller may not see is in no section and in no count.
 * `knowledge_scope_required` where the bucket knowledge is asked for by name without its scope, `not_found` for a team
 * that the caller is not in.
 */
export async function projectContext(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: ContextInput,
): Promise<ProjectContextPack> {
  if (input.bucket === "knowledge") requireKnowledgeScope(caller);
  const now = ports.clock();
  const since = now - input.recent_hours * HOUR_MS;
  const session = sessionOf(caller, input);
  const { workspace, role } = await readableWorkspace(ports, caller, input);
  const facts = await ports.store.workspace.context(caller, {
    workspace,
    bucket: input.bucket,
    session,
    now,
    since,
    limit: input.max_items + 1,
    choose: (keys) => chooseRows(keys, { now, itemsMax: input.max_items }),
  });
  const durable = input.include_durable_context
    ? await recallDurable(ports, caller, { input, workspace, topics: topicsOf(facts), now, since })
    : NOTHING_RECALLED;
  const trusts = await ports.store.workspace.authorTrusts(caller, authoredRows(facts, durable));
  const entries = entriesOf({ describing: { caller, now, trusts }, facts, role, durable, input });
  const state = stateOf(facts);
  const pack = packEntries({
    entries,
    leftAside: { ...facts.choice.leftAside, timeline: facts.events.length - eventsShown(facts).length },
    duplicates: durable.found - durable.hits.length,
    maxItems: input.max_items,
    maxTokens: input.max_tokens,
    state: stateWords(input.project_id, state),
    nothing: `Project ${input.project_id}: nothing is stored that this credential sees.\n`,
  });
  const { durable_context, ...sections } = pack.sections;
  const isShown = (domain: string) => input.include_durable_context || domain !== "durable_context";
  return {
    project_scope: scopeOf(caller, input, since),
    assembled_at: rfc3339(now),
    budget: pack.budget,
    project_state: state,
    ...sections,
    ...(input.include_durable_context ? { durable_context } : {}),
    missing_domains: pack.missing.filter(isShown),
    incomplete_domains: pack.incomplete,
    omitted: pack.omitted,
    context_text: pack.text,
  };
}

/** The rows whose author is named: of the others there is nothing to vouch for. */
function authoredRows({ todos, decisions, dueReminders, recent }: ContextFacts, { hits }: Durable): string[] {
  const items = [...todos, ...decisions, ...hits].map(({ memory }) => memory);
  const authored = [...items, ...dueReminders, ...recent].filter(({ agentId }) => agentId !== null);
  return [...new Set(authored.map(({ id }) => id))];
}

function eventsShown({ events, choice }: ContextFacts): ContextFacts["events"] {
  return events.slice(0, choice.events);
}

/** The entries of every section. A text has one home: what is to be done or decided, then what was asked for, then what is recent. */
function entriesOf(from: {
  readonly describing: Describing;
  readonly facts: ContextFacts;
  readonly role: Role;
  readonly durable: Durable;
  readonly input: ContextInput;
}): Entry[] {
  const { describing, facts, role, durable, input } = from;
  const limit = input.max_items + 1;
  const items = byUrgency(facts.todos, facts.dueReminders, describing.now).slice(0, limit);
  const shown: Entry[] = [
    ...actionEntries(describing, items),
    ...decisionEntries(describing, facts.decisions),
  ];
  shown.push(...durableEntries(describing, durable.hits, homesOf(shown), durable.query));
  shown.push(...recentEntries(describing, facts.recent, homesOf(shown)));
  const homes = homesOf(shown);
  const recalled = durable.hits
    .map(({ memory }) => memory)
    .filter(({ workspaceItem }) => workspaceItem === null);
  const memories = [...new Map([...recalled, ...facts.recent].map((memory) => [memory.id, memory])).values()];
  const { decisions } = facts;
  const { todos: todoCounts, decisions: decisionCounts, reminders } = stateOf(facts);
  const overdue = todoCounts.overdue + decisionCounts.overdue + reminders.due;
  const { degraded } = durable;
  return [
    ...caveatEntries({ describing, items, decisions, memories, overdue, degraded }, homes),
    ...nextActionEntries(describing, input.project_id, role, { items, decisions, memories }),
    ...shown,
    ...timelineEntries(eventsShown(facts), homes),
    ...agentEntries(describing.caller, facts, limit),
  ];
}
