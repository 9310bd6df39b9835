/** A parsed recurrence rule (RFC 5545, 3.3.10). The list of a missing part is empty. */
export interface Rule {
  readonly freq: "HOURLY" | "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  readonly count: number | null;
  /** As written: an instant, a wall-clock time or a date. Inclusive. */
  readonly until: string | null;
  readonly weekStart: string;
  readonly byMonth: readonly number[];
  readonly byMonthDay: readonly number[];
  readonly byYearDay: readonly number[];
  /** `MO`, or the nth of a month or year: `1MO`, `-1FR`. */
  readonly byDay: readonly string[];
  readonly byHour: readonly number[];
  readonly byMinute: readonly number[];
  readonly bySecond: readonly number[];
  readonly bySetPos: readonly number[];
}

/** A rule is invalid, or not supported for reminders. The message names the part and what is wrong with it. */
export class RuleError extends Error {}

const LENGTH_MAX = 500;
const FREQUENCIES = ["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const UNTIL = /^\d{8}(T\d{6}Z?)?$/;
const BY_DAY = /^(-?([1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/;
const BY_DAY_MAX = 35;
/** Minimum, maximum, and maximum number of values of each part. */
const NUMBERS = {
  INTERVAL: [1, 999, 1],
  COUNT: [1, 1000, 1],
  BYMONTH: [1, 12, 12],
  BYMONTHDAY: [-31, 31, 31],
  BYYEARDAY: [-366, 366, 31],
  BYHOUR: [0, 23, 24],
  BYMINUTE: [0, 59, 1],
  BYSECOND: [0, 59, 1],
  BYSETPOS: [-31, 31, 8],
} as const satisfies Record<string, readonly [number, number, number]>;
const OTHERS = ["FREQ", "UNTIL", "WKST", "BYDAY"];

/**
 * Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,TH`, with or without the prefix `RRULE:`, in upper or lower case. Throws
 * a `RuleError` if the text is not a rule, or uses something that reminders do not support: more than one occurrence
 * per hour, or weeks of the year.
 */
export function parseRule(text: string): Rule {
  if (text.length > LENGTH_MAX) throw new RuleError(`must be at most ${LENGTH_MAX} characters`);
  const parts = partsOf(
    text
      .trim()
      .toUpperCase()
      .replace(/^RRULE:/, ""),
  );
  const numbers = (name: keyof typeof NUMBERS) => numbersIn(name, parts.get(name));
  const rule: Rule = {
    freq: frequencyIn(parts.get("FREQ")),
    interval: numbers("INTERVAL")[0] ?? 1,
    count: numbers("COUNT")[0] ?? null,
    until: textIn("UNTIL", parts.get("UNTIL"), UNTIL, "must be a day or time such as 20261231T235959Z"),
    weekStart:
      textIn("WKST", parts.get("WKST"), /^(MO|TU|WE|TH|FR|SA|SU)$/, `must be one of ${DAYS.join(", ")}`) ??
      "MO",
    byMonth: numbers("BYMONTH"),
    byMonthDay: numbers("BYMONTHDAY"),
    byYearDay: numbers("BYYEARDAY"),
    byDay: daysIn(parts.get("BYDAY")),
    byHour: numbers("BYHOUR"),
    byMinute: numbers("BYMINUTE"),
    bySecond: numbers("BYSECOND"),
    bySetPos: numbers("BYSETPOS"),
  };
  requireTogether(rule);
  return rule;
}

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(";")) {
    const [name = "", value, ...rest] = part.split("=");
    if (value === undefined || rest.length > 0)
      throw new RuleError("must be parts such as FREQ=DAILY, separated by ;");
    if (!(name in NUMBERS) && !OTHERS.includes(name)) throw new RuleError(whyNot(name));
    if (parts.has(name)) throw new RuleError(`${name}: must occur only once`);
    parts.set(name, value);
  }
  return parts;
}

function whyNot(name: string): string {
  if (name === "BYWEEKNO")
    return "BYWEEKNO: is not supported; name the days by BYMONTH, BYMONTHDAY, BYYEARDAY or BYDAY";
  return `must consist of FREQ, ${Object.keys(NUMBERS).join(", ")}, UNTIL, WKST and BYDAY`;
}

function frequencyIn(value: string | undefined): Rule["freq"] {
  const freq = FREQUENCIES.find((known) => known === value);
  if (freq) return freq;
  throw new RuleError(
    `FREQ: must be one of ${FREQUENCIES.join(", ")}; a reminder recurs once an hour at most`,
  );
}

function textIn(name: string, value: string | undefined, pattern: RegExp, what: string): string | null {
  if (value === undefined) return null;
  if (!pattern.test(value)) throw new RuleError(`${name}: ${what}`);
  return value;
}

function numbersIn(name: keyof typeof NUMBERS, value: string | undefined): number[] {
  if (value === undefined) return [];
  const [min, max, countMax] = NUMBERS[name];
  const found = value.split(",");
  const numbers = [...new Set(found.map(Number))];
  // 0 is not a valid day or position, but it is a valid hour, minute or second.
  const isOne = (text: string) => /^[+-]?\d{1,4}$/.test(text) && (min >= 0 || Number(text) !== 0);
  const isRight = found.every(isOne) && numbers.every((number) => number >= min && number <= max);
  if (isRight && numbers.length <= countMax) return numbers.sort((a, b) => a - b);
  const many = countMax === 1 ? "a whole number" : `at most ${countMax} whole numbers`;
  throw new RuleError(`${name}: must be ${many} from ${min} to ${max}${min < 0 ? ", not 0" : ""}`);
}

function daysIn(value: string | undefined): string[] {
  if (value === undefined) return [];
  const days = [...new Set(value.split(",").map((day) => day.replace("+", "")))];
  if (days.every((day) => BY_DAY.test(day)) && days.length <= BY_DAY_MAX) return days;
  throw new RuleError("BYDAY: must be days such as MO,TH, or 1MO and -1FR for the first and last of a month");
}

/** Rejects combinations that RFC 5545 forbids or that no reminder needs. */
function requireTogether(rule: Rule): void {
  const { freq, count, until, byDay, byMonthDay, byYearDay, byHour, bySetPos } = rule;
  const isNumbered = byDay.some((day) => day.length > 2);
  const wrong = [
    count !== null && until !== null && "COUNT: cannot be combined with UNTIL",
    freq === "WEEKLY" && byMonthDay.length > 0 && "BYMONTHDAY: cannot be combined with FREQ=WEEKLY",
    freq !== "YEARLY" && byYearDay.length > 0 && "BYYEARDAY: needs FREQ=YEARLY",
    isNumbered &&
      freq !== "MONTHLY" &&
      freq !== "YEARLY" &&
      "BYDAY: a number needs FREQ=MONTHLY or FREQ=YEARLY",
    bySetPos.length > 0 &&
      (freq !== "MONTHLY" || byHour.length > 1) &&
      "BYSETPOS: needs FREQ=MONTHLY, and one hour at most",
  ].find((reason) => reason !== false);
  if (wrong) throw new RuleError(wrong);
}
