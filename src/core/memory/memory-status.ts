import { liveStatuses } from "../../contract/memory.ts";
import type { MemoryRecord, StoredStatus } from "./memory-record.ts";

/** True for a stored status that recall treats as live, expiry aside. */
export function isLiveStatus(status: string): boolean {
  return (liveStatuses as readonly string[]).includes(status);
}

/** True where the memory takes part in default recall at that instant. */
export function isLive(memory: Pick<MemoryRecord, "status" | "expiresAt">, now: number): boolean {
  return isLiveStatus(memory.status) && !isPast(memory.expiresAt, now);
}

/** The status callers see: `expired` is computed, never stored. */
export function statusAt(
  memory: Pick<MemoryRecord, "status" | "expiresAt">,
  now: number,
): StoredStatus | "expired" {
  return isLiveStatus(memory.status) && isPast(memory.expiresAt, now) ? "expired" : memory.status;
}

/** What the column holds: a memory that has changed that often keeps its number. */
const VERSION_MAX = 2_147_483_647;

export function nextVersion(version: number): number {
  return Math.min(VERSION_MAX, version + 1);
}

function isPast(instant: number | null, now: number): boolean {
  return instant !== null && instant <= now;
}
