import { operations } from "../../../contract/operations.ts";
import type { caveatKinds } from "../../../contract/project-context.ts";
import { type Caller, mayCall } from "../../caller.ts";
import { conflictsAmong } from "../../context/answer-status.ts";
import { mayWrite } from "../../memory/access.ts";
import { boundaryOf } from "../../memory/boundary.ts";
import type { MemoryRecord, Role } from "../../memory/memory-record.ts";
import { reviewOf } from "../../memory/review.ts";
import { isLiveStatus } from "../../memory/supersession.ts";
import type { StoredDecision, StoredTodo } from "../workspace-store.ts";
import {
  blockOf,
  type Describing,
  type EntryOf,
  HEADER_ONLY,
  type Subject,
  subjectOf,
  subjectOfItem,
  trustOf,
  worth,
} from "./entry.ts";
import { type Actionable, type Homes, isOverdue } from "./sections.ts";

// What a context pack concludes from its sections: what to beware of, and what to do next.

/** What caveats are drawn from: the candidates for the pack, and counts over the whole workspace. */
interface Considered {
  readonly describing: Describing;
  readonly items: readonly Actionable[];
  readonly decisions: readonly StoredDecision[];
  /** Recent and recalled memories, each once. */
  readonly memories: readonly MemoryRecord[];
  /** Of the whole workspace. */
  readonly overdue: number;
  /** What recall had to do without, in words. */
  readonly degraded: readonly string[];
}

/** Something that a reader should beware of. */
interface Caveat {
  readonly kind: (typeof caveatKinds)[number];
  readonly statement: string;
  readonly count: number;
  readonly about: readonly Subject[];
}

const IDS_MAX = 10;
/** How many memories are compared with each other for conflicts. */
const COMPARED_MAX = 40;
const CAVEAT_WORTH = 0.6;

/** At most one caveat of each kind, the gravest first. The statements quote nothing that is stored. */
export function caveatEntries(considered: Considered, homes: Homes): EntryOf<"governance_caveats">[] {
  return caveatsOf(considered).map(({ kind, statement, count, about }, place) => {
    const named = about.slice(0, IDS_MAX);
    const blocks = named.map(({ id }) => homes.get(id)).filter((block) => block !== undefined);
    return {
      id: blockOf("governance_caveats", kind),
      ...HEADER_ONLY,
      domain: "governance_caveats",
      value: worth(CAVEAT_WORTH, place),
      label: (detail, placeOf) => {
        const places = blocks.map(placeOf).filter((at) => at !== null);
        const where =
          detail === "bare" || places.length === 0 ? "" : ` (${places.map((at) => `#${at}`).join(" ")})`;
        return `caveat: ${statement}${where}`;
      },
      answer: ({ tokens }) => ({
        tokens,
        kind,
        statement,
        count,
        ids: named.map(({ memoryId }) => memoryId),
      }),
    };
  });
}

function caveatsOf(considered: Considered): Caveat[] {
  const { describing, items, decisions, memories, overdue, degraded } = considered;
  const { now, caller } = describing;
  const all = [
    ...items.map(({ subject }) => subject),
    ...decisions.map(subjectOfItem),
    ...memories.map(subjectOf),
  ];
  const late = [
    ...items.map(({ subject }) => subject).filter(({ dueAt }) => dueAt !== null && dueAt <= now),
    ...decisions.filter((decision) => isOverdue(decision, now)).map(subjectOfItem),
  ];
  const conflicting = conflictsAmong(memories.slice(0, COMPARED_MAX)).map(subjectOf);
  const todos = items.flatMap((item) => (item.kind === "todo" ? [item.todo] : []));
  const dead = [...todos, ...decisions].filter(isSourceDead).map(subjectOfItem);
  const review = all.filter((memory) => reviewOf(memory, now).isDue);
  const unverified = all.filter(
    (memory) =>
      trustOf(describing, memory) === "client_asserted" &&
      boundaryOf(caller.attribution, memory).relation === "other_agent",
  );
  const caveats: Caveat[] = [
    {
      kind: "degraded_recall",
      statement: `recall was degraded: ${degraded.join("; ")}`,
      count: degraded.length,
      about: [],
    },
    {
      kind: "conflict",
      statement: "memories state other values of the same thing",
      count: conflicting.length,
      about: conflicting,
    },
    { kind: "overdue", statement: "todos, decisions or reminders are overdue", count: overdue, about: late },
    {
      kind: "dead_source",
      statement: "what a todo or decision comes from is no longer live",
      count: dead.length,
      about: dead,
    },
    { kind: "review_due", statement: "the review date is past", count: review.length, about: review },
    {
      kind: "unverified_author",
      statement: "no credential vouches for the named author",
      count: unverified.length,
      about: unverified,
    },
  ];
  return caveats.filter(({ count }) => count > 0);
}

function isSourceDead({ state, sourceStatus }: StoredTodo | StoredDecision): boolean {
  return state.sourceMemoryId !== null && (sourceStatus === null || !isLiveStatus(sourceStatus));
}

