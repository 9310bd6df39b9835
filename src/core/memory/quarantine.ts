import { type Caller, invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import type { NewMemory } from "./memory-record.ts";
import type { LockKey, MemoryTransaction } from "./memory-store.ts";

/** What an agent may keep before anybody has bound it. Text counts with metadata, provenance and earlier versions. */
export const QUARANTINE_MEMORIES_MAX = 200;
export const QUARANTINE_BYTES_MAX = 1024 * 1024;

type Kept = Pick<NewMemory, "content" | "metadata" | "provenance">;

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
