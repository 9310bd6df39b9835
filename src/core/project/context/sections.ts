import { memoryStatuses } from "../../../contract/memory.ts";
import { joined, type OwnWords, own, word } from "../../../contract/own-words.ts";
import {
  decisionStatuses,
  type ImpactLevel,
  type TodoStatus,
  todoStatuses,
} from "../../../contract/project.ts";
import type { ActionItem } from "../../../contract/project-context.ts";
import { queryScorer } from "../../../recall/pack/excerpt.ts";
import { confidenceFactor, freshness, importanceFactor, memoryValue } from "../../../recall/pack/value.ts";
import type { Caller } from "../../caller.ts";
import type { PlaceOf } from "../../context/pack-blocks.ts";
import { dayOf, idWords, sessionWords, typeWords } from "../../context/render.ts";
import { isAdopted } from "../../memory/adopted.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { rfc3339, timeOrNull } from "../../memory/present.ts";
import { otherSession } from "../../memory/session.ts";
import { statusAt } from "../../memory/supersession.ts";
import type { Hit } from "../../recall/retrieve.ts";
import { decisionsInOrder, type OrderedDecision } from "../decision.ts";
import { sourceOf } from "../present.ts";
import { isFinished, type OrderedTodo, urgencyOf } from "../todo.ts";
import type { StoredDecision, StoredTodo } from "../workspace-store.ts";
import {
  adoptedWords,
  authorWords,
  blockOf,
  type Describing,
  describedOf,
  type Entry,
  type EntryOf,
  HEADER_ONLY,
  isOfUnverified,
  named,
  type Subject,
  subjectOf,
  subjectOfItem,
  worth,
} from "./entry.ts";
import type { AgentTrace, ContextEvent, ContextFacts, ContextKeys, Trust } from "./facts.ts";

// The sections of a context pack that show stored items. Each section turns facts into entries; earlier entries have a
// higher value.

/** An action item: a todo or a due reminder. */
export type Actionable = {
  readonly urgency: number;
  /** True if no credential vouches for its author. */
  readonly isUnverified: boolean;
  readonly subject: Subject;
} & (
  | { readonly kind: "todo"; readonly todo: StoredTodo }
  | { readonly kind: "reminder"; readonly reminder: MemoryRecord }
);

/**
 * Todos and due reminders by urgency, older ones first on a tie. Items without a vouched author come last, whatever
 * urgency they claim.
 */
export function byUrgency(
  todos: readonly StoredTodo[],
  reminders: readonly MemoryRecord[],
  describing: Describing,
): Actionable[] {
  const { now } = describing;
  const all: Actionable[] = [
    ...todos.map((todo) => {
      const { memory, state, dependents } = todo;
      const urgency = urgencyOf({ state, dependents, createdAt: memory.createdAt, seq: memory.seq }, now);
      const subject = subjectOfItem(todo);
      return {
        kind: "todo" as const,
        urgency,
        isUnverified: isOfUnverified(describing, subject),
        subject,
        todo,
      };
    }),
    ...reminders.map((reminder) => {
      const urgency = urgencyOf(reminderOrder(reminder), now);
      const subject = subjectOf(reminder);
      const isUnverified = isOfUnverified(describing, subject);
      return { kind: "reminder" as const, urgency, isUnverified, subject, reminder };
    }),
  ];
  return all.sort(
    (a, b) =>
      Number(a.isUnverified) - Number(b.isUnverified) ||
      b.urgency - a.urgency ||
      a.subject.seq - b.subject.seq,
  );
}

/** A due reminder ranks among todos like one of normal priority. */
export function reminderOrder({
  dueAt,
  createdAt,
  seq,
}: Pick<MemoryRecord, "dueAt" | "createdAt" | "seq">): OrderedTodo {
  return {
    state: { priority: "normal", status: "open", dueAt, endedAt: null },
    dependents: 0,
    createdAt,
    seq,
  };
}

