import type { TodoStatus } from "../../contract/project.ts";
import { DomainError } from "../error.ts";
import { invalidTransition } from "./invalid-transition.ts";
import type { Todo } from "./todo.ts";

/** What is done with a todo, and what it needs to know. */
export type TodoAction =
  | { readonly operation: "accept"; readonly by: string }
  | { readonly operation: "assign"; readonly assignee: string }
  | { readonly operation: "block"; readonly reason: string }
  | { readonly operation: "unblock" }
  | { readonly operation: "complete" | "cancel"; readonly note: string | null; readonly at: number };

export type TodoOperation = TodoAction["operation"];

/** `same` changes nothing, `back` is what it was before it was blocked, null is refused. */
type Cell = TodoStatus | "same" | "back" | null;

/** Every status with every operation. */
export const todoTransitions: Readonly<Record<TodoStatus, Readonly<Record<TodoOperation, Cell>>>> = {
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
 * The todo after the action; the very same object where nothing changes.
 * `invalid_transition` where its status does not allow it, `assigned_to_other` and `already_accepted` where somebody
 * else's it is to accept, or has it.
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
      // Given to an agent while it is blocked, it waits for that agent afterwards.
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
