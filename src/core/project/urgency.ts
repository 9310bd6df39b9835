import type { TodoPriority } from "../../contract/project.ts";
import { isFinished, type Todo } from "./todo.ts";

const DAY_MS = 86_400_000;

/**
 * The weights, after Taskwarrior's urgency coefficients (https://taskwarrior.org/docs/urgency/): a week overdue outweighs
 * any priority, several waiting todos outweigh a step of it, and age only decides between equals.
 */
const PRIORITY: Readonly<Record<TodoPriority, number>> = { urgent: 9, high: 6, normal: 3.9, low: 1.8 };
const DUE = 12;
const DEPENDENT = 2;
const DEPENDENTS_MAX = 8;
const AGE = 2;

/** The due date counts a fifth where it is two weeks off or further, and fully from a week overdue on. */
const DUE_FROM_DAYS = -14;
const DUE_TO_DAYS = 7;
const DUE_LEAST = 0.2;

/** What the order of todos looks at. */
export interface Ordered {
  readonly state: Pick<Todo, "priority" | "status" | "dueAt" | "endedAt">;
  /** How many unfinished todos depend on it. */
  readonly dependents: number;
  readonly createdAt: number;
  readonly seq: number;
}

/**
 * How much an unfinished todo presses, from 1.8 to 31:
 * priority + 12 × due + min(8, 2 × dependents) + 2 × min(1, age / 1 year),
 * where due rises from 0.2, two weeks ahead, to 1, a week overdue, and is 0 without a due date.
 */
export function urgencyOf({ state, dependents, createdAt }: Ordered, now: number): number {
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

/** Unfinished todos by urgency, of equals the older first; then finished ones, the latest first. */
export function inOrder<T extends Ordered>(todos: readonly T[], now: number): T[] {
  const keyed = todos.map((todo) => ({
    todo,
    isDone: isFinished(todo.state.status),
    key: isFinished(todo.state.status) ? (todo.state.endedAt ?? 0) : urgencyOf(todo, now),
  }));
  keyed.sort((a, b) => Number(a.isDone) - Number(b.isDone) || b.key - a.key || a.todo.seq - b.todo.seq);
  return keyed.map(({ todo }) => todo);
}