/** The urgency of an urgent todo that is due. Higher urgency adds no value. */
const URGENCY_FULL = 20;
const ACTION_WORTH = { least: 0.45, most: 1 } as const;

/**
 * The value of an action item, from its place in the section and its urgency. The urgency counts only with a vouched
 * author.
 */
export function actionWorth(item: Pick<Actionable, "urgency" | "isUnverified">, place: number): number {
  const share = item.isUnverified ? 0 : Math.min(1, item.urgency / URGENCY_FULL);
  return worth(ACTION_WORTH.least + (ACTION_WORTH.most - ACTION_WORTH.least) * share, place);
}

export function actionEntries(
  describing: Describing,
  items: readonly Actionable[],
): EntryOf<"action_items">[] {
  return items.map((item, place) => {
    return {
      id: blockOf("action_items", item.subject.id),
      domain: "action_items",
      item: item.subject.memoryId,
      home: null,
      isReference: false,
      value: actionWorth(item, place),
      content: item.kind === "todo" ? todoWords(item.todo) : item.reminder.content,
      label: (detail) =>
        detail === "bare"
          ? joined(actionState(item, describing))
          : actionLabel(item, describing, detail === "full"),
      score: () => 0,
      answer: (shown) => ({ ...actionAnswer(item, describing), ...shown }),
    };
  });
}

function todoWords({ state }: StoredTodo): string {
  return state.blockedReason === null ? state.content : `${state.content}\nBlocked: ${state.blockedReason}`;
}

function actionLabel(item: Actionable, describing: Describing, isFull: boolean): OwnWords {
  const { subject } = item;
  const agents =
    item.kind === "todo"
      ? [
          agentWords(own`accepted by`, item.todo.state.acceptedBy),
          item.todo.state.acceptedBy === null ? agentWords(own`for`, item.todo.state.assignee) : null,
          item.todo.dependents > 0 && own`${item.todo.dependents} waiting for it`,
        ]
      : [];
  return joined([
    ...actionState(item, describing),
    subject.dueAt !== null && onDay(own`due`, subject.dueAt),
    ...agents,
    adoptedWords(subject),
    ...(isFull ? authorWords(describing, subject) : []),
    idWords(subject.memoryId),
  ]);
}

function actionState(item: Actionable, { now }: Describing): (OwnWords | false)[] {
  const isOverdue = item.subject.dueAt !== null && item.subject.dueAt <= now && own`overdue`;
  if (item.kind === "reminder") return [own`reminder`, isOverdue];
  const { status, priority } = item.todo.state;
  return [own`todo`, word(status), priority !== "normal" && own`${word(priority)} priority`, isOverdue];
}

function agentWords(words: OwnWords, agent: string | null): OwnWords | null {
  const name = agent === null ? null : named(agent);
  return name === null ? null : own`${words} ${name}`;
}

function onDay(words: OwnWords, instant: number): OwnWords | null {
  const day = dayOf(instant);
  return day === null ? null : own`${words} ${day}`;
}

function actionAnswer(item: Actionable, describing: Describing): Omit<ActionItem, keyof ShownMembers> {
  const { urgency, subject } = item;
  const described = {
    ...describedOf(describing, subject),
    urgency,
    due_at: timeOrNull(subject.dueAt),
    overdue: subject.dueAt !== null && subject.dueAt <= describing.now,
  };
  if (item.kind === "reminder") {
    const { recurrence } = subject.metadata;
    return {
      kind: "reminder",
      ...described,
      // Reminders with any other status are done or removed, and not listed here.
      status: subject.status === "started" ? "started" : "active",
      priority: null,
      recurrence: typeof recurrence === "string" ? recurrence : null,
      assignee_agent_id: null,
      accepted_by_agent_id: null,
      depends_on: [],
      waiting: 0,
      source_memory_id: null,
      source_memory_status: null,
    };
  }
  const { state, dependsOn, dependents } = item.todo;
  return {
    kind: "todo",
    ...described,
    status: state.status,
    priority: state.priority,
    recurrence: null,
    assignee_agent_id: state.assignee,
    accepted_by_agent_id: state.acceptedBy,
    depends_on: [...dependsOn],
    waiting: dependents,
    ...sourceOf(item.todo),
  };
}

