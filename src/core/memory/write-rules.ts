/**
 * What every write passes, in this order: its locks are taken, the memory is looked at again and compared with what the
 * caller believes it to be, and a quarantine has room for what it grows by.
 */

import { tagsOf } from "../../contract/memory-members.ts";
import { type Caller, invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import type { MemoryRecord, NewMemory, SeenMemory } from "./memory-record.ts";
import type { LockKey, MemoryTransaction, Which } from "./memory-store.ts";
import { etagOf } from "./present.ts";

/**
 * Takes the locks of a write. A temporary agent's writes come one after the other, so that its quota is exact and none
 * of them slips past its binding, which takes the same lock.
 */
export async function lockForWrite(
  caller: Caller,
  transaction: MemoryTransaction,
  keys: readonly LockKey[],
): Promise<void> {
  if (caller.tokenKind === "agent_temporary") await transaction.lockOwners([caller.owner.id]);
  await transaction.lock(keys);
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

/** What an agent may keep before anybody has bound it. Text counts with metadata, provenance and earlier versions. */
export const QUARANTINE_MEMORIES_MAX = 200;
export const QUARANTINE_BYTES_MAX = 1024 * 1024;

type Kept = Pick<NewMemory, "content" | "metadata" | "provenance">;

/**
 * Refuses with `conflict` what a quarantine has no more room for, and with `invalid_token` a write of an agent that is
 * no longer in quarantine. Costs other credentials nothing. `instead`: what the growth takes the place of. After
 * `lockForWrite`.
 */
export async function requireRoom(
  caller: Caller,
  transaction: MemoryTransaction,
  by: { memories: number; growth: readonly Kept[]; instead?: readonly Kept[] },
): Promise<void> {
  if (caller.tokenKind !== "agent_temporary") return;
  const usage = await transaction.quarantineUsage();
  if (usage === null) throw invalidToken();
  const bytes = usage.bytes + total(by.growth) - total(by.instead ?? []);
  if (usage.memories + by.memories <= QUARANTINE_MEMORIES_MAX && bytes <= QUARANTINE_BYTES_MAX) return;
  throw new DomainError(
    "conflict",
    `A temporary agent may keep ${QUARANTINE_MEMORIES_MAX} memories and 1 MiB of text. Ask your user to bind this agent: GET /v1/agents/status has the link.`,
  );
}

const encoder = new TextEncoder();

function total(memories: readonly Kept[]): number {
  return memories.reduce((sum, memory) => sum + bytesOf(memory), 0);
}

function bytesOf({ content, metadata, provenance }: Kept): number {
  return encoder.encode(content + JSON.stringify(metadata) + JSON.stringify(provenance)).length;
}
