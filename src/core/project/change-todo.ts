import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import { acceptorOf, actorOf } from "./actor.ts";
import { lockItem } from "./find-item.ts";
import { presentTodo } from "./present.ts";
import { recalledTodo } from "./recalled.ts";
import { nextTodo, type TodoAction } from "./todo-status.ts";
import { changeItem, type ItemPorts } from "./write-item.ts";

interface OfTodo {
  readonly project_id: string;
  readonly todo_id: string;
  readonly if_match?: string | null | undefined;
}

/** Takes the todo on. `already_accepted`, `assigned_to_other`; else as every change of a todo (see `changeTodo`). */
export function acceptTodo(ports: ItemPorts, caller: Caller, input: OfTodo) {
  return changeTodo(ports, caller, input, () => ({ operation: "accept", by: acceptorOf(caller) }));
}

/** Gives the todo to an agent, whoever had it before. */
export function assignTodo(ports: ItemPorts, caller: Caller, input: OfTodo & { assignee_agent_id: string }) {
  return changeTodo(ports, caller, input, ({ assignee_agent_id }) => ({
    operation: "assign",
    assignee: assignee_agent_id,
  }));
}

/** Takes the todo out of work, with the reason. */
export function blockTodo(ports: ItemPorts, caller: Caller, input: OfTodo & { reason: string }) {
  return changeTodo(ports, caller, input, ({ reason }) => ({ operation: "block", reason }));
}

/** Lets the todo go on as it was before it was blocked. */
export function unblockTodo(ports: ItemPorts, caller: Caller, input: OfTodo) {
  return changeTodo(ports, caller, input, () => ({ operation: "unblock" }));
}

/** Ends the todo as done. `dependency_incomplete` while a todo that it depends on is unfinished. */
export function completeTodo(
  ports: ItemPorts,
  caller: Caller,
  input: OfTodo & { note?: string | null | undefined },
) {
  return changeTodo(ports, caller, input, ({ note = null }, at) => ({
    operation: "complete",
    note,
    at,
  }));
}

/** Ends the todo as not to be done. */
export function cancelTodo(
  ports: ItemPorts,
  caller: Caller,
  input: OfTodo & { reason?: string | null | undefined },
) {
  return changeTodo(ports, caller, input, ({ reason = null }, at) => ({
    operation: "cancel",
    note: reason,
    at,
  }));
}

/**
 * One step of a todo: its state, the memory that recall finds it by and the audit line change together, or nothing does.
 * A step that changes nothing writes nothing. `not_found`, `role_forbidden`, `precondition_failed`, `invalid_transition`.
 */
async function changeTodo<T extends OfTodo>(
  ports: ItemPorts,
  caller: Caller,
  asked: T,
  toAction: (input: T, now: number) => TodoAction,
) {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const { memory } = await lockItem(caller, transaction, "todo", {
      projectId: input.project_id,
      id: input.todo_id,
      ifMatch: input.if_match,
    });
    const { workspace } = transaction;
    // Once the row is ours: the trail's times rise.
    const now = ports.clock();
    const action = toAction(input, now);
    const before = await workspace.todo(memory.id);
    const state = nextTodo(before.state, action);
    if (state === before.state) return presentTodo(caller, before);
    if (action.operation === "complete") await requireNothingUnfinished(transaction, memory.id);
    const operation = `todo_${action.operation}`;
    await changeItem(ports, caller, transaction, memory, { operation, now, ...recalledTodo(state) });
    await workspace.saveTodo(memory.id, state);
    await workspace.record(memory.id, {
      at: now,
      operation: action.operation,
      from: before.state.status,
      to: state.status,
      actor: actorOf(caller),
      note: noteOf(action),
    });
    const after = await workspace.todo(memory.id);
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

async function requireNothingUnfinished(transaction: RecordTransaction, id: string): Promise<void> {
  const { ids, count } = await transaction.workspace.unfinished(id);
  if (count === 0) return;
  const hidden = count - ids.length;
  const others = hidden > 0 ? [`${hidden} that this credential does not see`] : [];
  throw new DomainError(
    "dependency_incomplete",
    `It depends on unfinished todos: ${[...ids, ...others].join(", ")}.`,
  );
}
