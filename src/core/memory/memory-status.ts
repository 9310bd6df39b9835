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

function isPast(instant: number | null, now: number): boolean {
  return instant !== null && instant <= now;
}
