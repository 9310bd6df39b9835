import { joined, type OwnWords, own, quotedField, shownId, word } from "../../../contract/own-words.ts";
import { decisionStatuses, todoStatuses } from "../../../contract/project.ts";
import type { ProjectContextPack, ProjectContextRequest } from "../../../contract/project-context.ts";
import { RepetitionSearch } from "../../../recall/statements/repetitions.ts";
import { type Caller, sharedOwner } from "../../caller.ts";
import { blockTokens } from "../../context/pack-blocks.ts";
import { isAdopted } from "../../memory/adopted.ts";
import { noteShown, type ShownMemory } from "../../memory/junk.ts";
import {
  memoryFilter,
  namesKnowledge,
  requireKnowledgeScope,
  sessionOf,
} from "../../memory/memory-filter.ts";
import type { Role } from "../../memory/memory-record.ts";
import { whoseOf } from "../../memory/others-word.ts";
import { rfc3339, timeOrNull } from "../../memory/present.ts";
import type { Ports } from "../../ports.ts";
import { NOISE_MAX } from "../../recall/left-out-of-pack.ts";
import {
  COMPARED_MAX,
  type Hit,
  type Retrieval,
  type RetrievePorts,
  retrieve,
} from "../../recall/retrieve.ts";
import { RETRIEVERS } from "../../recall/search.ts";
import type { UseCase } from "../../use-case.ts";
import { isFinished } from "../todo.ts";
import { readableWorkspace } from "../workspace.ts";
import type { Workspace } from "../workspace-store.ts";
import { blockOf, type Describing, type Entry } from "./entry.ts";
import type { ContextFacts, ItemCount } from "./facts.ts";
import { caveatEntries, nextActionEntries } from "./guidance.ts";
import { chooseRows, packEntries } from "./pack.ts";
import {
  actionEntries,
  agentEntries,
  byUrgency,
  decisionEntries,
  durableEntries,
  homesOf,
  recentEntries,
  timelineEntries,
} from "./sections.ts";

const HOUR_MS = 3_600_000;

type ContextInput = ProjectContextRequest & { readonly project_id: string };

/**
 * Returns what currently matters in a project, within the limits of items and tokens. Reads the facts, recalls lasting
 * knowledge, makes each an entry of a section, and packs the most valuable entries. Memories that the caller may not
 * see are in no section and no count. `knowledge_scope_required` if the bucket knowledge is named without its scope,
 * `not_found` for a team that the caller is not in.
 */
export const projectContext: UseCase<
  RetrievePorts & Pick<Ports, "clock" | "junk">,
  "projectContext"
> = async (ports, caller, input) => {
  if (namesKnowledge({ bucket: input.bucket })) requireKnowledgeScope(caller);
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
    choose: (keys) => chooseRows(keys, { caller, now, itemsMax: input.max_items }),
  });
  const durable = input.include_durable_context
    ? await recallDurable(ports, caller, { input, workspace, topics: topicsOf(facts), now, since })
    : NOTHING_RECALLED;
  const trusts = await ports.store.workspace.authorTrusts(caller, authoredRows(facts, durable));
  const whose = await whoseOf(ports.store, caller, memoriesOf(facts, durable));
  const describing = { caller, now, trusts, whose };
  const entries = entriesOf({ describing, facts, role, durable, input });
  const state = stateOf(facts);
  const [{ team } = NOT_OF_A_TEAM] = memoriesOf(facts, durable).map(whose);
  const packed = {
    entries,
    leftAside: { ...facts.choice.leftAside, timeline: facts.events.length - eventsShown(facts).length },
    duplicates: durable.repetitions.length,
    maxItems: input.max_items,
    maxTokens: input.max_tokens,
    state: stateWords(input.project_id, team, state),
    nothing: own`Project ${shownId(input.project_id)}: nothing is stored that this credential sees.
`,
  };
  const pack = await packEntries(packed, ports.pace);
  noteShown(ports.junk, caller, shownMemories(facts, durable, pack.shown), pack.text);
  const isShown = (domain: string) => input.include_durable_context || domain !== "durable_context";
  return {
    project_scope: scopeOf(caller, input, since),
    assembled_at: rfc3339(now),
    budget: pack.budget,
    project_state: state,
    ...pack.sections,
    missing_domains: pack.missing.filter(isShown),
    incomplete_domains: pack.incomplete,
    omitted: [...pack.omitted, ...omittedRepetitions(describing, durable)],
    context_text: pack.text,
  };
};

