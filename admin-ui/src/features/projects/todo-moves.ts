/**
 * Which way a todo may go from where it is, as docs/project-rules.md has it, and the column of the board that each way leads to.
 * What needs no words is done at once; the others ask for them first.
 */
import type { Outputs } from "../../shell/trpc.ts";

export type Todo = Outputs["listTodos"][number];
export type ColumnName = "open" | "doing" | "blocked" | "done";
export type Step = "accept" | "assign" | "block" | "unblock" | "complete" | "cancel";

export const COLUMNS: readonly { readonly name: ColumnName; readonly title: string }[] = [
  { name: "open", title: "Open" },
  { name: "doing", title: "Doing" },
  { name: "blocked", title: "Blocked" },
  { name: "done", title: "Done" },
];

const COLUMN_OF: Readonly<Record<Todo["status"], ColumnName>> = {
  open: "open",
  assigned: "open",
  accepted: "doing",
  blocked: "blocked",
  completed: "done",
  cancelled: "done",
};

export const columnOf = ({ status }: Todo): ColumnName => COLUMN_OF[status];
export const isFinished = (todo: Todo) => columnOf(todo) === "done";

const UNFINISHED: readonly Step[] = ["accept", "assign", "block", "complete", "cancel"];
const STEPS: Readonly<Record<Todo["status"], readonly Step[]>> = {
  open: UNFINISHED,
  assigned: UNFINISHED,
  accepted: ["assign", "block", "complete", "cancel"],
  blocked: ["unblock", "assign", "cancel"],
  completed: [],
  cancelled: [],
};

export const stepsOf = ({ status }: Todo): readonly Step[] => STEPS[status];

/** The step that takes a todo to a column; null where none does. */
export function stepTo(todo: Todo, column: ColumnName): Step | null {
  if (columnOf(todo) === column) return null;
  const by: Readonly<Record<ColumnName, Step>> = {
    open: todo.status === "blocked" ? "unblock" : "assign",
    doing: todo.status === "blocked" ? "unblock" : "accept",
    blocked: "block",
    done: "complete",
  };
  return stepsOf(todo).includes(by[column]) ? by[column] : null;
}

export const STEP_WORDS: Readonly<Record<Step, { readonly act: string; readonly did: string }>> = {
  accept: { act: "Accept it", did: "You accepted it." },
  assign: { act: "Assign it…", did: "Only this agent can accept it now." },
  block: { act: "Block it…", did: "It is blocked." },
  unblock: { act: "Unblock it", did: "It is unblocked." },
  complete: { act: "Complete it…", did: "It is done." },
  cancel: { act: "Cancel it…", did: "It is cancelled." },
};
