import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { requireChangeable, requireOrdinary } from "./access.ts";
import { findLocked } from "./find-locked.ts";
import { factLocks } from "./identity.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import { isLive, statusAt } from "./memory-status.ts";
import type { MemoryTransaction } from "./memory-store.ts";
import { requireMatch } from "./precondition.ts";
import { requireRoom } from "./quarantine.ts";
import { succeededByKey } from "./supersession.ts";

/**
 * Brings a soft-deleted memory back to what it was. It comes back `superseded` where another memory holds its fact by
 * now, and is answered as `expired` where its time has run out. `not_restorable` for what is not soft-deleted.
 */
export async function restoreMemory(
  ports: Pick<Ports, "store" | "clock">,
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
  ports: Pick<Ports, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  besides: MemoryChange = {},
): Promise<MemoryRecord> {
  if (memory.status !== "soft_deleted") {
    throw new DomainError(
      "not_restorable",
      `Only what is soft-deleted can be restored; this is ${memory.status}.`,
    );
  }
  // Each deletion with a reason has kept a version.
  await requireRoom(caller, transaction, { memories: 0, growth: [] });
  const now = ports.clock();
  const change = await restored(transaction, memory, now);
  return transaction.change(
    memory,
    { ...change, ...besides, restoreStatus: null, updatedAt: now },
    { operation: "restore", keepVersion: false },
  );
}

async function restored(
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  now: number,
): Promise<MemoryChange> {
  const status = memory.restoreStatus ?? "active";
  const back = { ...memory, status };
  if (!isLive(back, now) || memory.semanticKey === null) return { status };
  const { sameKey } = await transaction.existing({ ...back, updatedAt: now }, { dedupe: false });
  const [holder] = sameKey
    .filter((other) => other.memory.id !== memory.id)
    .sort((a, b) => (b.memory.expiresAt ?? Infinity) - (a.memory.expiresAt ?? Infinity));
  return holder ? succeededByKey(back, holder.memory, now) : { status };
}
