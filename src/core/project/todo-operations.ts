import type { InputOf } from "../../contract/operations.ts";
import { joined, own, shownId } from "../../contract/own-words.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { requireBucket, requireMember } from "../memory/access.ts";
import type { LockKey } from "../memory/memory-store.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { UseCase } from "../use-case.ts";
import { acceptorOf } from "./actor.ts";
import {
  corrected,
  differing,
  type ItemKind,
  type ItemPorts,
  insertItem,
  keptArchived,
  lockItem,
  placeItem,
  type RemovalPorts,
  removeItem,
  restoreItem,
  takeStep,
} from "./item.ts";
import { presentTodo, todoOf } from "./present.ts";
import { recalledTodo } from "./recalled.ts";
import { isFinished, nextTodo, type Todo, type TodoAction, todosInOrder } from "./todo.ts";
import { listOf, partOf, readableWorkspace } from "./workspace.ts";
import type { OwnedRow, StoredTodo, Workspace } from "./workspace-store.ts";

const TODO: ItemKind<Todo, StoredTodo, ReturnType<typeof presentTodo>> = {
  item: "todo",
  read: (workspace, row) => workspace.todo(row),
  save: (workspace, row, state) => workspace.saveTodo(row, state),
  recalled: recalledTodo,
  present: presentTodo,
  // A deleted dependency counts as cancelled, so todos that were completed meanwhile no longer depend on this one.
  async broughtBack(workspace, row, { status }) {
    if (!isFinished(status)) await workspace.releaseCompleted(row);
  },
};

/** One todo. `not_found` if it is in another project or soft-deleted. */
export const getTodo: UseCase<Pick<Ports, "store">, "getTodo"> = async ({ store }, caller, input) => {
  const todo = await store.workspace.todo(caller, input.project_id, input.todo_id);
  if (todo === null) throw notFound("todo");
  return todoOf(todo);
};

/**
 * A workspace's todos that the caller may see, unfinished ones first and by urgency. `not_found` for a team that the
 * caller is not in.
 */
export const listTodos: UseCase<Pick<Ports, "store" | "clock">, "listTodos"> = async (
  ports,
  caller,
  input,
) => {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const filter = {
    status: input.status ?? null,
    priority: input.priority ?? null,
    assignee: input.assignee_agent_id ?? null,
  };
  const part = await ports.store.workspace.todos(caller, workspace, filter, {
    ...partOf(input),
    inOrder: (keys) => todosInOrder(keys, ports.clock()),
    show: todoOf,
  });
  return listOf(part, ({ todo_id }) => todo_id);
};

/**
 * Adds a todo: `assigned` if it names an assignee, otherwise `open`. `validation_failed` if a dependency is not a todo
 * of the workspace; ownership and its errors are the same as for memories.
 */
export const createTodo: UseCase<ItemPorts, "createTodo"> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  const placed = placeItem(ports, caller, "todo", input);
  const todo = newTodo(input, placed.extra);
  const memory = placed.withWords(recalledTodo(todo));
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, memory.ownerId);
    await lockForWrite(caller, transaction, [], [memory.ownerId]);
    const workspace = { ownerId: memory.ownerId, projectId: input.project_id };
    // Nothing depends on a new todo yet, so its dependencies cannot form a cycle.
    const dependsOn = await todosNamed(transaction, workspace, input.depends_on ?? []);
    const row = await insertItem(ports, caller, transaction, memory, {
      to: todo.status,
      note: null,
      insertState: (inserted) => transaction.workspace.insertTodo(inserted, todo, dependsOn),
    });
    const notices = [...screened.notices, ...placed.notices];
    return {
      ...presentTodo(caller, await transaction.workspace.todo(row)),
      ...remarksOn(screened, notices),
    };
  });
};

function newTodo(input: InputOf<"createTodo">, extra: Todo["extra"]): Todo {
  const assignee = input.assignee_agent_id ?? null;
  return {
    content: input.content,
    status: assignee === null ? "open" : "assigned",
    priority: input.priority,
    assignee,
    acceptedBy: null,
    blockedFrom: null,
    blockedReason: null,
    dueAt: input.due_at ? Date.parse(input.due_at) : null,
    endedAt: null,
    endNote: null,
    sourceMemoryId: input.source_memory_id ?? null,
    extra,
  };
}

