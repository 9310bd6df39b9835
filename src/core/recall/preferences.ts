import type { Caller } from "../caller.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { sessionRelation, WORKING } from "../memory/session.ts";
import { dayAt, startOfDay } from "../reminder/wall-clock.ts";

/** The time a query is about, as far as it says so. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /** The words it was read from. */
  readonly because: string;
}

/** In the ranker's units (see `WEIGHTS`): as much as a middling signal, so that it decides between near equals. */
const PREFERENCE = 0.25;
/** As much as the strongest signal: what a session noted itself is what its requests are mostly about. */
export const OWN_SESSION = 0.5;

/** What the request itself prefers, as further signals of a hit. */
export function preferences(
  caller: Pick<Caller, "attribution">,
  memory: MemoryRecord,
  ask: { prefersWorking: boolean; timeRange: TimeRange | null },
): Record<string, number> {
  const happened = memory.occurredAt ?? memory.createdAt;
  const { timeRange } = ask;
  const isInRange = timeRange !== null && happened >= timeRange.from && happened < timeRange.to;
  return {
    ...(ask.prefersWorking && memory.memoryType === WORKING ? { working: PREFERENCE } : {}),
    ...(sessionRelation(caller, memory) === "own" ? { own_session: OWN_SESSION } : {}),
    ...(isInRange ? { time_range: PREFERENCE } : {}),
  };
}

const RELATIVE =
  /\b(yesterday|today|(?:last|this) (?:week|month|year)|(\d{1,3}) (day|week|month|year)s? ago)\b/i;
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/**
 * The range that words like "yesterday" or "3 weeks ago" name, in whole calendar days of where the question is asked, counted
 * from when it is asked. It prefers memories of that time and excludes none: people misremember when things were.
 */
export function timeRangeOf(query: string, askedAt: number, timeZone: string): TimeRange | null {
  const match = RELATIVE.exec(query);
  if (!match) return null;
  const words = (match[1] as string).toLowerCase();
  const today = dayAt(askedAt, timeZone);
  const [first, end] = daysOf(words, match);
  const to = startOfDay(today + end, timeZone);
  let from = startOfDay(today + first, timeZone);
  // A day that the calendar there leaves out: the one before it is meant.
  for (let day = first - 1; from >= to; day -= 1) from = startOfDay(today + day, timeZone);
  return { from, to, because: words };
}

/** The first of the days and the one after the last, counted from today. */
function daysOf(words: string, match: RegExpExecArray): readonly [number, number] {
  if (words === "today") return [0, 1];
  if (words === "yesterday") return [-1, 0];
  if (match[2] !== undefined) {
    const unit = UNIT_DAYS[(match[3] as string).toLowerCase()] as number;
    const middle = -Number(match[2]) * unit;
    const around = Math.floor(unit / 2);
    return [middle - around, middle + around + 1];
  }
  const [which, unit] = words.split(" ") as [string, string];
  const days = UNIT_DAYS[unit] as number;
  return which === "last" ? [-2 * days, -Math.round(days / 4)] : [-days, 1];
}
