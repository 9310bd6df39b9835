import { wordSet } from "./word-lists.ts";
import * as english from "./words/english.ts";

/** Date parts that a query names. Months 0–11, days 1–31, years in four digits. */
export interface NamedDates {
  readonly months: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
  /** Full dates, as days since 1 January 1970. An ambiguous date is included in each reading. */
  readonly dates: readonly number[];
}

/** A message of this length or more mentions dates only in passing. */
const CHARACTERS_MAX = 400;

/** In lower case, from January on. */
export const MONTHS = [...wordSet(english.MONTHS)];
/** Months that are also plain words need their capital. */
const ALSO_WORDS = wordSet(english.MONTHS_THAT_ARE_WORDS);
/** In lower case, from Sunday on. */
export const WEEKDAYS = [...wordSet(english.WEEKDAYS)];

const DAY_MS = 86_400_000;

/** Reads the dates that a query names. Returns none for a query longer than usual. */
export function namedDates(text: string): NamedDates {
  if (text.length >= CHARACTERS_MAX)
    return { months: new Set(), days: new Set(), years: new Set(), dates: [] };
  const words = new Set(text.match(/[A-Za-z]+/g) ?? []);
  const lower = new Set([...words].map((word) => word.toLowerCase()));
  const named = (month: string) => {
    const capital = month.charAt(0).toUpperCase() + month.slice(1);
    return ALSO_WORDS.has(month) ? words.has(capital) : lower.has(month);
  };
  return {
    months: new Set(MONTHS.flatMap((month, index) => (named(month) ? [index] : []))),
    days: new Set([...text.matchAll(/\b([1-9]\d?)(?:st|nd|rd|th)?\b/g)].map((match) => Number(match[1]))),
    years: new Set([...text.matchAll(/\b(?:19|20)\d\d\b/g)].map((match) => Number(match[0]))),
    dates: fullDates(text),
  };
}

/** Whether a lower-case word is a month or weekday, or short for one. */
export function isCalendarWord(word: string): boolean {
  return [...MONTHS, ...WEEKDAYS].some(
    (name) => name === word || (word.length >= 3 && abbreviates(word, name)),
  );
}

/** Whether a lower-case word is a month, or short for one. */
export function isMonth(word: string): boolean {
  return MONTHS.some(
    (name) => name === word || (word.length >= 3 && word.length <= 4 && name.startsWith(word)),
  );
}

/** `jan`, `sept`, `tues`, `thurs`. */
function abbreviates(word: string, name: string): boolean {
  return word.length <= 5 && name.startsWith(word);
}

const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(\d{4})(?!\d)`;
const BETWEEN = String.raw`[\s.,-]{1,3}`;

/** Each form with the readings of its parts: the order of day (d), month (m) and year (y). */
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?<![\d.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g, ["y_md"]],
  [/(?<![\d.-])(\d{1,2})(\.)(\d{1,2})\.(\d{4})(?!\.?\d)/g, ["d_my"]],
  // Writers from different countries put the day or the month first.
  [/(?<![\d./-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/g, ["d_my", "m_dy"]],
  [/(?<!\d)(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]/g, ["ymd"]],
  [new RegExp(`(?<!\\d)${DAY}(?: of)?${BETWEEN}${MONTH}${BETWEEN}${YEAR}`, "gi"), ["dmy"]],
  [new RegExp(`\\b${MONTH}${BETWEEN}${DAY}${BETWEEN}${YEAR}`, "gi"), ["mdy"]],
];

function fullDates(text: string): number[] {
  const dates = FORMS.flatMap(([form, readings]) =>
    [...text.matchAll(form)].flatMap((match) =>
      readings.flatMap((reading) => {
        const part = (name: string) => match[reading.indexOf(name) + 1] as string;
        return dayOf(Number(part("y")), monthOf(part("m")), Number(part("d"))) ?? [];
      }),
    ),
  );
  return [...new Set(dates)];
}

/** 0–11, from a number or the beginning of a name. Any other result is invalid. */
function monthOf(month: string): number {
  return /\d/.test(month)
    ? Number(month) - 1
    : MONTHS.findIndex((name) => name.startsWith(month.toLowerCase()));
}

/** Days since 1 January 1970; null if the calendar has no such day. */
function dayOf(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month, day));
  const exists = year >= 1000 && date.getUTCMonth() === month && date.getUTCDate() === day;
  return exists ? Math.floor(date.getTime() / DAY_MS) : null;
}

const YEAR_SHARE = 0.3;
/** Score of a match in month, year and day, and therefore of a full date on its exact day. */
const FULL = 2 + YEAR_SHARE;
/** Distance in days at which a full date counts 1/e. Source: recall.md, "Full dates". */
const DECAY_DAYS = 2;

/**
 * How well an instant fits the dates that a query names, 0 to 2.3: 1 for the month, .3 for the year, and 1 more for the
 * day within a matching month. Near a full date at least 2.3 · e^(−days/2), since events are often reported a day or
 * two later. Days are in UTC.
 */
export function dateMatch({ months, days, years, dates }: NamedDates, instant: number): number {
  if (months.size === 0 && years.size === 0 && dates.length === 0) return 0;
  const date = new Date(instant);
  const month = Number(months.has(date.getUTCMonth()));
  const year = Number(years.has(date.getUTCFullYear()));
  const parts = month + YEAR_SHARE * year + month * Number(days.has(date.getUTCDate()));
  if (dates.length === 0) return parts;
  const day = Math.floor(instant / DAY_MS);
  const distance = Math.min(...dates.map((named) => Math.abs(named - day)));
  return Math.max(parts, FULL * Math.exp(-distance / DECAY_DAYS));
}
