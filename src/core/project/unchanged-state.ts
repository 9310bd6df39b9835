import type { Caller } from "../caller.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import type { Ports } from "../ports.ts";
import { actorOf } from "./actor.ts";

/** A line in the audit trail of a todo or decision for what leaves its state as it is. */
export async function recordUnchangedState(
  {
    ports,
    caller,
    transaction,
  }: { ports: Pick<Ports, "clock">; caller: Caller; transaction: MemoryTransaction },
  memory: Pick<MemoryRecord, "id" | "workspaceItem" | "itemStatus">,
  { operation, note }: { readonly operation: string; readonly note: string | null },
): Promise<void> {
  const status = memory.itemStatus ?? (await keptStatus(transaction, memory));
  await transaction.workspace.record(memory.id, {
    at: ports.clock(),
    operation,
    from: status,
    to: status,
    actor: actorOf(caller),
    note,
  });
}

/** The status that what is deleted or redacted keeps, though its memory has none. */
async function keptStatus(
  { workspace }: MemoryTransaction,
  { id, workspaceItem }: Pick<MemoryRecord, "id" | "workspaceItem">,
): Promise<string> {
  const { state } = workspaceItem === "todo" ? await workspace.todo(id) : await workspace.decision(id);
  return state.status;
}