const NOT_OF_A_TEAM = { team: null };
const TEAM_LENGTH_MAX = 40;

const QUOTING = ["durable_context", "recent_memories", "action_items"] as const;

/** The quoted memories with their shown texts; those that did not fit have none. */
function shownMemories(
  { recent }: ContextFacts,
  { hits }: Durable,
  shown: ReadonlyMap<string, string>,
): ShownMemory[] {
  return [...hits.map(({ memory }) => memory), ...recent].map((memory) => ({
    memory,
    texts: QUOTING.flatMap((domain) => shown.get(blockOf(domain, memory.id)) ?? []),
  }));
}

/** Every memory that a pack may show. */
function memoriesOf({ todos, decisions, dueReminders, recent }: ContextFacts, durable: Durable) {
  const hits = [...durable.hits, ...durable.repetitions.map(({ hit }) => hit)];
  return [...[...todos, ...decisions, ...hits].map(({ memory }) => memory), ...dueReminders, ...recent];
}

/** The rows with a named author. Without one there is nothing to vouch for. */
function authoredRows({ todos, decisions, dueReminders, recent }: ContextFacts, { hits }: Durable): string[] {
  const items = [...todos, ...decisions, ...hits].map(({ memory }) => memory);
  const authored = [...items, ...dueReminders, ...recent].filter(({ agentId }) => agentId !== null);
  return [...new Set(authored.map(({ id }) => id))];
}

function eventsShown({ events, choice }: ContextFacts): ContextFacts["events"] {
  return events.slice(0, choice.events);
}

/**
 * The entries of all sections. Each text is shown once: among action items and decisions, otherwise among recalled
 * memories, otherwise among recent memories.
 */
