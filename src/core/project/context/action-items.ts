import type { ActionItem } from "../../../contract/project-context-entries.ts";
import { dayOf, idWords } from "../../context/render.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { type Ordered, urgencyOf } from "../urgency.ts";
import type { StoredTodo } from "../workspace-store.ts";
import {
  authorWords,
  type Describing,
  describedOf,
  joined,
  named,
  type Subject,
  sourceOf,
  subjectOf,
  subjectOfItem,
  timeOrNull,
} from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";

/** Something to be done: a todo, or a reminder that is due. */
export type ToDo = { readonly urgency: number; readonly subject: Subject } & (
  | { readonly kind: "todo"; readonly todo: StoredTodo }
  | { readonly kind: "reminder"; readonly reminder: MemoryRecord }
);

/** Todos and due reminders by urgency, of equals the older first. */
export function byUrgency(
  todos: readonly StoredTodo[],
  reminders: readonly MemoryRecord[],
  now: number,
): ToDo[] {
  const all: ToDo[] = [
    ...todos.map((todo) => {
      const { memory, state, dependents } = todo;
      const urgency = urgencyOf({ state, dependents, createdAt: memory.createdAt, seq: memory.seq }, now);
      return { kind: "todo" as const, urgency, subject: subjectOfItem(todo), todo };
    }),
    ...reminders.map((reminder) => {
      const urgency = urgencyOf(reminderOrder(reminder), now);
      return { kind: "reminder" as const, urgency, subject: subjectOf(reminder), reminder };
    }),
  ];
  return all.sort((a, b) => b.urgency - a.urgency || a.subject.seq - b.subject.seq);
}

/** A reminder among todos: it presses like one of normal priority. */
export function reminderOrder({
  dueAt,
  createdAt,
  seq,
}: Pick<MemoryRecord, "dueAt" | "createdAt" | "seq">): Ordered {
  return {
    state: { priority: "normal", status: "open", dueAt, endedAt: null },
    dependents: 0,
    createdAt,
    seq,
  };
}

/** From here on urgency adds nothing to the worth: an urgent todo that is due. */
const URGENCY_FULL = 20;
const WORTH = { least: 0.45, most: 1 } as const;

/** What something to be done is worth by how it presses, and by its place in the section. */
export function actionWorth(urgency: number, place: number): number {
  const share = Math.min(1, urgency / URGENCY_FULL);
  return worth(WORTH.least + (WORTH.most - WORTH.least) * share, place);
}

export function actionEntries(describing: Describing, items: readonly ToDo[]): EntryOf<"action_items">[] {
  return items.map((item, place) => {
    return {
      id: blockOf("action_items", item.subject.id),
      domain: "action_items",
      item: item.subject.memoryId,
      home: null,
      isReference: false,
      value: actionWorth(item.urgency, place),
      content: item.kind === "todo" ? wordsOf(item.todo) : item.reminder.content,
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
  const { subject } = item;
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
    subject.dueAt !== null && `due ${dayOf(subject.dueAt)}`,
    ...agents,
    ...(isFull ? authorWords(describing, subject) : []),
    idWords(subject.memoryId),
  ]);
}

function stateWords(item: ToDo, { now }: Describing): (string | false)[] {
  const isOverdue = item.subject.dueAt !== null && item.subject.dueAt <= now && "overdue";
  if (item.kind === "reminder") return ["reminder", isOverdue];
  const { status, priority } = item.todo.state;
  return ["todo", status, priority !== "normal" && `${priority} priority`, isOverdue];
}

function agentWords(words: string, agent: string | null): string | null {
  const name = agent === null ? null : named(agent);
  return name === null ? null : `${words} ${name}`;
}

function answerOf(item: ToDo, describing: Describing): Omit<ActionItem, keyof ShownMembers> {
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
      // Others are done already, or gone.
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
