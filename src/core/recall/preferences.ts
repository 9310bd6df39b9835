import { WORKING } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { sessionRelation } from "../memory/session.ts";
import { isWithin, type TimeRange } from "./time-range.ts";

/** In the ranker's units (see `WEIGHTS`): as much as a medium signal, so that it decides between near-equal hits. */
export const PREFERENCE = 0.25;
/** As much as the strongest signal: a session's requests are mostly about its own notes. */
export const OWN_SESSION = 0.5;

const SIGNALS = ["working", "own_session", "time_range"] as const;
export type Preference = (typeof SIGNALS)[number];

/**
 * Whether a signal is a preference of the request, not a measure of how well a memory matches. A reranker leaves
 * preferences as they are.
 */
export function isPreference(signal: string): boolean {
  return (SIGNALS as readonly string[]).includes(signal);
}

/** The request's own preferences, as additional signals of a hit; null for most hits, which have none. */
export function preferences(
  caller: Pick<Caller, "attribution">,
  memory: MemoryRecord,
  ask: { prefersWorking: boolean; timeRange: TimeRange | null },
): Partial<Record<Preference, number>> | null {
  const happened = memory.occurredAt ?? memory.createdAt;
  const { timeRange } = ask;
  const isInRange = timeRange !== null && isWithin(timeRange, happened);
  const isWorking = ask.prefersWorking && memory.memoryType === WORKING;
  const isOwnSession = sessionRelation(caller, memory) === "own";
  if (!isWorking && !isOwnSession && !isInRange) return null;
  return {
    ...(isWorking ? { working: PREFERENCE } : {}),
    ...(isOwnSession ? { own_session: OWN_SESSION } : {}),
    ...(isInRange ? { time_range: PREFERENCE } : {}),
  };
}
