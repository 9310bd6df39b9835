import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { UseCase } from "../use-case.ts";
import { requireChangeable, requireOrdinary } from "./access.ts";
import { factLocks } from "./identity.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import type { MemoryPorts, MemoryTransaction } from "./memory-store.ts";
import { broughtBackAs, statusAt } from "./supersession.ts";
import { findLocked, requireMatch, requireRoom } from "./write-rules.ts";

/**
 * Restores a soft-deleted memory to its former status. It becomes `superseded` if another memory states its fact by
 * now, and is returned as `expired` if it has expired. `not_restorable` if it is not soft-deleted.
 */
export const restoreMemory: UseCase<Pick<MemoryPorts, "store" | "clock">, "restoreMemory"> = async (
  ports,
  caller,
  input,
) =>
  ports.store.transaction(caller, async (transaction) => {
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

/**
 * Restores a locked memory to its status before the soft delete. The caller must already be authorised. `besides`:
 * further changes that its kind needs. `not_restorable` if it is not soft-deleted.
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
  // Each deletion with a reason has stored a version, so the storage limit is checked.
  await requireRoom(caller, transaction, { ownerId: memory.ownerId, memories: 0, growth: [] });
  const now = ports.clock();
  const change = await broughtBackAs(transaction, memory, memory.restoreStatus ?? "active", now);
  return transaction.change(
    memory,
    { ...change, ...besides, restoreStatus: null, updatedAt: now },
    { operation: "restore", keepVersion: false },
  );
}
