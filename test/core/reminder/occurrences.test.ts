/** The occurrences of rules, against another implementation of RFC 5545. */
import fc from "fast-check";
import rrule from "rrule";
import { expect, test } from "vitest";
import { occurrenceAfter } from "../../../src/core/reminder/occurrences.ts";
import { parseRule } from "../../../src/core/reminder/rule.ts";
import { runs } from "../../support/random.ts";

const OCCURRENCES = 12;

function ours(text: string, start: number): string[] {
  const rule = parseRule(text);
  const found: string[] = [];
  let after = start - 1;
  while (found.length < OCCURRENCES) {
    const next = occurrenceAfter(rule, start, after);
    if (next === null) break;
    found.push(onTheClock(next));
    after = next;
  }
  return found;
}

function theirs(text: string, start: number): string[] {
  const options = { ...rrule.RRule.parseString(text), dtstart: new Date(start) };
  return new rrule.RRule(options).all((_, at) => at < OCCURRENCES).map((time) => onTheClock(time.getTime()));
}

const onTheClock = (time: number) => new Date(time).toISOString().slice(0, 19);

const start = fc
  .integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 })
  .map((minutes) => minutes * 60_000);
const interval = fc.integer({ min: 1, max: 5 }).map((every) => (every === 1 ? "" : `;INTERVAL=${every}`));
const count = fc.option(fc.integer({ min: 1, max: 20 })).map((of) => (of === null ? "" : `;COUNT=${of}`));
const weekdays = fc
  .subarray(["MO", "TU", "WE", "TH", "FR", "SA", "SU"], { minLength: 1 })
  .map((days) => `;BYDAY=${days.join(",")}`);
const day = fc.integer({ min: 1, max: 28 });
const nth = fc.tuple(fc.constantFrom(1, 2, 3, 4, -1, -2), fc.constantFrom("MO", "WE", "FR", "SU"));

const rule = fc
  .tuple(
    fc.oneof(
      fc.constant("FREQ=DAILY"),
      fc.constant("FREQ=WEEKLY"),
      weekdays.map((days) => `FREQ=WEEKLY${days}`),
      day.map((of) => `FREQ=MONTHLY;BYMONTHDAY=${of}`),
      fc.constant("FREQ=MONTHLY;BYMONTHDAY=31"),
      fc.constant("FREQ=MONTHLY;BYMONTHDAY=-1"),
      nth.map(([place, name]) => `FREQ=MONTHLY;BYDAY=${place}${name}`),
      weekdays.map((days) => `FREQ=MONTHLY${days};BYSETPOS=-1`),
      fc
        .tuple(fc.integer({ min: 1, max: 12 }), day)
        .map(([month, of]) => `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${of}`),
    ),
    interval,
    count,
  )
  .map((parts) => parts.join(""));

test("ordinary rules have the occurrences that another implementation finds", () => {
  fc.assert(
    fc.property(rule, start, (text, first) => {
      expect(ours(text, first)).toEqual(theirs(text, first));
    }),
    { numRuns: runs(300) },
  );
});
