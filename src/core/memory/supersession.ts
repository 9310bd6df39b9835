import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import type { Ports } from "../ports.ts";
import { mayChange } from "./access.ts";
import { idLock } from "./identity.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { isLive } from "./memory-status.ts";
import type { LockKey, MemoryTransaction } from "./memory-store.ts";

/** The lock of the memory that is to be a successor, so that it stays live until the transaction ends. */
export function successorLock(ownerId: string, supersededBy: string | null | undefined): LockKey[] {
  return supersededBy ? [idLock(ownerId, supersededBy)] : [];
}

/** The memory named in `superseded_by`: it must be live, of the same owner, another one, and the caller's to write. */
export async function requireLiveTarget(
  {
    ports,
    caller,
    transaction,
  }: { ports: Pick<Ports, "clock">; caller: Caller; transaction: MemoryTransaction },
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "scope">,
  supersededBy: string,
): Promise<MemoryRecord> {
  const target = await transaction.findForChange(supersededBy, {
    teamId: memory.scope === "team" ? memory.ownerId : null,
  });
  const isUsable =
    target !== null &&
    target.memory.memoryId !== memory.memoryId &&
    target.memory.ownerId === memory.ownerId &&
    mayChange(caller, target) &&
    isLive(target.memory, ports.clock());
  if (isUsable) return target.memory;
  throw invalid(
    ["body", "superseded_by"],
    "must name another live memory of the same owner that this credential may change",
  );
}
