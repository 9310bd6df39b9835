/** A range of days with an exclusive end, in days since 1 January 1970. An open end is infinite. */
export type Days = readonly [first: number, end: number];

const DAY_MS = 86_400_000;

/** The number of a day. Months from 0; a month or day beyond the year or month counts on. */
export function dayNumber(year: number, month: number, day = 1): number {
  const date = new Date(0);
  // Not Date.UTC, which maps years below 100 to the 20th century.
  date.setUTCFullYear(year, month, day);
  return date.getTime() / DAY_MS;
}

export function yearAndMonth(day: number): { readonly year: number; readonly month: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() };
}

/** 0 for Sunday. Day 0 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The last day before `today` that is this day of the week. */
export function lastWeekday(today: number, weekday: number): number {
  return today - ((weekdayOf(today) - weekday + 6) % 7) - 1;
}

/** Each calendar period, so many periods after the one of `today`. Weeks begin on Monday, weekends on Saturday. */
export const PERIODS = {
  day: (today: number, offset: number): Days => [today + offset, today + offset + 1],
  week: (today: number, offset: number): Days => {
    const monday = today - ((weekdayOf(today) + 6) % 7) + 7 * offset;
    return [monday, monday + 7];
  },
  weekend: (today: number, offset: number): Days => {
    const sunday =
      offset < 0 ? lastWeekday(today, 0) + 7 * (offset + 1) : today + ((7 - weekdayOf(today)) % 7);
    return [sunday - 1, sunday + 1];
  },
  month: (today: number, offset: number) => months(today, offset, 1),
  quarter: (today: number, offset: number) => months(today, offset, 3),
  year: (today: number, offset: number) => months(today, offset, 12),
} as const;

function months(today: number, offset: number, length: number): Days {
  const { year, month } = yearAndMonth(today);
  const first = length * (Math.floor(month / length) + offset);
  return [dayNumber(year, first), dayNumber(year, first + length)];
}

/** The last of the days that each year has which have begun; if `isOver`, which have ended. */
export function lastOfYears(today: number, daysIn: (year: number) => Days, isOver: boolean): Days {
  for (let { year } = yearAndMonth(today); ; year -= 1) {
    const [first, end] = daysIn(year);
    if (isOver ? end <= today : first <= today) return [first, end];
  }
}

/** The nth such weekday of a month. Months from 0, weekdays from 0 for Sunday. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = dayNumber(year, month);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
}

/** The first of the month that is nearest to a day. */
export function nearestMonth(day: number): number {
  const { year, month } = yearAndMonth(day + 15);
  return dayNumber(year, month);
}
