import type { TodoPriority, TodoStatus } from "../../contract/project.ts";

/** What a todo says and how it stands. Instants in milliseconds since the epoch. */
export interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
  readonly priority: TodoPriority;
  /** Who alone may accept it; null where anybody may. */
  readonly assignee: string | null;
  /** Who has it: an agent, or the credential where there was none. */
  readonly acceptedBy: string | null;
  /** What it comes back to when it is unblocked; null where it is not blocked. */
  readonly blockedFrom: TodoStatus | null;
  readonly blockedReason: string | null;
  readonly dueAt: number | null;
  /** When it was completed or cancelled, and what was said of that. */
  readonly endedAt: number | null;
  readonly endNote: string | null;
  readonly sourceMemoryId: string | null;
  /** The caller's own metadata. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** True for what needs no more work: it holds nobody up. */
export function isFinished(status: TodoStatus): boolean {
  return status === "completed" || status === "cancelled";
}
