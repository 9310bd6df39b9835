import type { Caller } from "../caller.ts";
import { requireChangeable } from "../memory/access.ts";
import type { MemoryChange, WorkspaceItem } from "../memory/memory-record.ts";
import { restoreLocked } from "../memory/restore.ts";
import { requireMatch } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import { lockAnyItem } from "./find-item.ts";
import { presentDecision, presentTodo } from "./present.ts";
import { recalledDecision, recalledTodo } from "./recalled.ts";
import { recordUnchangedState } from "./unchanged-state.ts";

type RestorePorts = Pick<Ports, "store" | "clock">;

interface OfItem {
  readonly project_id: string;
  readonly if_match?: string | null | undefined;
}

/** Brings a soft-deleted todo back as it was, and answers it. `not_restorable` for what is not soft-deleted. */
export function restoreTodo(
  ports: RestorePorts,
  caller: Caller,
  input: OfItem & { readonly todo_id: string },
) {
  return restoreItem(ports, caller, "todo", input.todo_id, input, async ({ workspace }, id) => {
    const todo = await workspace.todo(id);
    return { stands: recalledTodo(todo.state), shown: presentTodo(caller, todo) };
  });
}

/** The same for a decision. */
export function restoreDecision(
  ports: RestorePorts,
  caller: Caller,
  input: OfItem & { readonly decision_id: string },
) {
  return restoreItem(ports, caller, "decision", input.decision_id, input, async ({ workspace }, id) => {
    const decision = await workspace.decision(id);
    return { stands: recalledDecision(decision.state), shown: presentDecision(caller, decision) };
  });
}

async function restoreItem<T>(
  ports: RestorePorts,
  caller: Caller,
  item: WorkspaceItem,
  id: string,
  input: OfItem,
  read: (transaction: RecordTransaction, row: string) => Promise<{ stands: MemoryChange; shown: T }>,
): Promise<T> {
  return ports.store.transaction(caller, async (transaction) => {
    const named = { projectId: input.project_id, id };
    const { memory } = await lockAnyItem(caller, transaction, item, named, (found) => {
      requireChangeable(caller, found);
      requireMatch(input.if_match, found.memory);
      return [];
    });
    const { itemStatus = null, itemAgent = null } = (await read(transaction, memory.id)).stands;
    const besides = memory.restoreStatus === "redacted" ? {} : { itemStatus, itemAgent };
    await restoreLocked(ports, caller, transaction, memory, besides);
    const line = { at: ports.clock(), operation: "restore", note: null };
    await recordUnchangedState(caller, transaction, memory, line);
    return (await read(transaction, memory.id)).shown;
  });
}
