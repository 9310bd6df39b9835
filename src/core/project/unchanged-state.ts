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
  { id, workspaceItem }: Pick<MemoryRecord, "id" | "workspaceItem">,
  { operation, note }: { readonly operation: string; readonly note: string | null },
): Promise<void> {
  const { workspace } = transaction;
  const { state } = workspaceItem === "todo" ? await workspace.todo(id) : await workspace.decision(id);
  await workspace.record(id, {
    at: ports.clock(),
    operation,
    from: state.status,
    to: state.status,
    actor: actorOf(caller),
    note,
  });
}
