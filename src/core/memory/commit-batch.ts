import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import { lockKeys, wordsLock } from "./identity.ts";
import type { LockKey, MemoryPorts, MemoryTransaction } from "./memory-store.ts";
import { askOf, commitWrite, isPlain, type PreparedWrite, type WriteOutcome } from "./remember.ts";
import { hasRoomForAll } from "./write-rules.ts";

/**
 * Writes many prepared memories inside a transaction that holds the locks of their owners. Returns each outcome or
 * error, the same as calling `commitWrite` for one after the other would.
 *
 * One statement finds the writes that no existing memory affects, and one statement inserts them together. All others
 * are written alone, after the writes before them; so is a write that shares a lock with an earlier one of the batch,
 * which may affect it.
 */
export async function commitBatch(
  ports: Pick<MemoryPorts, "clock" | "hash">,
  caller: Caller,
  transaction: MemoryTransaction,
  writes: readonly PreparedWrite[],
): Promise<(WriteOutcome | DomainError)[]> {
  const dependent = writes.filter((write) => !write.isIndependent);
  const free = await transaction.unopposed(
    dependent.filter(isPlain).map((write) => ({ memory: write.memory, ask: askOf(write) })),
  );
  const outcomes: (WriteOutcome | DomainError)[] = [];
  const earlier = new Set<string>();
  let together: PreparedWrite[] = [];

  async function writeTogether(): Promise<void> {
    const writing = together;
    together = [];
    outcomes.push(...(await insertTogether(ports, caller, transaction, writing)));
  }

  for (const write of writes) {
    const isAlone =
      !write.isIndependent &&
      (!free.has(write.memory.id) || write.locks.some((key) => earlier.has(nameOf(key))));
    if (isAlone) {
      await writeTogether();
      outcomes.push(await refusedOr(() => commitWrite(ports, caller, transaction, write)));
    } else together.push(write);
    if (dependent.length > 0) for (const key of locksOfWritten(ports, write)) earlier.add(nameOf(key));
  }
  await writeTogether();
  return outcomes;
}

/** The locks by which a later write may conflict with this one, whether or not this one took them itself. */
function locksOfWritten({ hash }: Pick<MemoryPorts, "hash">, { memory }: PreparedWrite): LockKey[] {
  return [...lockKeys(memory), wordsLock(hash, memory)];
}

async function insertTogether(
  ports: Pick<MemoryPorts, "clock" | "hash">,
  caller: Caller,
  transaction: MemoryTransaction,
  writes: readonly PreparedWrite[],
): Promise<(WriteOutcome | DomainError)[]> {
  const [first, ...others] = writes;
  if (!first) return [];
  const memories = writes.map(({ memory }) => memory);
  if (others.length > 0 && (await hasRoomForAll(caller, transaction, memories))) {
    const written = await transaction.insertAll(writes);
    return writes.map(({ judgement: { taken } }, at): WriteOutcome => {
      const memory = written[at] as (typeof written)[number];
      return { memory, isNew: true, deduplicated: false, superseded: [], notTaken: [], taken };
    });
  }
  const outcomes: (WriteOutcome | DomainError)[] = [];
  for (const write of writes)
    outcomes.push(await refusedOr(() => commitWrite(ports, caller, transaction, write)));
  return outcomes;
}

async function refusedOr<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function nameOf({ ownerId, name }: LockKey): string {
  return `${ownerId}:${name}`;
}
