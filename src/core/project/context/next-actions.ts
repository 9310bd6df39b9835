import { operations } from "../../../contract/operations.ts";
import { type Caller, mayCall } from "../../caller.ts";
import { mayWrite } from "../../memory/access.ts";
import type { MemoryRecord, Role } from "../../memory/memory-record.ts";
import { reviewOf } from "../../memory/review.ts";
import type { StoredDecision } from "../workspace-store.ts";
import type { ToDo } from "./action-items.ts";
import { isOverdue } from "./decisions.ts";
import { type Describing, type Subject, subjectOf, subjectOfItem } from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";

type Name =
  | "completeReminder"
  | "acceptTodo"
  | "completeTodo"
  | "unblockTodo"
  | "resolveDecision"
  | "updateMemory";

interface Suggestion {
  readonly operation: Name;
  readonly subject: Subject;
  readonly because: string;
}

const SUGGESTIONS_MAX = 8;
/** So many of one operation, that one kind does not crowd the others out. */
const OF_ONE_MAX = 2;
const WORTH = 0.5;

/** What could be done next, by rules on what there is; only what this credential may do. */
export function nextActionEntries(
  describing: Describing,
  project: string,
  role: Role,
  found: {
    readonly items: readonly ToDo[];
    readonly decisions: readonly StoredDecision[];
    readonly memories: readonly MemoryRecord[];
  },
): EntryOf<"suggested_next_actions">[] {
  const wanted = [
    ...found.items.flatMap((item) => ofItem(describing.caller, item)),
    ...found.decisions.flatMap((decision) => ofDecision(decision, describing.now)),
    ...found.memories.flatMap((memory) => ofMemory(memory, describing.now)),
  ];
  const counts = new Map<Name, number>();
  const chosen = wanted.filter(({ operation, subject }) => {
    const count = counts.get(operation) ?? 0;
    if (count >= OF_ONE_MAX || !isAllowed(describing.caller, role, operation, subject)) return false;
    counts.set(operation, count + 1);
    return true;
  });
  return chosen.slice(0, SUGGESTIONS_MAX).map((suggestion, place) => entryOf(suggestion, project, place));
}

function entryOf(
  { operation, subject, because }: Suggestion,
  project: string,
  place: number,
): EntryOf<"suggested_next_actions"> {
  const tool = operations[operation].mcp?.tool ?? null;
  const { memoryId } = subject;
  return {
    id: blockOf("suggested_next_actions", `${operation}:${subject.id}`),
    domain: "suggested_next_actions",
    item: null,
    home: null,
    isReference: false,
    value: worth(WORTH, place),
    content: null,
    label: (detail) =>
      detail === "bare"
        ? `next: ${tool ?? operation}, id ${memoryId}`
        : `next: ${tool ?? operation}, id ${memoryId}: ${because}`,
    score: () => 0,
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

/** The ids that the operation is called with. */
function inputOf(operation: Name, project: string, id: string): Record<string, string> {
  if (operation === "completeReminder") return { reminder_id: id };
  if (operation === "updateMemory") return { memory_id: id };
  return { project_id: project, [operation === "resolveDecision" ? "decision_id" : "todo_id"]: id };
}

function ofItem({ attribution: { agentId } }: Caller, item: ToDo): Suggestion[] {
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

function isAllowed(caller: Caller, role: Role, operation: Name, { bucket }: Subject): boolean {
  return mayWrite(caller, { memory: { bucket }, role }) && mayCall(caller, operations[operation]);
}
