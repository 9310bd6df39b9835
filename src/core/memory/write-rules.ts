/**
 * Steps that every write goes through, in this order: take its locks, read the memory again and compare it with the
 * caller's expectation, and check that the owner's storage limit or quarantine has room.
 */

import { tagsOf } from "../../contract/memory-members.ts";
import { type Caller, invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import { areOwnersBounded, type StorageLimits, type Usage } from "../limits/storage-limits.ts";
import type { MemoryRecord, NewMemory, SeenMemory } from "./memory-record.ts";
import type { LockKey, MemoryStore, MemoryTransaction, Which } from "./memory-store.ts";
import { etagOf } from "./present.ts";

/**
 * Takes the locks of a write. If an owner's storage is limited (a quarantine's always is), all its writes are
 * serialised, so that the limit is exact. This also keeps writes of a temporary agent from racing with its binding,
 * which takes the same lock. `growing`: owners whose storage grows, besides the owners of the keys.
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
 * Returns the memory with that id, locked, after taking the locks that `locksOf` names for it. Advisory locks come
 * before row locks everywhere, so the memory is first read without a lock. `locksOf` throws if the operation is not
 * allowed, before any lock is taken.
 *
 * If a concurrent change means that other locks are needed, they are taken as well. That violates the lock order; if it
 * causes a deadlock, the whole transaction is retried.
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
 * Rejects with `precondition_failed` if `If-Match` was given and does not match the memory's state (RFC 9110, 13.1.1).
 * Uses strong comparison: a weak tag never matches.
 */
export function requireMatch(ifMatch: string | null | undefined, memory: MemoryRecord): void {
  if (!ifMatch || ifMatch === "*" || tagsOf(ifMatch).includes(etagOf(memory))) return;
  throw new DomainError(
    "precondition_failed",
    `The ${memory.workspaceItem ?? "memory"} has changed since it was read: read it again, then decide.`,
  );
}

/** Quota of an unbound agent. The bytes include metadata, provenance and earlier versions. */
export const QUARANTINE_MEMORIES_MAX = 200;
export const QUARANTINE_BYTES_MAX = 1024 * 1024;

type Kept = Pick<NewMemory, "content" | "metadata" | "provenance">;

/** The storage growth that a write causes, and its owner. */
interface Growth {
  readonly ownerId: string;
  readonly memories: number;
  readonly growth: readonly Kept[];
  /** The memories that it replaces. */
  readonly instead?: readonly Kept[];
}

/**
 * Rejects with `quota_exceeded` if a limit would be exceeded: of the quarantine, of all quarantines of the same
 * network, or the operator's limit for owners. Rejects with `invalid_token` if the agent is no longer in quarantine.
 * Costs nothing if there is no limit. Call it after `lockForWrite`.
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
 * True if there certainly is room for all of these together, so that `requireRoom` need not be called for each. Always
 * false for a quarantine: each of its writes is checked alone, since other quarantines may have to be deleted for it.
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

/** True if the caller's writes count against a quarantine, so that each write needs a check for room. */
export function isQuarantined(caller: Caller): boolean {
  return caller.tokenKind === "agent_temporary";
}

/**
 * True if the caller's quarantine is full, so that a new memory can be rejected before its text is processed. Costs
 * nothing for other credentials. `requireRoom` makes the final decision.
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
    throw quarantineIsFull("The temporary agents of this network have reached their storage limit.");
  if (used === "all")
    throw quarantineIsFull("The temporary agents of this service have reached their storage limit.");
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

/** The owner's exhausted limit in words, such as "100 memories"; null if there is room. */
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
    `There is no more room: this owner may store ${what}. Permanently delete what is not needed (mode hard_delete), or ask the operator to raise the limit.`,
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
