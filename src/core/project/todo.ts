import type { TodoPriority, TodoStatus } from "../../contract/project.ts";
import { DomainError } from "../error.ts";
import { invalidTransition } from "./invalid-transition.ts";

/** A todo's text and state. Instants in milliseconds since the epoch. */
export interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
  readonly priority: TodoPriority;
  /** The only agent that may accept it; null: any agent may. */
  readonly assignee: string | null;
  /** The agent that accepted it, or the credential if there is no agent. */
  readonly acceptedBy: string | null;
  /** The status it returns to when it is unblocked; null if it is not blocked. */
  readonly blockedFrom: TodoStatus | null;
  readonly blockedReason: string | null;
  readonly dueAt: number | null;
  /** When it was completed or cancelled, with the note or reason given then. */
  readonly endedAt: number | null;
  readonly endNote: string | null;
  readonly sourceMemoryId: string | null;
  /** The caller's own metadata. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** True for a status that needs no more work, so that no other todo waits for it. */
export function isFinished(status: TodoStatus): boolean {
  return status === "completed" || status === "cancelled";
}

export type TodoAction =
  | { readonly operation: "accept"; readonly by: string }
  | { readonly operation: "assign"; readonly assignee: string }
  | { readonly operation: "block"; readonly reason: string }
  | { readonly operation: "unblock" }
  | { readonly operation: "complete" | "cancel"; readonly note: string | null; readonly at: number };

type TodoOperation = TodoAction["operation"];

/**
 * The status after an operation. `same`: nothing changes; `back`: the status before it was blocked; null: not allowed.
 */
type Cell = TodoStatus | "same" | "back" | null;

/** The transition table: every status with every operation. */
const todoTransitions: Readonly<Record<TodoStatus, Readonly<Record<TodoOperation, Cell>>>> = {
  open: {
    accept: "accepted",
    assign: "assigned",
    block: "blocked",
    unblock: null,
    complete: "completed",
    cancel: "cancelled",
  },
  assigned: {
    accept: "accepted",
    assign: "assigned",
    block: "blocked",
    unblock: null,
    complete: "completed",
    cancel: "cancelled",
  },
  accepted: {
    accept: "same",
    assign: "assigned",
    block: "blocked",
    unblock: null,
    complete: "completed",
    cancel: "cancelled",
  },
  blocked: {
    accept: null,
    assign: "blocked",
    block: "same",
    unblock: "back",
    complete: null,
    cancel: "cancelled",
  },
  completed: { accept: null, assign: null, block: null, unblock: null, complete: "same", cancel: null },
  cancelled: { accept: null, assign: null, block: null, unblock: null, complete: null, cancel: "same" },
};

/**
 * The todo after the action; the same object if nothing changes. `invalid_transition` if its status does not allow the
 * action, `assigned_to_other` if only another agent may accept it, `already_accepted` if another agent has accepted it.
 */
export function nextTodo(todo: Todo, action: TodoAction): Todo {
  const row = todoTransitions[todo.status];
  const cell = row[action.operation];
  if (cell === null) throw invalidTransition("todo", todo.status, action.operation, row);
  if (action.operation === "accept") requireAcceptable(todo, action.by);
  if (cell === "same") return todo;
  const status = cell === "back" ? (todo.blockedFrom ?? "open") : cell;
  const next = { ...todo, ...changeBy(todo, action), status };
  return isEqual(todo, next) ? todo : next;
}

function requireAcceptable(todo: Todo, by: string): void {
  if (todo.status === "accepted") {
    if (todo.acceptedBy === by) return;
    throw new DomainError("already_accepted", "Somebody else has accepted this todo.");
  }
  if (todo.assignee === null || todo.assignee === by) return;
  throw new DomainError(
    "assigned_to_other",
    "This todo is assigned to another agent, who alone may accept it.",
  );
}

function changeBy(todo: Todo, action: TodoAction): Partial<Todo> {
  switch (action.operation) {
    case "accept":
      return { acceptedBy: action.by };
    case "assign": {
      // A todo that is assigned while it is blocked becomes `assigned` when it is unblocked.
      const blockedFrom = todo.status === "blocked" ? "assigned" : null;
      return { assignee: action.assignee, acceptedBy: null, blockedFrom };
    }
    case "block":
      return { blockedFrom: todo.status, blockedReason: action.reason };
    case "unblock":
      return { blockedFrom: null, blockedReason: null };
    default:
      return { blockedFrom: null, blockedReason: null, endedAt: action.at, endNote: action.note };
  }
}

function isEqual(a: Todo, b: Todo): boolean {
  return (Object.keys(a) as (keyof Todo)[]).every((name) => a[name] === b[name]);
}

const DAY_MS = 86_400_000;

/**
 * The weights, based on Taskwarrior's urgency coefficients (https://taskwarrior.org/docs/urgency/): being a week
 * overdue outweighs any priority, several waiting todos outweigh one step of priority, and age only breaks ties.
 */
const PRIORITY: Readonly<Record<TodoPriority, number>> = { urgent: 9, high: 6, normal: 3.9, low: 1.8 };
const DUE = 12;
const DEPENDENT = 2;
const DEPENDENTS_MAX = 8;
const AGE = 2;

/** The due date counts a fifth if it is two weeks or more away, and fully from a week overdue on. */
const DUE_FROM_DAYS = -14;
const DUE_TO_DAYS = 7;
const DUE_LEAST = 0.2;

/** The members that order todos. */
export interface OrderedTodo {
  readonly state: Pick<Todo, "priority" | "status" | "dueAt" | "endedAt">;
  /** How many unfinished todos depend on it. */
  readonly dependents: number;
  readonly createdAt: number;
  readonly seq: number;
}

/**
 * The urgency of an unfinished todo, from 1.8 to 31:
 * priority + 12 × due + min(8, 2 × dependents) + 2 × min(1, age / 1 year).
 * `due` rises from 0.2 (two weeks ahead or more) to 1 (a week overdue or more), and is 0 without a due date.
 */
export function urgencyOf({ state, dependents, createdAt }: OrderedTodo, now: number): number {
  const age = Math.min(1, Math.max(0, now - createdAt) / (365 * DAY_MS));
  return (
    PRIORITY[state.priority] +
    DUE * dueShare(state.dueAt, now) +
    Math.min(DEPENDENTS_MAX, DEPENDENT * dependents) +
    AGE * age
  );
}

function dueShare(dueAt: number | null, now: number): number {
  if (dueAt === null) return 0;
  const overdueDays = (now - dueAt) / DAY_MS;
  const along = (overdueDays - DUE_FROM_DAYS) / (DUE_TO_DAYS - DUE_FROM_DAYS);
  return DUE_LEAST + (1 - DUE_LEAST) * Math.min(1, Math.max(0, along));
}

/** Unfinished todos by urgency, older ones first on a tie; then finished ones, the latest first. */
export function todosInOrder<T extends OrderedTodo>(todos: readonly T[], now: number): T[] {
  const keyed = todos.map((todo) => ({
    todo,
    isDone: isFinished(todo.state.status),
    key: isFinished(todo.state.status) ? (todo.state.endedAt ?? 0) : urgencyOf(todo, now),
  }));
  keyed.sort((a, b) => Number(a.isDone) - Number(b.isDone) || b.key - a.key || a.todo.seq - b.todo.seq);
  return keyed.map(({ todo }) => todo);
}
