import { type Days, dayNumber, nthWeekday } from "./calendar.ts";

const RULE = /^(?:(easter|orthodox)|(\d+)-(?:(\d+)|(sun|mon|tue|wed|thu|fri|sat)(\d)))([+-]\d+)?(?:x(\d+))?$/;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/**
 * The days of a holiday in each year, by its rule: a date `12-31`, `easter` or `orthodox` (Easter Sunday), or the fourth
 * Thursday of November `11-thu4`; then how many days later `easter-2`, and how many days long if not one `easter-2x4`.
 */
export function holidayOf(rule: string): (year: number) => Days {
  const match = RULE.exec(rule);
  if (match === null) throw new Error(`${rule} is no rule of a holiday`);
  const [, easter, month, day, weekday, nth, offset = 0, length = 1] = match;
  const start = (year: number) => {
    if (easter !== undefined) return easter === "easter" ? easterSunday(year) : orthodoxEasterSunday(year);
    if (weekday === undefined) return dayNumber(year, Number(month) - 1, Number(day));
    return nthWeekday(year, Number(month) - 1, WEEKDAYS.indexOf(weekday), Number(nth));
  };
  return (year) => {
    const first = start(year) + Number(offset);
    return [first, first + Number(length)];
  };
}

/** By the Gregorian computus of Meeus, Jones and Butcher. */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return dayNumber(year, 2, 22 + epact + toSunday - 7 * late);
}

/** By the Julian computus of Meeus, in days of the Gregorian calendar. */
function orthodoxEasterSunday(year: number): number {
  const moon = (19 * (year % 19) + 15) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const behind = Math.floor(year / 100) - Math.floor(year / 400) - 2;
  return dayNumber(year, 2, 22 + moon + toSunday + behind);
}