function entriesOf(from: {
  readonly describing: Describing;
  readonly facts: ContextFacts;
  readonly role: Role;
  readonly durable: Durable;
  readonly input: ContextInput;
}): Entry[] {
  const { describing, facts, role, durable, input } = from;
  const limit = input.max_items + 1;
  const items = byUrgency(facts.todos, facts.dueReminders, describing).slice(0, limit);
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

/**
 * Maximum number of recalled memories that a pack considers. More would seldom fit and would cost reads. Lower if the
 * request has no question.
 */
const HITS_MAX = { asked: 50, unasked: 30 };
/** Maximum number of text beginnings in the query that describes a workspace. */
const TOPICS_MAX = 8;
const TOPIC_LENGTH_MAX = 120;

/** The memories recalled for a pack. */
interface Durable {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** Hits that repeat one of these hits, with the id of that hit. */
  readonly repetitions: readonly { readonly hit: Hit; readonly repeats: string }[];
  readonly degraded: readonly string[];
}

const NOTHING_RECALLED: Durable = { query: "", hits: [], repetitions: [], degraded: [] };

/**
 * Recalls the lasting knowledge of a workspace for the question. Without a question, it queries for what is open in the
 * workspace, and excludes todos, decisions and recent memories, since those have sections of their own.
 */
async function recallDurable(
  ports: RetrievePorts,
  caller: Caller,
  ask: {
    readonly input: ProjectContextRequest & { readonly project_id: string };
    readonly workspace: Workspace;
    readonly topics: readonly string[];
    readonly now: number;
    readonly since: number;
  },
): Promise<Durable> {
  const { input, workspace, now, since } = ask;
  const isAsked = input.durable_query != null;
  const query = input.durable_query ?? topicOf(ask.topics, input.project_id);
  const found = await retrieve(ports, caller, {
    query,
    filter: {
      ...memoryFilter(
        caller,
        { bucket: input.bucket, project_id: input.project_id, sessions: input.sessions },
        now,
      ),
      ...ofOwner(caller, workspace),
      withoutItems: !isAsked,
    },
    hitsMax: isAsked ? HITS_MAX.asked : HITS_MAX.unasked,
    comparedMax: COMPARED_MAX,
    scoreMin: 0,
    candidateCount: null,
    retrievers: RETRIEVERS.hybrid,
    prefersWorking: false,
    askedAt: now,
    timeZone: "UTC",
  });
  const hits = found.hits.filter(
    ({ judgedRelevance, memory }) =>
      judgedRelevance >= NOISE_MAX &&
      memory.supersededBy === null &&
      (isAsked || memory.updatedAt < since || memory.ownerId !== workspace.ownerId),
  );
  return { query, ...withoutRepetitions(hits), degraded: degradedIn(found) };
}

/**
 * Restricts a filter to the workspace's owner. Without it, the filter would also match memories of the caller's teams.
 */
function ofOwner(caller: Caller, { ownerId }: Workspace): { teamId?: string; scope?: "private" } {
  // An end user sees nothing but its own and what its application shares.
  if (sharedOwner(caller) !== null) return {};
  return ownerId === caller.owner.id && caller.owner.kind !== "team"
    ? { scope: "private" }
    : { teamId: ownerId };
}

function topicOf(topics: readonly string[], projectId: string): string {
  const beginnings = topics.slice(0, TOPICS_MAX).map((topic) => topic.slice(0, TOPIC_LENGTH_MAX));
  const text = beginnings.join("\n").toWellFormed().trim();
  return text === "" ? projectId : text;
}

/**
 * Drops texts that say exactly the same as another. A text that says more replaces none, since it may be truncated when
 * shown.
 */
function withoutRepetitions(hits: readonly Hit[]): Pick<Durable, "hits" | "repetitions"> {
  const search = new RepetitionSearch<{ id: string; content: string; hit: Hit }>();
  // Adopted memories are compared last, so that none of the owner's own is dropped in favour of one.
  const compared = hits.toSorted((a, b) => Number(isAdopted(a.memory)) - Number(isAdopted(b.memory)));
  const repeats = new Map<Hit, string>();
  for (const hit of compared) {
    const found = search.find({ id: hit.memory.memoryId, content: hit.memory.content, hit });
    if (found?.isEqual) repeats.set(hit, found.saidBy.id);
  }
  return {
    hits: hits.filter((hit) => !repeats.has(hit)),
    repetitions: [...repeats].map(([hit, id]) => ({ hit, repeats: id })),
  };
}

function omittedRepetitions(describing: Describing, { query, repetitions }: Durable) {
  return repetitions.flatMap(({ hit, repeats }) =>
    durableEntries(describing, [hit], new Map(), query).map((entry) => ({
      id: hit.memory.memoryId,
      domain: entry.domain,
      tokens: blockTokens(entry),
      reason: "repetition" as const,
      repeats,
    })),
  );
}

function degradedIn({ degraded, coverage }: Retrieval): readonly string[] {
  if (degraded.length > 0) return degraded;
  return coverage < 1 ? ["a part of the memories could not be considered"] : [];
}

/** The topics of a workspace: its open todos and decisions, otherwise its latest memories. */
function topicsOf({ todos, decisions, recent }: ContextFacts): readonly string[] {
  const open = [
    ...todos.slice(0, TOPICS_MAX / 2).map(({ state }) => state.content),
    ...decisions.slice(0, TOPICS_MAX / 2).map(({ state }) => state.context),
  ];
  return open.length > 0 ? open : recent.map(({ content }) => content);
}

/** The requested scope, and what this credential may see of it. */
function scopeOf(
  caller: Caller,
  input: ProjectContextRequest & { readonly project_id: string },
  since: number,
): ProjectContextPack["project_scope"] {
  const { space, scopes, owner, attribution } = caller;
  const { projects, pathPrefix, buckets, teamId } = space;
  const knowledge = scopes.has("knowledge:read");
  const narrowed = {
    bucket: input.bucket !== "%",
    team: teamId !== null,
    projects: projects !== null,
    path_prefix: pathPrefix !== null,
    buckets: buckets !== null,
    knowledge: !knowledge,
    session: input.sessions === "own",
  };
  return {
    project_id: input.project_id,
    team_id: input.team_id ?? teamId ?? (owner.kind === "team" ? owner.id : null),
    bucket: input.bucket,
    recent_since: rfc3339(since),
    session_id: attribution.sessionId,
    sessions: input.sessions,
    include_other_sessions: input.sessions === "all",
    allowed: {
      project: projects?.includes(input.project_id) ?? true,
      team_id: teamId,
      projects: projects === null ? null : [...projects],
      path_prefix: pathPrefix,
      buckets: buckets === null ? null : [...buckets],
      knowledge,
    },
    narrowed_by: (Object.keys(narrowed) as (keyof typeof narrowed)[]).filter((name) => narrowed[name]),
  };
}

type ProjectState = ProjectContextPack["project_state"];

/** Marks the reasons as the service's own words. */
interface Reasoned {
  readonly health_reasons: OwnWords[];
}

/** The counts of a workspace, and its health derived from them. */
function stateOf({ counts, reminders, lastActivityAt }: ContextFacts): ProjectState & Reasoned {
  const todos = tally(counts, "todo", todoStatuses, (status) => !isFinished(status));
  const decisions = tally(counts, "decision", decisionStatuses, (status) => status === "proposed");
  const unfinished = todos.total - todos.completed - todos.cancelled;
  const overdue = todos.overdue + decisions.overdue;
  const health_reasons = [
    overdue > 0 ? own`${counted(overdue, own`todo or decision`, own`todos and decisions`)} overdue` : null,
    reminders.due > 0 ? own`${counted(reminders.due, own`reminder`, own`reminders`)} due` : null,
    todos.blocked > 0
      ? own`${todos.blocked} of ${counted(unfinished, own`unfinished todo`, own`unfinished todos`)} blocked`
      : null,
  ].filter((reason) => reason !== null);
  const isEmpty =
    todos.total + decisions.total + reminders.due + reminders.upcoming === 0 && lastActivityAt === null;
  const isStalled = unfinished > 0 && todos.blocked === unfinished;
  return {
    health: isEmpty
      ? "empty"
      : isStalled
        ? "stalled"
        : health_reasons.length > 0
          ? "needs_attention"
          : "on_track",
    health_reasons,
    todos,
    decisions,
    reminders,
    last_activity_at: timeOrNull(lastActivityAt),
  };
}

function tally<const S extends ItemCount["status"]>(
  counts: readonly ItemCount[],
  item: ItemCount["item"],
  statuses: readonly S[],
  canBeOverdue: (status: S) => boolean,
) {
  const of = (status: S) => counts.filter((one) => one.item === item && one.status === status);
  const sum = (some: readonly ItemCount[], member: "count" | "overdue") =>
    some.reduce((total, one) => total + one[member], 0);
  const byStatus = Object.fromEntries(statuses.map((status) => [status, sum(of(status), "count")])) as Record<
    S,
    number
  >;
  return {
    total: sum(statuses.flatMap(of), "count"),
    ...byStatus,
    overdue: sum(statuses.filter(canBeOverdue).flatMap(of), "overdue"),
  };
}

function counted(count: number, one: OwnWords, many: OwnWords): OwnWords {
  return count === 1 ? own`1 ${one} is` : own`${count} ${many} are`;
}

/** The state in one or two lines, for the head of a pack's text. */
function stateWords(projectId: string, team: string | null, state: ProjectState & Reasoned): OwnWords {
  const { health, health_reasons, todos, decisions } = state;
  const unfinished = todos.total - todos.completed - todos.cancelled;
  const counts = own`unfinished todos ${unfinished}, open decisions ${decisions.proposed}`;
  const why = health_reasons.length > 0 ? own`: ${joined(health_reasons, own`; `)}` : own``;
  const name = quotedField(team, TEAM_LENGTH_MAX);
  const whose = name === null ? own`` : own` of team ${name}`;
  return own`Project ${shownId(projectId)}${whose}: ${counts}. Health: ${word(HEALTH_WORDS[health])}${why}.
`;
}

const HEALTH_WORDS = {
  empty: "empty",
  on_track: "on track",
  needs_attention: "needs attention",
  stalled: "stalled",
} as const satisfies Record<ProjectState["health"], string>;
