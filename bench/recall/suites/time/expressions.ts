import type { Random } from "../../../../test/support/random.ts";
import { type Day, type Days, day, mondayOf, monthOf, partsOf, quarterOf, yearOf } from "./calendar.ts";

/** An expression of time as used on some day, and the days that it means. An end that is open is infinite. */
export interface Expression {
  readonly words: string;
  readonly days: Days;
}

type Form = (today: Day, random: Random) => Expression;

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const SEASONS = ["spring", "summer", "autumn", "winter"];
const COUNTS = ["two", "three", "four", "five", "six"];

const always = (words: string, days: (today: Day) => Days): Form => {
  return (today) => ({ words, days: days(today) });
};

/** The last day before today that is this day of the week. */
const lastWeekday = (today: Day, weekday: number): Day =>
  today - ((partsOf(today).weekday - weekday + 6) % 7) - 1;

/** The last month of that name that has begun. */
const lastMonth = (today: Day, month: number): Days => {
  const now = partsOf(today);
  const year = now.year - Number(month > now.month);
  return [day(year, month), day(year, month + 1)];
};

/** The last season of that name that has begun, in the northern half of the world. */
const lastSeason = (today: Day, season: number): Days => {
  const { year } = partsOf(today);
  const first = 2 + 3 * season;
  const of = year - Number(day(year, first) > today);
  return [day(of, first), day(of, first + 3)];
};

const weekday =
  (before: string, days: (at: Day, today: Day) => Days): Form =>
  (today, random) => {
    const at = random.below(7);
    return { words: `${before} ${WEEKDAYS[at]}`, days: days(lastWeekday(today, at), today) };
  };
const month =
  (before: string, days: (month: Days, today: Day) => Days): Form =>
  (today, random) => {
    const at = random.below(12);
    return { words: `${before} ${MONTHS[at]}`, days: days(lastMonth(today, at), today) };
  };
const season =
  (before: string, days: (season: Days, today: Day) => Days): Form =>
  (today, random) => {
    const at = random.below(4);
    return { words: `${before} ${SEASONS[at]}`, days: days(lastSeason(today, at), today) };
  };
/** A day of this year or the last one, written out. */
const date =
  (before: string, days: (at: Day, today: Day) => Days): Form =>
  (today, random) => {
    const at = today - 20 - random.below(300);
    const { year, month: of, date: dayOfMonth } = partsOf(at);
    const forms = [
      `${dayOfMonth} ${MONTHS[of]} ${year}`,
      `${MONTHS[of]} ${dayOfMonth}, ${year}`,
      new Date(at * 86_400_000).toISOString().slice(0, 10),
    ];
    return { words: `${before} ${random.pick(forms)}`, days: days(at, today) };
  };

/** By kind. */
export const CALENDAR: Readonly<Record<string, readonly Form[]>> = {
  day: [
    always("yesterday", (today) => [today - 1, today]),
    always("today", (today) => [today, today + 1]),
    always("the day before yesterday", (today) => [today - 2, today - 1]),
    (today, random) => {
      const at = random.below(5);
      return { words: `${COUNTS[at]} days ago`, days: [today - at - 2, today - at - 1] };
    },
  ],
  weekday: [
    weekday("on", (at) => [at, at + 1]),
    weekday("last", (at) => [at, at + 1]),
    always("last weekend", (today) => [lastWeekday(today, 0) - 1, lastWeekday(today, 0) + 1]),
  ],
  week: [
    always("last week", (today) => [mondayOf(today) - 7, mondayOf(today)]),
    always("this week", (today) => [mondayOf(today), today + 1]),
    always("in the previous week", (today) => [mondayOf(today) - 7, mondayOf(today)]),
  ],
  month: [
    always("last month", (today) => monthOf(today, -1)),
    always("this month", (today) => [monthOf(today, 0)[0], today + 1]),
    month("in", (days) => days),
    month("during", (days) => days),
    (today, random) => {
      const at = random.below(12);
      const year = partsOf(today).year - 1 - random.below(2);
      return { words: `in ${MONTHS[at]} ${year}`, days: [day(year, at), day(year, at + 1)] };
    },
  ],
  "quarter and season": [
    always("last quarter", (today) => quarterOf(today, -1)),
    season("in", (days) => days),
    season("during the", (days) => days),
  ],
  year: [
    always("last year", (today) => yearOf(today, -1)),
    always("this year", (today) => [yearOf(today, 0)[0], today + 1]),
    (today, random) => {
      const year = partsOf(today).year - 1 - random.below(3);
      return { words: `in ${year}`, days: [day(year, 0), day(year + 1, 0)] };
    },
  ],
  rolling: [
    (today, random) => {
      const at = random.below(5);
      return { words: `in the last ${COUNTS[at]} days`, days: [today - at - 2, today + 1] };
    },
    (today, random) => {
      const at = random.below(5);
      return { words: `over the past ${COUNTS[at]} weeks`, days: [today - 7 * (at + 2), today + 1] };
    },
  ],
  since: [
    month("since", ([first]) => [first, Number.POSITIVE_INFINITY]),
    season("since", ([first]) => [first, Number.POSITIVE_INFINITY]),
    weekday("since", (at) => [at, Number.POSITIVE_INFINITY]),
    date("since", (at) => [at, Number.POSITIVE_INFINITY]),
    always("since last month", (today) => [monthOf(today, -1)[0], Number.POSITIVE_INFINITY]),
    always("since yesterday", (today) => [today - 1, Number.POSITIVE_INFINITY]),
  ],
  "before, until": [
    month("before", ([first]) => [Number.NEGATIVE_INFINITY, first]),
    season("before the", ([first]) => [Number.NEGATIVE_INFINITY, first]),
    date("before", (at) => [Number.NEGATIVE_INFINITY, at]),
    date("until", (at) => [Number.NEGATIVE_INFINITY, at + 1]),
    always("before last month", (today) => [Number.NEGATIVE_INFINITY, monthOf(today, -1)[0]]),
  ],
  after: [
    (today, random) => {
      const at = random.below(12);
      const [first, end] = lastMonth(today, at);
      const { year } = partsOf(first);
      return {
        words: `after ${MONTHS[at]}`,
        days: [end <= today ? end : day(year - 1, at + 1), Number.POSITIVE_INFINITY],
      };
    },
    date("after", (at) => [at + 1, Number.POSITIVE_INFINITY]),
  ],
};

/** Days that end or begin a week, a month, a quarter or a year, the 29th of February, and some in between. */
export const ASKED_ON: readonly Day[] = [
  day(2025, 11, 31),
  day(2026, 0, 1),
  day(2026, 0, 31),
  day(2026, 1, 28),
  day(2024, 1, 29),
  day(2024, 2, 1),
  day(2026, 2, 29),
  day(2026, 2, 31),
  day(2026, 3, 1),
  day(2026, 4, 13),
  day(2026, 5, 7),
  day(2026, 5, 8),
  day(2026, 8, 30),
  day(2026, 9, 1),
  day(2026, 9, 25),
  day(2026, 10, 1),
];