type ShownMembers = Pick<ActionItem, "tokens" | "text" | "truncated" | "shown_in">;

const IMPACT_SHARE: Readonly<Record<ImpactLevel, number>> = {
  low: 0,
  medium: 1 / 3,
  high: 2 / 3,
  critical: 1,
};
/** An open decision blocks work. A resolved one is binding, but matters less as time passes. */
const DECISION_WORTH = { proposed: { least: 0.7, most: 1 }, resolved: { least: 0.55, most: 0.85 } } as const;

/** True for an open decision whose due date has passed. */
export function isOverdue({ state }: Pick<StoredDecision, "state">, now: number): boolean {
  return state.status === "proposed" && state.dueAt !== null && state.dueAt <= now;
}

/** The members that order a decision, and whether its author is vouched for. */
type Weighed = OrderedDecision & Pick<Actionable, "isUnverified">;

/**
 * Decisions in the order of their list, but among the open ones, and among the others, those without a vouched author
 * come last, whatever impact they claim.
 */
export function decisionsByTrust<D extends Weighed>(decisions: readonly D[]): D[] {
  const isOpen = ({ state }: D) => state.status === "proposed";
  return decisionsInOrder(decisions).sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || Number(a.isUnverified) - Number(b.isUnverified),
  );
}

export function decisionEntries(
  describing: Describing,
  decisions: readonly StoredDecision[],
): EntryOf<"decisions">[] {
  const ordered = decisionsByTrust(
    decisions.map((decision) => ({
      ...decision,
      isUnverified: isOfUnverified(describing, subjectOfItem(decision)),
    })),
  );
  const worths = decisionWorths(ordered, describing.now);
  return ordered.map((decision, at) => ({
    id: blockOf("decisions", decision.memory.id),
    domain: "decisions",
    item: decision.memory.memoryId,
    home: null,
    isReference: false,
    value: worths[at] as number,
    content: decisionWords(decision),
    label: (detail) => decisionLabel(decision, describing, detail),
    // In a long decision, the resolution matters more than the context.
    score: (sentence) => (/^(Resolution|Options): /.test(sentence) ? 1 : 0),
    answer: (shown) => ({ ...decisionAnswer(decision, describing), ...shown }),
  }));
}

/**
 * The value of each decision, in the order of `decisionsByTrust`. Places are counted separately for open and resolved
 * ones.
 */
export function decisionWorths(ordered: readonly Weighed[], now: number): number[] {
  const open = ordered.filter(({ state }) => state.status === "proposed").length;
  return ordered.map((decision, at) => worth(decisionWorth(decision, now), at < open ? at : at - open));
}

function decisionWorth({ state, isUnverified }: Omit<Weighed, "memory">, now: number): number {
  const { least, most } = state.status === "proposed" ? DECISION_WORTH.proposed : DECISION_WORTH.resolved;
  const weight = least + (most - least) * (isUnverified ? 0 : IMPACT_SHARE[state.impactLevel ?? "medium"]);
  return state.status === "proposed"
    ? weight
    : weight * freshness(now - (state.resolvedAt ?? now), "decision");
}

function decisionWords({ state: { context, resolution, options } }: StoredDecision): string {
  return [
    context,
    ...(resolution === null ? [] : [`Resolution: ${resolution}`]),
    ...(options.length === 0 ? [] : [`Options: ${options.join("; ")}`]),
  ].join("\n");
}

