import { MONTHS, WEEKDAYS } from "../../recall/language/dates.ts";
import { dayAt, startOfDay } from "../reminder/wall-clock.ts";

/** The time that a query is about, if it names one. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /** The words it was read from. */
  readonly because: string;
}

/** A range of days with an exclusive end, in days since 1 January 1970. */
type Days = readonly [first: number, end: number];

/** An expression of time, and the days it means when used on the day `today`. */
interface Form {
  readonly pattern: RegExp;
  days(groups: Readonly<Record<string, string | undefined>>, today: number): Days;
}

const UNIT_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  fortnight: 14,
  month: 30,
  quarter: 91,
  year: 365,
};
const COUNT_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  "a an one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, at) => [word, Math.max(1, at - 1)]),
);
const VAGUE = { couple: 2, few: 3, several: 4 } as const;

const COUNT = String.raw`(?<count>\d{1,3}|${Object.keys(COUNT_WORDS).join("|")}|(?:a )?couple(?: of)?|(?:a )?few|several)`;
const UNIT = `(?<unit>${Object.keys(UNIT_DAYS).join("|")})s?`;

const FORMS: readonly Form[] = [
  {
    pattern: form(
      "the day before yesterday|yesterday|last night|(?:earlier )?today|tonight|this (?:morning|afternoon|evening)",
    ),
    days: ({ words = "" }, today) => {
      if (words.startsWith("the day")) return [today - 2, today - 1];
      // "Last night" is still said after midnight, about the same night.
      if (words === "last night") return [today - 1, today + 1];
      return words === "yesterday" ? [today - 1, today] : [today, today + 1];
    },
  },
  {
    pattern: form(`${COUNT} ${UNIT} (?:ago|back)`),
    days: ({ count = "", unit = "" }, today) => {
      const length = UNIT_DAYS[unit] as number;
      const middle = today - countOf(count) * length;
      const around = Math.floor(length / 2);
      return [middle - around, middle + around + 1];
    },
  },
  {
    pattern: form(`(?:last|past|previous) ${COUNT} ${UNIT}`),
    days: ({ count = "", unit = "" }, today) => [
      today - countOf(count) * (UNIT_DAYS[unit] as number),
      today + 1,
    ],
  },
  {
    pattern: form("(?<which>last|previous|past|this) (?<unit>week|month|quarter|year)"),
    days: ({ which, unit = "" }, today) => {
      const length = UNIT_DAYS[unit] as number;
      const isOver = which === "last" || which === "previous";
      return isOver ? [today - 2 * length, today - Math.round(length / 4)] : [today - length, today + 1];
    },
  },
  {
    pattern: form("(?<which>last|previous|past|this) weekend"),
    days: ({ which }, today) => {
      const sunday = which === "this" ? today + ((7 - weekdayOf(today)) % 7) : lastBefore(today, 0);
      return [sunday - 1, sunday + 1];
    },
  },
  {
    pattern: form(`(?<which>last|past|this|on|since) (?<weekday>${WEEKDAYS.join("|")})`),
    days: ({ which, weekday = "" }, today) => {
      const day = lastBefore(today, WEEKDAYS.indexOf(weekday));
      return which === "since" ? [day, today + 1] : [day, day + 1];
    },
  },
  {
    pattern: form(`(?<which>in|during|last|since) (?<month>${MONTHS.join("|")})(?:,? (?<year>\\d{4}))?`),
    days: ({ which, month = "", year }, today) => {
      const now = new Date(today * DAY_MS);
      const at = MONTHS.indexOf(month);
      // Without a year, the last such month that has begun: memories are about the past.
      const of = year === undefined ? now.getUTCFullYear() - Number(at > now.getUTCMonth()) : Number(year);
      const first = dayNumber(of, at);
      return [first, which === "since" ? Math.max(first, today) + 1 : dayNumber(of, at + 1)];
    },
  },
  {
    pattern: form(String.raw`(?<which>in|during|since) (?<year>(?:19|20)\d\d)`),
    days: ({ which, year }, today) => {
      const first = dayNumber(Number(year), 0);
      return [first, which === "since" ? Math.max(first, today) + 1 : dayNumber(Number(year) + 1, 0)];
    },
  },
];

const DAY_MS = 86_400_000;

function form(words: string): RegExp {
  return new RegExp(`\\b(?<words>${words})\\b`, "i");
}

function countOf(words: string): number {
  const vague = Object.entries(VAGUE).find(([word]) => words.includes(word));
  return vague?.[1] ?? COUNT_WORDS[words] ?? Number(words);
}

/** 0 for Sunday. Day 0 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

function lastBefore(today: number, weekday: number): number {
  return today - ((weekdayOf(today) - weekday + 6) % 7) - 1;
}

function dayNumber(year: number, month: number): number {
  const date = new Date(0);
  // Not Date.UTC, which maps years below 100 to the 20th century.
  date.setUTCFullYear(year, month, 1);
  return date.getTime() / DAY_MS;
}

/**
 * The range named by the first expression of time in a query, such as "yesterday", "three weeks ago", "since Monday" or
 * "in March". In whole calendar days of the asker's time zone, relative to the time of asking. Memories of that time
 * are preferred, but no others excluded: people misremember when things happened. English only.
 */
export function timeRangeOf(query: string, askedAt: number, timeZone: string): TimeRange | null {
  const said = firstOf(query);
  if (said === null) return null;
  const groups = Object.fromEntries(
    Object.entries(said.match.groups ?? {}).map(([name, words]) => [name, words?.toLowerCase()]),
  );
  const [first, end] = said.form.days(groups, dayAt(askedAt, timeZone));
  const to = startOfDay(end, timeZone);
  let from = startOfDay(first, timeZone);
  // If the local calendar skips that day, the day before is meant.
  for (let day = first - 1; from >= to; day -= 1) from = startOfDay(day, timeZone);
  return { from, to, because: groups.words ?? "" };
}

/** The form with the earliest match in the text; ties go to the first in the list. */
function firstOf(text: string): { form: Form; match: RegExpExecArray } | null {
  let first: { form: Form; match: RegExpExecArray } | null = null;
  for (const form of FORMS) {
    const match = form.pattern.exec(text);
    if (match !== null && (first === null || match.index < first.match.index)) first = { form, match };
  }
  return first;
}
