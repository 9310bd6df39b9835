import type { Caller } from "../caller.ts";
import type { SeenMemory } from "./memory-record.ts";
import type { LockKey, MemoryTransaction, Which } from "./memory-store.ts";
import { lockForWrite } from "./quarantine.ts";

interface Named extends Which {
  readonly memoryId: string;
}

/**
 * The memory of that id, locked, and before it what `locksOf` names for it: advisory locks come before row locks
 * everywhere, so the memory is looked at first. `locksOf` refuses what may not be done, before anybody is made to wait.
 *
 * Where the memory was moved or changed meanwhile, so that it needs other locks, they are taken for what it is now. That
 * is out of order, and where it ends in a deadlock the database has the whole transaction tried again.
 */
export async function findLocked(
  caller: Caller,
  transaction: MemoryTransaction,
  { memoryId, ...which }: Named,
  locksOf: (seen: SeenMemory) => readonly LockKey[] | Promise<readonly LockKey[]>,
): Promise<SeenMemory | null> {
  for (;;) {
    const found = await transaction.find(memoryId, which);
    if (!found) return null;
    const taken = await locksOf(found);
    await lockForWrite(caller, transaction, taken);
    const seen = await transaction.findForChange(memoryId, which);
    if (!seen) return null;
    const needed = await locksOf(seen);
    if (needed.every((key) => taken.some((held) => isSame(key, held)))) return seen;
  }
}

function isSame(a: LockKey, b: LockKey): boolean {
  return a.ownerId === b.ownerId && a.name === b.name;
}
