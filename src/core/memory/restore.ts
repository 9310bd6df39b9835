import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import { requireChangeable, requireOrdinary } from "./access.ts";
import { factLocks } from "./identity.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import type { MemoryPorts, MemoryTransaction } from "./memory-store.ts";
import { broughtBackAs, statusAt } from "./supersession.ts";
import { findLocked, requireMatch, requireRoom } from "./write-rules.ts";

/**
 * Brings a soft-deleted memory back to what it was. It comes back `superseded` where another memory holds its fact by
 * now, and is answered as `expired` where its time has run out. `not_restorable` for what is not soft-deleted.
 */
export async function restoreMemory(
  ports: Pick<MemoryPorts, "store" | "clock">,
  caller: Caller,
  input: { memory_id: string; if_match?: string | null | undefined },
) {
  return ports.store.transaction(caller, async (transaction) => {
    const named = { memoryId: input.memory_id };
    const seen = await findLocked(caller, transaction, named, (found) => {
      requireChangeable(caller, found);
      requireOrdinary(found.memory);
      requireMatch(input.if_match, found.memory);
      return factLocks([found.memory]);
    });
    if (!seen) throw notFound();
    const memory = await restoreLocked(ports, caller, transaction, seen.memory);
    return { id: memory.memoryId, status: statusAt(memory, ports.clock()) };
  });
}

/**
 * Makes a locked memory that the caller may change what it was before it was soft-deleted, with what its kind needs
 * besides. `not_restorable` for what is not soft-deleted.
 */
export async function restoreLocked(
  ports: Pick<MemoryPorts, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  besides: MemoryChange = {},
): Promise<MemoryRecord> {
  if (memory.status !== "soft_deleted") {
    throw new DomainError(
      "not_restorable",
      `Only a soft-deleted memory can be restored; this one is ${memory.status}.`,
    );
  }
  // Each deletion with a reason has kept a version.
  await requireRoom(caller, transaction, { ownerId: memory.ownerId, memories: 0, growth: [] });
  const now = ports.clock();
  const change = await broughtBackAs(transaction, memory, memory.restoreStatus ?? "active", now);
  return transaction.change(
    memory,
    { ...change, ...besides, restoreStatus: null, updatedAt: now },
    { operation: "restore", keepVersion: false },
  );
}
