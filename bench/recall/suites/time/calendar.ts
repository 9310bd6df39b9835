/** Days since 1 January 1970 in the proleptic Gregorian calendar. */
export type Day = number;

/** A range of days with an exclusive end. */
export type Days = readonly [first: Day, end: Day];

const DAY_MS = 86_400_000;

export const day = (year: number, month: number, date = 1): Day => Date.UTC(year, month, date) / DAY_MS;

export function partsOf(at: Day): { year: number; month: number; date: number; weekday: number } {
  const date = new Date(at * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    date: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

/** The Monday on or before that day. */
export const mondayOf = (at: Day): Day => at - ((partsOf(at).weekday + 6) % 7);

/** The month so many months after that of the day. */
export function monthOf(at: Day, offset: number): Days {
  const { year, month } = partsOf(at);
  return [day(year, month + offset), day(year, month + offset + 1)];
}

export function yearOf(at: Day, offset: number): Days {
  const { year } = partsOf(at);
  return [day(year + offset, 0), day(year + offset + 1, 0)];
}

export function quarterOf(at: Day, offset: number): Days {
  const { year, month } = partsOf(at);
  const first = 3 * (Math.floor(month / 3) + offset);
  return [day(year, first), day(year, first + 3)];
}