function decisionLabel(decision: StoredDecision, describing: Describing, detail: string): OwnWords {
  const { memory, state } = decision;
  const kind = [own`decision`, word(state.status), isOverdue(decision, describing.now) && own`overdue`];
  if (detail === "bare") return joined(kind);
  return joined([
    ...kind,
    state.impactLevel !== null && own`${word(state.impactLevel)} impact`,
    state.resolvedAt !== null && onDay(own`resolved`, state.resolvedAt),
    state.status === "proposed" && state.dueAt !== null && onDay(own`due`, state.dueAt),
    adoptedWords(memory),
    ...(detail === "full" ? authorWords(describing, subjectOfItem(decision)) : []),
    idWords(memory.memoryId),
  ]);
}

function decisionAnswer(decision: StoredDecision, describing: Describing) {
  const { state, supersedes } = decision;
  return {
    ...describedOf(describing, subjectOfItem(decision)),
    status: state.status,
    impact_level: state.impactLevel,
    proposed_by_agent_id: state.proposedBy,
    resolved_by_agent_id: state.resolvedBy,
    resolved_at: timeOrNull(state.resolvedAt),
    supersedes,
    due_at: timeOrNull(state.dueAt),
    overdue: isOverdue(decision, describing.now),
    ...sourceOf(decision),
  };
}

/** A recent memory has the same value as a recalled one with a relevance of one half. */
const RECENT_RELEVANCE = 0.5;
/** The value of an entry that only refers to the section with its text. */
const REFERENCE_WORTH = 0.05;

/** For each memory row, the block that shows its text. */
export type Homes = ReadonlyMap<string, string>;

/** Maps each row whose text one of these entries shows to that entry's block. */
export function homesOf(entries: readonly Entry[]): Map<string, string> {
  const shown = entries.filter(({ home, content }) => home === null && content !== null);
  return new Map(shown.map(({ id, domain }) => [id.slice(domain.length + 1), id]));
}

/**
 * Entries of recalled memories, the most valuable first. If another section shows the text, the entry only refers to
 * it.
 */
export function durableEntries(
  describing: Describing,
  hits: readonly Hit[],
  homes: Homes,
  query: string,
): EntryOf<"durable_context">[] {
  const score = queryScorer(query);
  const valued = hits.map((hit) => ({ hit, value: valueOfHit(hit, describing.now) }));
  valued.sort((a, b) => b.value - a.value || a.hit.memory.seq - b.hit.memory.seq);
  return valued.map(({ hit, value }, place) => {
    const home = homes.get(hit.memory.id) ?? null;
    return {
      ...memoryEntry(describing, hit.memory, home, "durable_context"),
      domain: "durable_context",
      value: worth(home === null ? value : REFERENCE_WORTH, place),
      score,
      answer: (shown) => ({ ...memoryAnswer(describing, hit.memory), score: hit.score, ...shown }),
    };
  });
}

/** The value of a recent memory by its place in the section. */
export function recentWorth(memory: ContextKeys["recent"][number], now: number, place: number): number {
  const { importance, confidence, memoryType, updatedAt } = memory;
  const value =
    RECENT_RELEVANCE *
    freshness(now - updatedAt, memoryType) *
    importanceFactor(importance) *
    confidenceFactor(confidence);
  return worth(value, place);
}

/** Entries of recent memories in the given order: latest change first. */
export function recentEntries(
  describing: Describing,
  memories: readonly MemoryRecord[],
  homes: Homes,
): EntryOf<"recent_memories">[] {
  return memories.map((memory, place) => {
    const home = homes.get(memory.id) ?? null;
    return {
      ...memoryEntry(describing, memory, home, "recent_memories"),
      domain: "recent_memories",
      value: home === null ? recentWorth(memory, describing.now, place) : worth(REFERENCE_WORTH, place),
      score: () => 0,
      answer: (shown) => ({ ...memoryAnswer(describing, memory), ...shown }),
    };
  });
}

