/**
 * Checks that every write passes, in this order: its locks are taken, the memory is read again and compared with the caller's
 * expectation, and a quarantine has room for its growth.
 */

import { tagsOf } from "../../contract/memory-members.ts";
import { type Caller, invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import { areOwnersBounded, type StorageLimits, type Usage } from "../limits/storage-limits.ts";
import type { MemoryRecord, NewMemory, SeenMemory } from "./memory-record.ts";
import type { LockKey, MemoryStore, MemoryTransaction, Which } from "./memory-store.ts";
import { etagOf } from "./present.ts";

/**
 * Takes the locks of a write. If an owner's storage is bounded (a quarantine's always is), its writes are serialised, so that
 * the bound is exact; and no write of a temporary agent races its binding, which takes the same lock. `growing`: owners whose
 * memories it adds to, besides those of the keys.
 */
export async function lockForWrite(
  caller: Caller,
  transaction: MemoryTransaction,
  keys: readonly LockKey[],
  growing: readonly string[],
): Promise<void> {
  if (isQuarantined(caller)) await transaction.lockOwners([caller.owner.id]);
  else if (areOwnersBounded(transaction.limits))
    await transaction.lockOwners([...growing, ...keys.map(({ ownerId }) => ownerId)]);
  transaction.lock(keys);
}

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
    await lockForWrite(caller, transaction, taken, [found.memory.ownerId]);
    const seen = await transaction.findForChange(memoryId, which);
    if (!seen) return null;
    const needed = await locksOf(seen);
    if (needed.every((key) => taken.some((held) => isSame(key, held)))) return seen;
  }
}

function isSame(a: LockKey, b: LockKey): boolean {
  return a.ownerId === b.ownerId && a.name === b.name;
}

/**
 * Refuses with `precondition_failed` where `If-Match` was given and the memory is not what it names (RFC 9110, 13.1.1).
 * Tags are compared strongly: a weak one is never the memory's.
 */
export function requireMatch(ifMatch: string | null | undefined, memory: MemoryRecord): void {
  if (!ifMatch || ifMatch === "*" || tagsOf(ifMatch).includes(etagOf(memory))) return;
  throw new DomainError(
    "precondition_failed",
    `The ${memory.workspaceItem ?? "memory"} has changed since it was read: read it again, then decide.`,
  );
}

/** An unbound agent's quota. Text counts with metadata, provenance and earlier versions. */
export const QUARANTINE_MEMORIES_MAX = 200;
export const QUARANTINE_BYTES_MAX = 1024 * 1024;

type Kept = Pick<NewMemory, "content" | "metadata" | "provenance">;

/** The growth of a write, and its owner. */
interface Growth {
  readonly ownerId: string;
  readonly memories: number;
  readonly growth: readonly Kept[];
  /** The memories that it replaces. */
  readonly instead?: readonly Kept[];
}

/**
 * Refuses with `quota_exceeded` what there is no more room for: in a quarantine, in those of the same network, or with an
 * owner where the operator has set a bound. With `invalid_token` a write of an agent that is no longer in quarantine.
 * Costs nothing where there is no bound. After `lockForWrite`.
 */
export async function requireRoom(caller: Caller, transaction: MemoryTransaction, by: Growth): Promise<void> {
  if (isQuarantined(caller)) {
    await requireRoomInQuarantine(transaction, usageBy(by));
  } else if (areOwnersBounded(transaction.limits)) {
    const used = usedUp(transaction.limits, await transaction.usage(by.ownerId), usageBy(by));
    if (used !== null) throw ownerIsFull(used);
  }
}

/**
 * Whether there surely is room for all of these together, so that `requireRoom` need not be asked for each. A quarantine's
 * room is always asked for write by write, since others may have to make place for one.
 */
export async function hasRoomForAll(
  caller: Caller,
  transaction: MemoryTransaction,
  memories: readonly NewMemory[],
): Promise<boolean> {
  if (isQuarantined(caller)) return false;
  if (!areOwnersBounded(transaction.limits)) return true;
  for (const ownerId of new Set(memories.map((memory) => memory.ownerId))) {
    const growth = memories.filter((memory) => memory.ownerId === ownerId);
    const by = usageBy({ ownerId, memories: growth.length, growth });
    if (usedUp(transaction.limits, await transaction.usage(ownerId), by) !== null) return false;
  }
  return true;
}

/** Whether what the caller writes counts against a quarantine, so that its room is asked for with each write. */
export function isQuarantined(caller: Caller): boolean {
  return caller.tokenKind === "agent_temporary";
}

/**
 * Whether the caller's quarantine is full: then a new memory is refused before anything is done with its text. Costs
 * other credentials nothing. `requireRoom` has the last word.
 */
export async function isQuarantineFull(store: Pick<MemoryStore, "usage">, caller: Caller): Promise<boolean> {
  if (!isQuarantined(caller)) return false;
  const { memories, bytes } = await store.usage(caller);
  return memories >= QUARANTINE_MEMORIES_MAX || bytes >= QUARANTINE_BYTES_MAX;
}

async function requireRoomInQuarantine(transaction: MemoryTransaction, by: Usage): Promise<void> {
  const usage = await transaction.quarantineUsage();
  if (usage === null) throw invalidToken();
  if (usage.memories + by.memories > QUARANTINE_MEMORIES_MAX || usage.bytes + by.bytes > QUARANTINE_BYTES_MAX)
    throw ownQuarantineIsFull();
  if (by.bytes <= 0) return;
  const used = await transaction.makeRoomForQuarantines(by.bytes);
  if (used === "network")
    throw quarantineIsFull("The temporary agents of this network keep as much as they may.");
  if (used === "all")
    throw quarantineIsFull("The temporary agents of this service keep as much as they may.");
}

export function ownQuarantineIsFull(): DomainError {
  return quarantineIsFull(
    `A temporary agent may keep ${QUARANTINE_MEMORIES_MAX} memories and 1 MiB of text.`,
  );
}

function quarantineIsFull(what: string): DomainError {
  return new DomainError(
    "quota_exceeded",
    `${what} Ask your user to bind this agent: GET /v1/agents/status has the link.`,
  );
}

/** The exhausted limit of an owner, and its value; null if there is room. */
export function usedUp(
  { ownerMemoriesMax, ownerBytesMax }: Pick<StorageLimits, "ownerMemoriesMax" | "ownerBytesMax">,
  usage: Usage,
  by: Usage,
): string | null {
  if (ownerMemoriesMax !== null && by.memories > 0 && usage.memories + by.memories > ownerMemoriesMax)
    return `${ownerMemoriesMax} memories`;
  if (ownerBytesMax !== null && by.bytes >= 0 && usage.bytes + by.bytes > ownerBytesMax)
    return `${ownerBytesMax} bytes of text, metadata and former versions`;
  return null;
}

export function ownerIsFull(what: string): DomainError {
  return new DomainError(
    "quota_exceeded",
    `There is no more room: this owner may keep ${what}. Delete for good what is not needed (mode hard_delete), or ask the operator for more.`,
  );
}

function usageBy({ memories, growth, instead = [] }: Growth): Usage {
  return { memories, bytes: total(growth) - total(instead) };
}

const encoder = new TextEncoder();

function total(memories: readonly Kept[]): number {
  return memories.reduce((sum, memory) => sum + bytesOf(memory), 0);
}

function bytesOf({ content, metadata, provenance }: Kept): number {
  return encoder.encode(content + JSON.stringify(metadata) + JSON.stringify(provenance)).length;
}
