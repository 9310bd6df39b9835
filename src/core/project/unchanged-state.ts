import type { Caller } from "../caller.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import { actorOf } from "./actor.ts";
import type { WorkspaceEvent } from "./workspace-store.ts";

/** A line in the audit trail of a todo or decision for what leaves its state as it is. */
export async function recordUnchangedState(
  caller: Caller,
  transaction: RecordTransaction,
  memory: Pick<MemoryRecord, "id" | "workspaceItem" | "itemStatus">,
  line: Pick<WorkspaceEvent, "at" | "operation" | "note">,
): Promise<void> {
  const status = memory.itemStatus ?? (await keptStatus(transaction, memory));
  const event = { ...line, from: status, to: status, actor: actorOf(caller) };
  await transaction.workspace.record(memory.id, event);
}

/** The status that what is deleted or redacted keeps, though its memory has none. */
async function keptStatus(
  { workspace }: RecordTransaction,
  { id, workspaceItem }: Pick<MemoryRecord, "id" | "workspaceItem">,
): Promise<string> {
  const { state } = workspaceItem === "todo" ? await workspace.todo(id) : await workspace.decision(id);
  return state.status;
}
