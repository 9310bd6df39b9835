const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("0001-01-03T00:00:00Z");
const LAST_DAY = Date.parse("9999-12-29T00:00:00Z");

/**
 * The local time of a time zone, as milliseconds since the epoch as if it were UTC, so that days can be
 * counted without regard to summer time.
 */
export function wallClockAt(instant: number, timeZone: string): number {
  return instant + offsetAt(instant, timeZone);
}

/**
 * The instant at which the clock shows that time. If clocks repeat the hour, the first one; if they skip it, the time
 * with the offset before the change, as in RFC 5545 (3.3.5).
 */
export function instantOf(wallClock: number, timeZone: string): number {
  const before = offsetAt(wallClock - DAY_MS, timeZone);
  const after = offsetAt(wallClock + DAY_MS, timeZone);
  const earlier = wallClock - before;
  if (offsetAt(earlier, timeZone) === before) return earlier;
  const later = wallClock - after;
  return offsetAt(later, timeZone) === after ? later : earlier;
}

/** The calendar day in the time zone at that instant, in days since 1 January 1970. */
export function dayAt(instant: number, timeZone: string): number {
  return Math.floor(wallClockAt(instant, timeZone) / DAY_MS);
}

/**
 * The first instant of a calendar day in the time zone, given by the day's number. If the clocks skip midnight, the
 * instant of the change; if they skip the whole day, as Samoa once did, the start of the next day.
 */
export function startOfDay(day: number, timeZone: string): number {
  const midnight = day * DAY_MS;
  // At the ends of the calendar, outside all instants that a request can name, offsets do not matter.
  if (midnight <= FIRST_DAY || midnight >= LAST_DAY) return midnight;
  const start = instantOf(midnight, timeZone);
  // If the clocks skip midnight, they already show the day before that instant.
  return dayAt(start - 1, timeZone) < day ? start : firstInstantOf(day, timeZone, start);
}

function firstInstantOf(day: number, timeZone: string, within: number): number {
  let [before, at] = [within - DAY_MS, within];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayAt(middle, timeZone) < day) before = middle;
    else at = middle;
  }
  return at;
}

/** The offset of the time zone from UTC in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const second = Math.floor(instant / 1000) * 1000;
  const parts = formatOf(timeZone).formatToParts(second);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value);
  const shown = new Date(0);
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  shown.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  shown.setUTCHours(part("hour"), part("minute"), part("second"));
  return shown.getTime() - second;
}

/**
 * A cache of one format: creating one takes far longer than using it, and consecutive calls mostly have the same zone.
 */
let known: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (known?.timeZone !== timeZone) {
    const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    known = { timeZone, format };
  }
  return known.format;
}
