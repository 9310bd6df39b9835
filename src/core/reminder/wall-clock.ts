const DAY_MS = 86_400_000;

/**
 * What the clock on the wall shows in a time zone, as milliseconds since the epoch as if it were UTC: so that days can be
 * counted on it without a thought to summer time.
 */
export function wallClockAt(instant: number, timeZone: string): number {
  return instant + offsetAt(instant, timeZone);
}

/**
 * The instant at which the clock shows that. Of two (the hour that comes twice) the first; where there is none (the hour
 * that is left out) the time by the offset before, as RFC 5545 (3.3.5) has it.
 */
export function instantOf(wallClock: number, timeZone: string): number {
  const before = offsetAt(wallClock - DAY_MS, timeZone);
  const after = offsetAt(wallClock + DAY_MS, timeZone);
  const earlier = wallClock - before;
  if (offsetAt(earlier, timeZone) === before) return earlier;
  const later = wallClock - after;
  return offsetAt(later, timeZone) === after ? later : earlier;
}

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const second = Math.floor(instant / 1000) * 1000;
  const parts = formatOf(timeZone).formatToParts(second);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value);
  const shown = new Date(0);
  // Not Date.UTC, which takes the first hundred years for those of the last century.
  shown.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  shown.setUTCHours(part("hour"), part("minute"), part("second"));
  return shown.getTime() - second;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}
