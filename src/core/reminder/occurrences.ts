import type { Rule } from "./rule.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Maximum number of steps from one occurrence to the next, and in total. A step is a day or a skip to a later day. 29
 * February is a Monday every 28 years, which takes a thousand steps.
 */
const STEPS_BETWEEN_MAX = 3000;
const STEPS_MAX = 20_000;
const LAST_DAY = Date.UTC(9999, 11, 31);

/**
 * The first occurrence of a rule after a wall-clock time; null if there is none, or none within the bounded search.
 * `start`: the start of the rule, which COUNT counts from. UNTIL is left to the caller, which knows the time zone.
 * Wall-clock times are milliseconds since the epoch, as if they were UTC.
 */
export function occurrenceAfter(rule: Rule, start: number, after: number): number | null {
  let count = 0;
  for (const occurrence of occurrences(rule, start, rule.count === null ? after : start)) {
    count += 1;
    if (rule.count !== null && count > rule.count) return null;
    if (occurrence > after) return occurrence;
  }
  return null;
}

/** The occurrences from the day of `from` on, in order. */
function* occurrences(rule: Rule, start: number, from: number): Generator<number> {
  const isChosen = chooser(rule, start);
  let day = dayOf(Math.max(start, from));
  let last = 0;
  for (let step = 0; step < STEPS_MAX && step - last < STEPS_BETWEEN_MAX && day <= LAST_DAY; step += 1) {
    const next = nextInPhase(rule, start, day);
    if (next === day) {
      for (const time of isChosen(day) ? timesOn(rule, start, day) : []) {
        last = step;
        if (time >= start) yield time;
      }
      day += DAY_MS;
    } else day = next;
  }
}

/** The day itself if INTERVAL and BYMONTH allow it; otherwise a later day, such that they allow none in between. */
function nextInPhase({ freq, interval, weekStart, byMonth }: Rule, start: number, day: number): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const first = new Date(start);
  const left = (passed: number) => (interval - (passed % interval)) % interval;
  const years = freq === "YEARLY" ? left(year - first.getUTCFullYear()) : 0;
  if (years > 0) return Date.UTC(year + years, 0, 1);
  const months =
    freq === "MONTHLY" ? left(12 * (year - first.getUTCFullYear()) + month - first.getUTCMonth()) : 0;
  if (months > 0) return Date.UTC(year, month + months, 1);
  if (byMonth.length > 0 && !byMonth.includes(month + 1)) return Date.UTC(year, month + 1, 1);
  const week = weekOf(day, weekStart);
  const weeks = freq === "WEEKLY" ? left((week - weekOf(start, weekStart)) / (7 * DAY_MS)) : 0;
  if (weeks > 0) return week + weeks * 7 * DAY_MS;
  return freq === "DAILY" ? day + left((day - dayOf(start)) / DAY_MS) * DAY_MS : day;
}

/**
 * Returns a function that tells whether a day belongs to the rule, including BYSETPOS, whose positions are computed
 * once per month.
 */
function chooser(rule: Rule, start: number): (day: number) => boolean {
  if (rule.bySetPos.length === 0) return (day) => isAmongDays(rule, start, day);
  let chosen: { readonly first: number; readonly days: readonly number[] } | null = null;
  return (day) => {
    const date = new Date(day);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const first = Date.UTC(year, month, 1);
    if (chosen?.first !== first) {
      const all = Array.from({ length: daysIn(year, month) }, (_, at) => first + at * DAY_MS);
      const set = all.filter((one) => isAmongDays(rule, start, one));
      const isPlace = (at: number) =>
        rule.bySetPos.includes(at + 1) || rule.bySetPos.includes(at - set.length);
      chosen = { first, days: set.filter((_, at) => isPlace(at)) };
    }
    return chosen.days.includes(day);
  };
}

/** True if the BY parts allow the day. What they leave open is taken from `start`. BYMONTH must be checked already. */
function isAmongDays(rule: Rule, start: number, day: number): boolean {
  const { freq, byMonth, byMonthDay, byYearDay, byDay } = rule;
  const date = new Date(day);
  const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const fits = (list: readonly number[], place: number, length: number) =>
    list.length === 0 || list.includes(place) || list.includes(place - length - 1);
  if (!fits(byMonthDay, ofMonth, daysIn(year, month))) return false;
  const yearLength = dayOfYear(Date.UTC(year, 11, 31));
  if (!fits(byYearDay, dayOfYear(day), yearLength)) return false;
  if (byDay.length > 0) {
    const isInMonth = freq === "MONTHLY" || byMonth.length > 0;
    return isInMonth
      ? isNamed(byDay, day, ofMonth, daysIn(year, month))
      : isNamed(byDay, day, dayOfYear(day), yearLength);
  }
  if (byMonthDay.length > 0 || byYearDay.length > 0) return true;
  const first = new Date(start);
  if (freq === "WEEKLY") return date.getUTCDay() === first.getUTCDay();
  if (freq === "MONTHLY") return ofMonth === first.getUTCDate();
  if (freq !== "YEARLY") return true;
  return ofMonth === first.getUTCDate() && (byMonth.length > 0 || month === first.getUTCMonth());
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/**
 * True if BYDAY names the day, by its weekday or as the nth such weekday of the month or year. `place`: the day's
 * number in that period; `length`: the number of days in the period.
 */
function isNamed(byDay: readonly string[], day: number, place: number, length: number): boolean {
  const weekday = WEEKDAYS[new Date(day).getUTCDay()] as string;
  return byDay.some((named) => {
    if (!named.endsWith(weekday)) return false;
    const nth = Number(named.slice(0, -2));
    if (nth === 0) return true;
    return nth > 0 ? Math.ceil(place / 7) === nth : Math.ceil((length - place + 1) / 7) === -nth;
  });
}

function timesOn({ freq, interval, byHour, byMinute, bySecond }: Rule, start: number, day: number): number[] {
  const first = new Date(start);
  const rest =
    (byMinute[0] ?? first.getUTCMinutes()) * 60_000 + (bySecond[0] ?? first.getUTCSeconds()) * 1000;
  const passed = (day - dayOf(start)) / HOUR_MS - first.getUTCHours();
  const hours =
    freq === "HOURLY"
      ? Array.from({ length: 24 }, (_, hour) => hour).filter(
          (hour) => (passed + hour) % interval === 0 && (byHour.length === 0 || byHour.includes(hour)),
        )
      : byHour.length > 0
        ? byHour
        : [first.getUTCHours()];
  return hours.map((hour) => day + hour * HOUR_MS + rest + first.getUTCMilliseconds());
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** The first day of the week. */
function weekOf(time: number, weekStart: string): number {
  const day = dayOf(time);
  return day - ((new Date(day).getUTCDay() - WEEKDAYS.indexOf(weekStart) + 7) % 7) * DAY_MS;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function dayOfYear(day: number): number {
  return Math.round((day - Date.UTC(new Date(day).getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}
