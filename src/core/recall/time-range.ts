import type { Days } from "../../recall/language/calendar.ts";
import type { AskedTime } from "../../recall/language/times.ts";
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
 * Converts an expression of time, such as "yesterday" or "since Monday", to whole calendar days in the asker's time zone,
 * relative to the time of asking. null if the days depend on an event, or if only an order is asked for.
 */
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
