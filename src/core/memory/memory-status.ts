import { liveStatuses } from "../../contract/memory.ts";
import type { MemoryRecord, StoredStatus } from "./memory-record.ts";

/** What of a memory tells whether it is live. */
type Judged = Pick<MemoryRecord, "status" | "expiresAt" | "supersededStatus" | "supersededUntil">;

/** What a memory says of its successor where it has none. */
export const NOT_SUPERSEDED = {
  supersededBy: null,
  supersededAt: null,
  supersededByKey: false,
  supersededStatus: null,
  supersededUntil: null,
} as const satisfies Partial<MemoryRecord>;

/** True for a stored status that recall treats as live, expiry aside. */
export function isLiveStatus(status: string): boolean {
  return (liveStatuses as readonly string[]).includes(status);
}

/** True where the memory takes part in default recall at that instant. */
export function isLive(memory: Judged, now: number): boolean {
  return isLiveStatus(currentStatus(memory, now)) && !isPast(memory.expiresAt, now);
}

/** The status callers see: `expired` is computed, never stored. */
export function statusAt(memory: Judged, now: number): StoredStatus | "expired" {
  const status = currentStatus(memory, now);
  return isLiveStatus(status) && isPast(memory.expiresAt, now) ? "expired" : status;
}

/**
 * The memory as it stands at that instant: superseded by a fact that held for a time and holds no more, it is again what
 * it was before, and has no successor.
 */
export function asItStands<M extends MemoryRecord>(memory: M, now: number): M {
  return isLiveAgain(memory, now)
    ? { ...memory, status: currentStatus(memory, now), ...NOT_SUPERSEDED }
    : memory;
}

/** Its status at that instant, its own expiry aside. */
function currentStatus(
  memory: Pick<Judged, "status" | "supersededStatus" | "supersededUntil">,
  now: number,
): StoredStatus {
  return isLiveAgain(memory, now) ? (memory.supersededStatus ?? "active") : memory.status;
}

/** True where what superseded it has given way by then. */
function isLiveAgain(memory: Pick<Judged, "status" | "supersededUntil">, now: number): boolean {
  return memory.status === "superseded" && isPast(memory.supersededUntil, now);
}

/** What the column holds: a memory that has changed that often keeps its number. */
const VERSION_MAX = 2_147_483_647;

export function nextVersion(version: number): number {
  return Math.min(VERSION_MAX, version + 1);
}

export function isPast(instant: number | null, now: number): boolean {
  return instant !== null && instant <= now;
}
