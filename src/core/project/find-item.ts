import { lockForWrite } from "../agent/quarantine.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import { requireChangeable } from "../memory/access.ts";
import type { SeenMemory, WorkspaceItem } from "../memory/memory-record.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import { requireMatch } from "../memory/precondition.ts";

/** How an operation names a todo or decision. */
export interface NamedItem {
  readonly projectId: string;
  readonly id: string;
}

/**
 * The row of a todo or decision, locked, whatever has become of it: whoever comes second sees what the first has done.
 * `not_found` in another project too.
 */
export async function lockAnyItem(
  caller: Caller,
  transaction: MemoryTransaction,
  item: WorkspaceItem,
  { projectId, id }: NamedItem,
): Promise<SeenMemory> {
  await lockForWrite(caller, transaction, []);
  const seen = await transaction.findForChange(id, { item: { kind: item, projectId } });
  if (!seen) throw notFound(item);
  return seen;
}

/**
 * The row of a todo or decision that is to be changed, locked. `not_found` for a deleted one too; `role_forbidden`,
 * `precondition_failed`, `conflict` for a redacted one.
 */
export async function lockItem(
  caller: Caller,
  transaction: MemoryTransaction,
  item: WorkspaceItem,
  named: NamedItem & { ifMatch: string | null | undefined },
): Promise<SeenMemory> {
  const seen = await lockAnyItem(caller, transaction, item, named);
  const { memory } = seen;
  if (memory.status === "soft_deleted") throw notFound(item);
  requireChangeable(caller, seen);
  requireMatch(named.ifMatch, memory);
  if (memory.status === "redacted")
    throw new DomainError("conflict", `A redacted ${item} cannot be changed.`);
  return seen;
}
