import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import { requireChangeable } from "../memory/access.ts";
import type { MemoryRecord, SeenMemory, WorkspaceItem } from "../memory/memory-record.ts";
import type { LockKey, MemoryTransaction } from "../memory/memory-store.ts";
import { findLocked, requireMatch } from "../memory/write-rules.ts";

/** How an operation names a todo or decision. */
interface NamedItem {
  readonly projectId: string;
  readonly id: string;
}

/**
 * The row of a todo or decision, locked, whatever has become of it: whoever comes second sees what the first has done.
 * `locksOf` refuses what may not be done, before anybody is made to wait, and names the locks that come before the row's.
 * `not_found` in another project too.
 */
export async function lockAnyItem(
  caller: Caller,
  transaction: MemoryTransaction,
  item: WorkspaceItem,
  { projectId, id }: NamedItem,
  locksOf: (seen: SeenMemory) => readonly LockKey[],
): Promise<SeenMemory> {
  const named = { memoryId: id, item: { kind: item, projectId } };
  const seen = await findLocked(caller, transaction, named, locksOf);
  if (!seen) throw notFound(item);
  return seen;
}

/**
 * The row of a todo or decision that is to be changed, locked, and before it the locks that `locksOf` names. `not_found`
 * for a deleted one too; `role_forbidden`, `precondition_failed`, `conflict` for a redacted one.
 */
export async function lockItem(
  caller: Caller,
  transaction: MemoryTransaction,
  item: WorkspaceItem,
  { ifMatch, ...named }: NamedItem & { ifMatch: string | null | undefined },
  locksOf: (memory: MemoryRecord) => readonly LockKey[] = () => [],
): Promise<SeenMemory> {
  return lockAnyItem(caller, transaction, item, named, (seen) => {
    const { memory } = seen;
    if (memory.status === "soft_deleted") throw notFound(item);
    requireChangeable(caller, seen);
    requireMatch(ifMatch, memory);
    if (memory.status === "redacted")
      throw new DomainError("conflict", `A redacted ${item} cannot be changed.`);
    return locksOf(memory);
  });
}
