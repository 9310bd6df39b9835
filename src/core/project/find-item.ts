import { lockForWrite } from "../agent/quarantine.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { requireChangeable } from "../memory/access.ts";
import type { SeenMemory, WorkspaceItem } from "../memory/memory-record.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import { requireMatch } from "../memory/precondition.ts";

/**
 * The row of a todo or decision that is to be changed, locked: whoever comes second sees what the first has done.
 * `not_found` in another project too; `role_forbidden`, `precondition_failed`.
 */
export async function lockItem(
  caller: Caller,
  transaction: MemoryTransaction,
  item: WorkspaceItem,
  named: { projectId: string; id: string; ifMatch: string | null | undefined },
): Promise<SeenMemory> {
  await lockForWrite(caller, transaction, []);
  const seen = await transaction.findForChange(named.id);
  const isIt = seen?.memory.workspaceItem === item && seen.memory.projectId === named.projectId;
  if (!seen || !isIt) throw notFound(item);
  requireChangeable(caller, seen);
  requireMatch(named.ifMatch, seen.memory);
  return seen;
}