/**
 * Corrects a todo's text and other members, finished or not; its status stays the same. Writes nothing if nothing
 * changes. `validation_failed` for dependencies that are not todos of the workspace or would form a cycle; `not_found`,
 * `role_forbidden`, `precondition_failed`, `conflict` and `insufficient_scope` as for memories.
 */
export const updateTodo: UseCase<ItemPorts, "updateTodo"> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  if (input.bucket) requireBucket(caller, input.bucket);
  return ports.store.transaction(caller, async (transaction) => {
    const { workspace } = transaction;
    const named = { projectId: input.project_id, id: input.todo_id, ifMatch: input.if_match };
    const memory = await lockItem(caller, transaction, "todo", named, ({ ownerId }) =>
      input.depends_on === undefined ? [] : [dependenciesLock({ ownerId, projectId: input.project_id })],
    );
    const before = await workspace.todo(memory);
    const { content = before.state.content, priority = before.state.priority } = input;
    const { common, place, notices } = corrected(caller, memory, before.state, {
      ...input,
      saysOtherwise: content !== before.state.content,
    });
    const state: Todo = { ...before.state, content, priority, ...common };
    const ofWorkspace = { ownerId: memory.ownerId, projectId: input.project_id };
    const dependsOn = namesOthers(before, input.depends_on)
      ? await dependenciesOf(transaction, ofWorkspace, memory, input.depends_on ?? [])
      : null;
    const changed = [
      ...differing(before.state, state),
      ...differing(memory, place),
      ...(dependsOn === null ? [] : ["depends_on"]),
    ];
    const remarks = remarksOn(screened, [...screened.notices, ...notices]);
    if (changed.length === 0) return { ...presentTodo(caller, before), ...remarks };
    if (dependsOn !== null) await workspace.replaceDependencies(memory, dependsOn);
    // A completed todo must not get unfinished dependencies afterwards.
    if (dependsOn !== null && state.status === "completed")
      await requireNothingUnfinished(transaction, memory);
    await takeStep(ports, caller, transaction, TODO, {
      memory,
      before,
      state,
      at: ports.clock(),
      operation: "update",
      note: changed.join(", "),
      besides: { ...place, ...keptArchived(memory) },
    });
    return { ...presentTodo(caller, await workspace.todo(memory)), ...remarks };
  });
};

/** True if the request gives dependencies that differ from those that the caller sees. */
function namesOthers({ dependsOn }: StoredTodo, named: readonly string[] | null | undefined): boolean {
  if (named === undefined) return false;
  return JSON.stringify([...new Set(named ?? [])]) !== JSON.stringify(dependsOn);
}

/** Accepts the todo for the caller. `already_accepted`, `assigned_to_other`; other errors as in `changeTodo`. */
export const acceptTodo: UseCase<ItemPorts, "acceptTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, () => ({ operation: "accept", by: acceptorOf(caller) }));

/** Assigns the todo to an agent, even if another agent had it. */
export const assignTodo: UseCase<ItemPorts, "assignTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, ({ assignee_agent_id }) => ({
    operation: "assign",
    assignee: assignee_agent_id,
  }));

/** Marks the todo as blocked, with the reason. */
export const blockTodo: UseCase<ItemPorts, "blockTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, ({ reason }) => ({ operation: "block", reason }));

/** Returns the todo to its status before it was blocked. */
export const unblockTodo: UseCase<ItemPorts, "unblockTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, () => ({ operation: "unblock" }));

/** Completes the todo. `dependency_incomplete` while a todo that it depends on is unfinished. */
export const completeTodo: UseCase<ItemPorts, "completeTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, ({ note = null }, at) => ({ operation: "complete", note, at }));

export const cancelTodo: UseCase<ItemPorts, "cancelTodo"> = (ports, caller, input) =>
  changeTodo(ports, caller, input, ({ reason = null }, at) => ({
    operation: "cancel",
    note: reason,
    at,
  }));

