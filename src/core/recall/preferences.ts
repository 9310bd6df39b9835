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
type Preference = (typeof SIGNALS)[number];

/** Whether a signal is a preference of the request, not a measure of how well a memory matches. */
export function isPreference(signal: string): boolean {
  return (SIGNALS as readonly string[]).includes(signal);
}

/** The request's own preferences, as additional signals of a hit. */
export function preferences(
  caller: Pick<Caller, "attribution">,
  memory: MemoryRecord,
  ask: { prefersWorking: boolean; timeRange: TimeRange | null },
): Partial<Record<Preference, number>> {
  const happened = memory.occurredAt ?? memory.createdAt;
  const { timeRange } = ask;
  const isInRange = timeRange !== null && isWithin(timeRange, happened);
  return {
    ...(ask.prefersWorking && memory.memoryType === WORKING ? { working: PREFERENCE } : {}),
    ...(sessionRelation(caller, memory) === "own" ? { own_session: OWN_SESSION } : {}),
    ...(isInRange ? { time_range: PREFERENCE } : {}),
  };
}
