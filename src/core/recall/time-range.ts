import type { Days } from "../../recall/language/calendar.ts";
import { type AskedTime, readTime } from "../../recall/language/times.ts";
import { dayAt, startOfDay } from "../reminder/wall-clock.ts";

/** A range of instants with an exclusive end. An open end is infinite. */
export interface Instants {
  readonly from: number;
  readonly to: number;
}

/** The time that a query is about, if it names one. */
export interface TimeRange extends Instants {
  /** The words it was read from. */
  readonly because: string;
  /** What the words mean more loosely: the last seven days for "last week". */
  readonly loose: Instants | null;
}

/**
 * The range named by the first expression of time in a query, such as "yesterday", "three weeks ago", "since Monday" or
 * "in March". In whole calendar days of the asker's time zone, relative to the time of asking.
 */
export function timeRangeOf(query: string, askedAt: number, timeZone: string): TimeRange | null {
  const time = readTime(query);
  return time === null ? null : rangeOf(time, askedAt, timeZone);
}

/** The same of a query that is read. null if the days depend on an event, or only an order is asked for. */
export function rangeOf({ days, because }: AskedTime, askedAt: number, timeZone: string): TimeRange | null {
  if (days === null) return null;
  const meant = days(dayAt(askedAt, timeZone));
  if (!meant.days.some(Number.isFinite)) return null;
  const { loose } = meant;
  return {
    ...instantsOf(meant.days, timeZone),
    because,
    loose: loose === null ? null : instantsOf(loose, timeZone),
  };
}

export function instantsOf([first, end]: Days, timeZone: string): Instants {
  const to = Number.isFinite(end) ? startOfDay(end, timeZone) : end;
  if (!Number.isFinite(first)) return { from: first, to };
  let from = startOfDay(first, timeZone);
  // If the local calendar skips that day, the day before is meant.
  for (let day = first - 1; from >= to; day -= 1) from = startOfDay(day, timeZone);
  return { from, to };
}

export function isWithin({ from, to }: Instants, instant: number): boolean {
  return instant >= from && instant < to;
}