function valueOfHit({ memory, judgedRelevance: relevance }: Hit, now: number): number {
  const { importance, confidence, memoryType, occurredAt, createdAt } = memory;
  const occurredAtMs = occurredAt ?? createdAt;
  return memoryValue({ relevance, importance, confidence, memoryType, occurredAtMs }, now);
}

function memoryEntry(
  describing: Describing,
  memory: MemoryRecord,
  home: string | null,
  domain: "durable_context" | "recent_memories",
) {
  const kind = domain === "durable_context" ? own`known` : own`recent`;
  return {
    id: blockOf(domain, memory.id),
    item: memory.memoryId,
    home,
    isReference: home !== null,
    content: home === null ? memory.content : null,
    label: (detail: string, placeOf: PlaceOf) => {
      const type = own`${kind} ${typeWords(memory.memoryType)}`;
      if (home !== null) return own`${type}: #${placeOf(home) ?? own``}`;
      if (detail === "bare") return type;
      const day = dayOf(memory.occurredAt ?? memory.createdAt);
      return joined([
        type,
        day,
        adoptedWords({ isAdopted: isAdopted(memory) }),
        sessionWords(otherSession(describing.caller, memory), false),
        ...(detail === "full" ? authorWords(describing, subjectOf(memory)) : []),
        idWords(memory.memoryId),
      ]);
    },
  };
}

function memoryAnswer(describing: Describing, memory: MemoryRecord) {
  return {
    ...describedOf(describing, subjectOf(memory)),
    memory_type: memory.memoryType,
    status: statusAt(memory, describing.now),
    semantic_key: memory.semanticKey,
    importance: memory.importance,
    confidence: memory.confidence,
    occurred_at: timeOrNull(memory.occurredAt),
  };
}

const EVENT_WORTH = 0.25;
const TITLE_MAX = 120;

/**
 * Entries of events, newest first. If another section shows the event's subject, the entry refers to it; otherwise the
 * subject's latest event shows the beginning of its text.
 */
export function timelineEntries(events: readonly ContextEvent[], homes: Homes): EntryOf<"timeline">[] {
  const begun = new Set<string>();
  return events.map((event, place) => {
    const home = homes.get(event.row) ?? null;
    const isFirst = !begun.has(event.row);
    begun.add(event.row);
    const content = home === null && isFirst && event.beginning !== null ? eventTitle(event.beginning) : null;
    return {
      id: blockOf("timeline", `${event.row}:${place}`),
      domain: "timeline",
      item: null,
      home,
      isReference: false,
      value: eventWorth(place),
      content,
      label: (detail, placeOf) => {
        const at = home === null ? null : placeOf(home);
        const subject = at === null ? word(event.kind) : own`${word(event.kind)} #${at}`;
        const agent = event.agentId === null ? null : named(event.agentId);
        const to = stepWord(event.to);
        const change = event.from === null ? to : own`${stepWord(event.from)} to ${to}`;
        return joined([
          own`event ${detail === "bare" ? (dayOf(event.at) ?? own``) : minuteOf(event.at)}`,
          own`${subject} ${stepWord(event.operation)}: ${change}`,
          detail === "full" && agent !== null && own`by ${agent}`,
          // Subjects shown in another section have their id there.
          detail !== "bare" && content !== null && idWords(event.id),
        ]);
      },
      score: () => 0,
      answer: (shown) => ({
        at: rfc3339(event.at),
        kind: event.kind,
        id: event.id,
        operation: event.operation,
        from: event.from,
        to: event.to,
        agent_id: event.agentId,
        trust: event.trust,
        ...shown,
      }),
    };
  });
}

/**
 * The known words of audit trails: all statuses and operations. Other words, which imported trails may contain, are
 * quoted.
 */
const STEP_WORDS: readonly string[] = [
  ...todoStatuses,
  ...decisionStatuses,
  ...memoryStatuses,
  ...["create", "store", "change", "update", "accept", "assign", "block", "unblock", "complete", "cancel"],
  ...["resolve", "supersede", "reopen", "restore", "delete", "archive", "unarchive", "redact"],
];