/**
 * Applies an action to a todo: its state, its memory and the audit line change together or not at all. Writes nothing
 * if nothing changes. `not_found`, `role_forbidden`, `precondition_failed`, `invalid_transition`.
 */
async function changeTodo<T extends InputOf<"unblockTodo">>(
  ports: ItemPorts,
  caller: Caller,
  asked: T,
  toAction: (input: T, now: number) => TodoAction,
) {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const named = { projectId: input.project_id, id: input.todo_id, ifMatch: input.if_match };
    const memory = await lockItem(caller, transaction, "todo", named);
    const { workspace } = transaction;
    // Read after the row is locked, so that the times in an audit trail are ascending.
    const at = ports.clock();
    const action = toAction(input, at);
    const { operation } = action;
    const before = await workspace.todo(memory);
    const state = nextTodo(before.state, action);
    if (state === before.state) return presentTodo(caller, before);
    if (operation === "complete") await requireNothingUnfinished(transaction, memory);
    const note = noteOf(action);
    await takeStep(ports, caller, transaction, TODO, { memory, before, state, at, operation, note });
    const after = await workspace.todo(memory);
    return { ...presentTodo(caller, after), ...remarksOn(screened, screened.notices) };
  });
}

function noteOf(action: TodoAction): string | null {
  switch (action.operation) {
    case "assign":
      return `to ${action.assignee}`;
    case "block":
      return action.reason;
    case "complete":
    case "cancel":
      return action.note;
    default:
      return null;
  }
}

async function requireNothingUnfinished(transaction: RecordTransaction, todo: OwnedRow): Promise<void> {
  const { ids, count } = await transaction.workspace.unfinished(todo);
  if (count === 0) return;
  const hidden = count - ids.length;
  const others = hidden > 0 ? [own`${hidden} that this credential does not see`] : [];
  throw new DomainError(
    "dependency_incomplete",
    own`It depends on unfinished todos: ${joined([...ids.map(shownId), ...others])}.`,
  );
}

/**
 * Soft-deletes, hard-deletes or redacts a todo, by the same rules as for memories. Todos that depend on it no longer
 * wait for it.
 */
export const deleteTodo: UseCase<RemovalPorts, "deleteTodo"> = (ports, caller, input) =>
  removeItem(ports, caller, "todo", input.todo_id, input);

/**
 * Restores a soft-deleted todo and returns it. Todos that were completed meanwhile no longer depend on it.
 * `not_restorable` if it is not soft-deleted.
 */
export const restoreTodo: UseCase<Pick<Ports, "store" | "clock">, "restoreTodo"> = (ports, caller, input) =>
  restoreItem(ports, caller, TODO, input.todo_id, input);

/**
 * The lock that serialises changes of the dependencies in a workspace, so that two concurrent changes cannot form a
 * cycle.
 */
export function dependenciesLock({ ownerId, projectId }: Workspace): LockKey {
  return { ownerId, name: `dependencies:${projectId}` };
}

/**
 * The rows of a todo's new dependencies. Must hold `dependenciesLock`. `validation_failed` also if the todo would
 * depend on itself.
 */
async function dependenciesOf(
  transaction: RecordTransaction,
  workspace: Workspace,
  todo: OwnedRow,
  named: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(named)];
  const rows = await todosNamed(transaction, workspace, ids);
  const [circular] = await transaction.workspace.dependingOn(todo, rows);
  if (circular === undefined) return rows;
  const place = named.indexOf(ids[rows.indexOf(circular)] as string);
  throw invalid(["depends_on", place], "must not be this todo or one that depends on it");
}

/** The rows of these todos, in order and each once. `validation_failed` if one is not a todo of the workspace. */
async function todosNamed(
  transaction: RecordTransaction,
  workspace: Workspace,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return [];
  const rows = await transaction.workspace.todosNamed(workspace, named);
  const unknown = named.findIndex((id) => !rows.has(id));
  if (unknown !== -1) {
    throw invalid(["depends_on", unknown], "must be a todo of this workspace that this credential sees");
  }
  return [...new Set(named.map((id) => rows.get(id) as string))];
}
