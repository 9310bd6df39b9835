import type { ActionItem } from "../../../contract/project-context.ts";
import { dayOf } from "../../context/render.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { urgencyOf } from "../urgency.ts";
import type { StoredTodo } from "../workspace-store.ts";
import {
  authorWords,
  type Describing,
  describedOf,
  joined,
  named,
  sourceOf,
  timeOrNull,
} from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";

/** Something to be done: a todo, or a reminder that is due. */
export type ToDo =
  | {
      readonly kind: "todo";
      readonly urgency: number;
      readonly memory: MemoryRecord;
      readonly todo: StoredTodo;
    }
  | { readonly kind: "reminder"; readonly urgency: number; readonly memory: MemoryRecord };

/** Todos and due reminders by urgency, of equals the older first; a reminder presses like a todo of normal priority. */
export function byUrgency(
  todos: readonly StoredTodo[],
  reminders: readonly MemoryRecord[],
  now: number,
): ToDo[] {
  const all: ToDo[] = [
    ...todos.map((todo) => {
      const { memory, state, dependents } = todo;
      const urgency = urgencyOf({ state, dependents, createdAt: memory.createdAt, seq: memory.seq }, now);
      return { kind: "todo" as const, urgency, memory, todo };
    }),
    ...reminders.map((memory) => {
      const state = { priority: "normal", status: "open", dueAt: memory.dueAt, endedAt: null } as const;
      const urgency = urgencyOf({ state, dependents: 0, createdAt: memory.createdAt, seq: memory.seq }, now);
      return { kind: "reminder" as const, urgency, memory };
    }),
  ];
  return all.sort((a, b) => b.urgency - a.urgency || a.memory.seq - b.memory.seq);
}

/** From here on urgency adds nothing to the worth: an urgent todo that is due. */
const URGENCY_FULL = 20;
const WORTH = { least: 0.45, most: 1 } as const;

export function actionEntries(describing: Describing, items: readonly ToDo[]): EntryOf<"action_items">[] {
  return items.map((item, place) => {
    const share = Math.min(1, item.urgency / URGENCY_FULL);
    return {
      id: blockOf("action_items", item.memory.id),
      domain: "action_items",
      item: item.memory.memoryId,
      home: null,
      isReference: false,
      value: worth(WORTH.least + (WORTH.most - WORTH.least) * share, place),
      content: item.kind === "todo" ? wordsOf(item.todo) : item.memory.content,
      label: (detail) =>
        detail === "bare"
          ? joined(stateWords(item, describing))
          : labelOf(item, describing, detail === "full"),
      score: () => 0,
      answer: (shown) => ({ ...answerOf(item, describing), ...shown }),
    };
  });
}

function wordsOf({ state }: StoredTodo): string {
  return state.blockedReason === null ? state.content : `${state.content}\nBlocked: ${state.blockedReason}`;
}

function labelOf(item: ToDo, describing: Describing, isFull: boolean): string {
  const { memory } = item;
  const agents =
    item.kind === "todo"
      ? [
          agentWords("accepted by", item.todo.state.acceptedBy),
          item.todo.state.acceptedBy === null ? agentWords("for", item.todo.state.assignee) : null,
          item.todo.dependents > 0 && `${item.todo.dependents} waiting for it`,
        ]
      : [];
  return joined([
    ...stateWords(item, describing),
    memory.dueAt !== null && `due ${dayOf(memory.dueAt)}`,
    ...agents,
    ...(isFull ? authorWords(describing, memory) : []),
    `id ${memory.memoryId}`,
  ]);
}

function stateWords(item: ToDo, { now }: Describing): (string | false)[] {
  const isOverdue = item.memory.dueAt !== null && item.memory.dueAt <= now && "overdue";
  if (item.kind === "reminder") return ["reminder", isOverdue];
  const { status, priority } = item.todo.state;
  return ["todo", status, priority !== "normal" && `${priority} priority`, isOverdue];
}

function agentWords(words: string, agent: string | null): string | null {
  const name = agent === null ? null : named(agent);
  return name === null ? null : `${words} ${name}`;
}

function answerOf(item: ToDo, describing: Describing): Omit<ActionItem, keyof ShownMembers> {
  const { kind, urgency, memory } = item;
  const todo = item.kind === "todo" ? item.todo : null;
  const recurrence = memory.metadata.recurrence;
  return {
    kind,
    ...describedOf(describing, memory),
    status: todo === null ? (memory.status as "active" | "started") : todo.state.status,
    priority: todo === null ? null : todo.state.priority,
    urgency,
    due_at: timeOrNull(memory.dueAt),
    overdue: memory.dueAt !== null && memory.dueAt <= describing.now,
    recurrence: todo === null && typeof recurrence === "string" ? recurrence : null,
    assignee_agent_id: todo === null ? null : todo.state.assignee,
    accepted_by_agent_id: todo === null ? null : todo.state.acceptedBy,
    depends_on: todo === null ? [] : [...todo.dependsOn],
    waiting: todo === null ? 0 : todo.dependents,
    ...(todo === null ? { source_memory_id: null, source_memory_status: null } : sourceOf(todo)),
  };
}

type ShownMembers = Pick<ActionItem, "tokens" | "text" | "truncated" | "shown_in">;