function stepWord(stored: string): OwnWords {
  if (STEP_WORDS.includes(stored)) return stored as OwnWords;
  return named(stored) ?? own`step`;
}

/** An instant to the minute (UTC). */
function minuteOf(at: number): OwnWords {
  return rfc3339(at).slice(0, 16) as OwnWords;
}

export function eventWorth(place: number): number {
  return worth(EVENT_WORTH, place);
}

/** The first line, truncated if it is too long for a title. */
function eventTitle(beginning: string): string {
  const line = beginning.trim().split(/[\n\r]/, 1)[0] ?? "";
  const characters = [...line];
  return characters.length > TITLE_MAX ? `${characters.slice(0, TITLE_MAX - 1).join("")}…` : line;
}

const AGENT_WORTH = 0.5;

interface AgentActivity {
  readonly agentId: string;
  readonly at: number | null;
  readonly trust: Trust;
  readonly open: number;
  readonly blocked: number;
  readonly task: AgentTrace["task"];
}

/** Entries of all agents that wrote something or have a todo, the most recently active first. */
export function agentEntries(caller: Caller, facts: ContextFacts, limit: number): EntryOf<"agent_states">[] {
  return activities(facts)
    .slice(0, limit)
    .map((state, place) => ({
      id: blockOf("agent_states", state.agentId),
      ...HEADER_ONLY,
      domain: "agent_states",
      value: worth(AGENT_WORTH, place),
      label: (detail) => agentLabel(state, detail === "bare"),
      answer: ({ tokens }) => ({
        tokens,
        agent_id: state.agentId,
        relation: state.agentId === caller.attribution.agentId ? "self" : "other_agent",
        trust: state.trust,
        last_activity_at: timeOrNull(state.at),
        open_todos: state.open,
        blocked_todos: state.blocked,
        last_task:
          state.task === null
            ? null
            : {
                id: state.task.id,
                status: state.task.status,
                task_id: state.task.taskId,
                at: rfc3339(state.task.at),
              },
      }),
    }));
}

function activities({ agents, events, counts }: ContextFacts): AgentActivity[] {
  const states = new Map<string, AgentActivity>();
  const activityOf = (agentId: string): AgentActivity =>
    states.get(agentId) ?? { agentId, at: null, trust: "unattributed", open: 0, blocked: 0, task: null };
  for (const { agentId, at, trust, task } of agents)
    states.set(agentId, { ...activityOf(agentId), at, trust, task });
  // Events are sorted newest first, so an agent's first event here is its latest.
  for (const { agentId, at, trust } of events) {
    const state = agentId === null ? null : activityOf(agentId);
    if (state !== null && (state.at === null || state.at < at))
      states.set(state.agentId, { ...state, at, trust });
  }
  for (const { item, status, agent, count } of counts) {
    if (item !== "todo" || agent === null || isFinished(status as TodoStatus)) continue;
    const state = activityOf(agent);
    const blocked = state.blocked + (status === "blocked" ? count : 0);
    states.set(agent, { ...state, open: state.open + count, blocked });
  }
  return [...states.values()].sort(
    (a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.agentId < b.agentId ? -1 : Number(a.agentId > b.agentId)),
  );
}

function agentLabel({ agentId, at, open, blocked, task }: AgentActivity, isBare: boolean): OwnWords {
  const who = own`agent ${named(agentId) ?? own`without a name`}`;
  if (isBare) return who;
  return joined([
    who,
    at !== null && onDay(own`last active`, at),
    open > 0 && own`${open} unfinished ${open === 1 ? own`todo` : own`todos`}`,
    blocked > 0 && own`${blocked} blocked`,
    task !== null && onDay(own`last task ${word(task.status)}`, task.at),
  ]);
}
