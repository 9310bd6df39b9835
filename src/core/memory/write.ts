import type { StoreRequest } from "../../contract/memory.ts";
import { type Caller, holds } from "../caller.ts";
import { DomainError } from "../error.ts";
import type { Hash, Ports } from "../ports.ts";
import { type Composed, compose } from "./compose.ts";
import { isMadeBySame, lockKeys } from "./identity.ts";
import type { MemoryRecord, NewMemory } from "./memory-record.ts";
import type { ExistingMemories, LockKey, MemoryTransaction } from "./memory-store.ts";
import { repeated } from "./repeat.ts";
import { type Screened, screen } from "./screen.ts";
import { predecessorsOf, requireLiveTarget, succeededBy, successorLock } from "./supersession.ts";
import { type ChosenVector, chooseVector } from "./vector.ts";
import { requireRoom } from "./write-rules.ts";

export type WritePorts = Pick<Ports, "store" | "embedder" | "clock" | "newId" | "hash" | "secrets">;

/** A write that is ready for its transaction. */
export interface PreparedWrite extends Composed {
  readonly input: StoreRequest;
  readonly masked: Screened<StoreRequest>["masked"];
  readonly dedupe: boolean;
  readonly vector: ChosenVector;
  readonly locks: readonly LockKey[];
  /** Nothing that is stored can bear on it: its id is new, it states no fact and is not compared. */
  readonly standsAlone: boolean;
}

/** What became of a write. */
export interface WriteOutcome {
  readonly memory: MemoryRecord;
  /** False where the memory was there before: the same create again, or a duplicate. */
  readonly isNew: boolean;
  readonly deduplicated: boolean;
  readonly superseded: readonly string[];
  /** Names of the request's members that the memory which was there did not take over. */
  readonly notTaken: readonly string[];
}

/** Everything about a write that needs no transaction: secrets, checks, hashes, the embedding. */
export async function prepareWrite(
  ports: Omit<WritePorts, "store">,
  caller: Caller,
  asked: StoreRequest,
  dedupe: boolean,
): Promise<PreparedWrite> {
  const { input, masked, isContentMasked, ...screened } = screen(ports.secrets, asked);
  const composed = compose(ports, caller, input);
  const notices = [...screened.notices, ...composed.notices];
  const vector = await chooseVector(ports.embedder, input, { content: input.content, isContentMasked });
  const locks = [
    ...lockKeys(composed.memory),
    ...successorLock(composed.memory.ownerId, input.superseded_by),
  ];
  const standsAlone = !(dedupe || input.memory_id || composed.memory.semanticKey || input.superseded_by);
  return {
    ...composed,
    notices,
    masked,
    input,
    dedupe,
    vector,
    standsAlone,
    locks: standsAlone ? [] : locks,
  };
}

const NOTHING: ExistingMemories = {
  idHolder: null,
  duplicate: null,
  factVersion: null,
  sameKey: [],
  waiting: [],
};

/**
 * Writes a prepared memory inside a transaction that holds its locks: answers the same create again and duplicates
 * without writing another, and supersedes the older fact of the same semantic key. It refuses before it writes anything,
 * so that a transaction can go on after a refusal.
 */
export async function commitWrite(
  ports: Pick<Ports, "clock" | "hash">,
  caller: Caller,
  transaction: MemoryTransaction,
  write: PreparedWrite,
): Promise<WriteOutcome> {
  const { memory } = write;
  const around = write.standsAlone ? NOTHING : await transaction.existing(memory, { dedupe: write.dedupe });
  const again = sameCreate(ports.hash, memory, around);
  if (again) return { memory: again, isNew: false, deduplicated: false, superseded: [], notTaken: [] };
  if (around.duplicate) {
    if (!around.duplicate.writable) {
      throw new DomainError("conflict", "An equal memory exists that this credential may not change.");
    }
    return repeat(ports, caller, transaction, around.duplicate.memory, write);
  }
  return insert(ports, caller, transaction, write, around);
}

/** The memory that this very request made before. `memory_id_conflict` where the id holds anything else. */
function sameCreate(hash: Hash, memory: NewMemory, around: ExistingMemories): MemoryRecord | null {
  const holder = around.idHolder;
  if (holder === null) return null;
  const { memory: held, isVisible } = holder;
  if (isVisible && held.status !== "soft_deleted" && isMadeBySame(hash, held, memory)) return held;
  throw new DomainError("memory_id_conflict", "That memory_id is taken by another memory of this owner.");
}

async function insert(
  ports: Pick<Ports, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  write: PreparedWrite,
  around: ExistingMemories,
): Promise<WriteOutcome> {
  const successor = write.input.superseded_by
    ? await requireLiveTarget({ ports, caller, transaction }, write.memory, write.input.superseded_by)
    : null;
  const now = ports.clock();
  // One that is given a successor comes on top of nothing.
  const placed = successor ? { ...write.memory, ...succeededBy(successor.memoryId, now) } : write.memory;
  const { older, version } = predecessorsOf(placed, around, now);
  const draft: NewMemory = { ...placed, version };
  await requireRoom(caller, transaction, {
    memories: 1,
    // What it supersedes is kept once more, as a version.
    growth: [draft, ...older],
  });
  if (older.length > 0)
    await transaction.supersedeByKey({ live: older, waiting: around.waiting }, draft, now);
  const memory = await transaction.insert(draft, write.vector.bytes);
  return {
    memory,
    isNew: true,
    deduplicated: false,
    superseded: older.map(({ memoryId }) => memoryId),
    notTaken: [],
  };
}

/** Adds to the memory that was there what a repeat brings, and answers what of the request it does not have now. */
async function repeat(
  ports: Pick<Ports, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  known: MemoryRecord,
  write: PreparedWrite,
): Promise<WriteOutcome> {
  const { change, saysMore, left } = repeated(known, write.memory, write.input, ports.clock());
  // A former state that is kept stays in the room that it has.
  await requireRoom(caller, transaction, {
    memories: 0,
    growth: [{ ...known, ...change }],
    instead: saysMore ? [] : [known],
  });
  const memory = await transaction.change(known, change, { operation: "deduplicate", keepVersion: saysMore });
  // Which members differ tells of the memory, so only who may read it is told.
  const notTaken = holds(caller, "memory:read") ? left : [];
  return { memory, isNew: false, deduplicated: true, superseded: [], notTaken };
}