type Suggestable =
  | "completeReminder"
  | "acceptTodo"
  | "completeTodo"
  | "unblockTodo"
  | "resolveDecision"
  | "updateMemory";

interface Suggestion {
  readonly operation: Suggestable;
  readonly subject: Subject;
  readonly because: string;
}

const SUGGESTIONS_MAX = 8;
/** The limit for each operation, so that one kind does not crowd the others out. */
const OF_ONE_MAX = 2;
const SUGGESTION_WORTH = 0.5;

/** Suggests what to do next, by fixed rules. Only operations that this credential may carry out are suggested. */
export function nextActionEntries(
  describing: Describing,
  project: string,
  role: Role,
  found: {
    readonly items: readonly Actionable[];
    readonly decisions: readonly StoredDecision[];
    readonly memories: readonly MemoryRecord[];
  },
): EntryOf<"suggested_next_actions">[] {
  const wanted = [
    ...found.items.flatMap((item) => ofItem(describing.caller, item)),
    ...found.decisions.flatMap((decision) => ofDecision(decision, describing.now)),
    ...found.memories.flatMap((memory) => ofMemory(memory, describing.now)),
  ];
  const counts = new Map<Suggestable, number>();
  const chosen = wanted.filter(({ operation, subject }) => {
    // Nobody here has asked for what was adopted: it is shown, and suggested only to who has taken it on.
    if (subject.isAdopted && operation !== "completeTodo") return false;
    const count = counts.get(operation) ?? 0;
    const isAllowed =
      mayCall(describing.caller, operations[operation]) &&
      mayWrite(describing.caller, { memory: subject, role });
    if (count >= OF_ONE_MAX || !isAllowed) return false;
    counts.set(operation, count + 1);
    return true;
  });
  return chosen
    .slice(0, SUGGESTIONS_MAX)
    .map((suggestion, place) => suggestionEntry(suggestion, project, place));
}

function suggestionEntry(
  { operation, subject, because }: Suggestion,
  project: string,
  place: number,
): EntryOf<"suggested_next_actions"> {
  const tool = operations[operation].mcp?.tool ?? null;
  const { memoryId } = subject;
  return {
    id: blockOf("suggested_next_actions", `${operation}:${subject.id}`),
    ...HEADER_ONLY,
    domain: "suggested_next_actions",
    value: worth(SUGGESTION_WORTH, place),
    label: (detail) =>
      detail === "bare"
        ? `next: ${tool ?? operation}, id ${memoryId}`
        : `next: ${tool ?? operation}, id ${memoryId}: ${because}`,
    answer: ({ tokens }) => ({
      tokens,
      operation,
      tool,
      id: memoryId,
      input: inputOf(operation, project, memoryId),
      because,
    }),
  };
}

/** The ids to call the operation with. */
function inputOf(operation: Suggestable, project: string, id: string): Record<string, string> {
  if (operation === "completeReminder") return { reminder_id: id };
  if (operation === "updateMemory") return { memory_id: id };
  return { project_id: project, [operation === "resolveDecision" ? "decision_id" : "todo_id"]: id };
}

function ofItem({ attribution: { agentId } }: Caller, item: Actionable): Suggestion[] {
  const { subject } = item;
  if (item.kind === "reminder")
    return [
      { operation: "completeReminder", subject, because: "the reminder is due: do it, then complete it" },
    ];
  const { status, assignee, acceptedBy, priority } = item.todo.state;
  const isOwn = (agent: string | null) => agent !== null && agent === agentId;
  if (status === "accepted" && isOwn(acceptedBy))
    return [
      { operation: "completeTodo", subject, because: "you have accepted it: complete it once it is done" },
    ];
  if (status === "assigned" && isOwn(assignee))
    return [{ operation: "acceptTodo", subject, because: "it is assigned to you" }];
  if (status === "open")
    return [{ operation: "acceptTodo", subject, because: "it presses most and nobody has it" }];
  const isPressing = priority === "urgent" || priority === "high" || item.todo.dependents > 0;
  if (status === "blocked" && isPressing)
    return [
      {
        operation: "unblockTodo",
        subject,
        because: "it is blocked and presses: see whether the reason still holds",
      },
    ];
  return [];
}

function ofDecision(decision: StoredDecision, now: number): Suggestion[] {
  const { state } = decision;
  if (state.status !== "proposed") return [];
  const isWeighty = state.impactLevel === "critical" || state.impactLevel === "high";
  const because = isOverdue(decision, now)
    ? "it should have been decided by now"
    : isWeighty
      ? "much depends on it and it is not decided"
      : "it is not decided yet";
  return [{ operation: "resolveDecision", subject: subjectOfItem(decision), because }];
}

function ofMemory(memory: MemoryRecord, now: number): Suggestion[] {
  if (memory.workspaceItem !== null || !reviewOf(memory, now).isDue) return [];
  return [
    {
      operation: "updateMemory",
      subject: subjectOf(memory),
      because: "its review date is past: verify it, then set metadata.last_verified_at",
    },
  ];
}
