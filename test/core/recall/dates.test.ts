/** Full dates in a query, in any form, and how near to them a memory is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dateMatch, namedDates } from "../../../src/recall/language/dates.ts";

const DAY_MS = 86_400_000;
const NAMES = "January February March April May June July August September October November December".split(
  " ",
);
const day = (iso: string) => Date.parse(iso) / DAY_MS;
const datesOf = (text: string) =>
  namedDates(text).dates.map((at) => new Date(at * DAY_MS).toISOString().slice(0, 10));

test.each([
  ["on 2024-01-05?", ["2024-01-05"]],
  ["at 2024-01-05T10:00:00Z", ["2024-01-05"]],
  ["on 2024/1/5", ["2024-01-05"]],
  ["am 5.1.2024", ["2024-01-05"]],
  ["on 03/04/2024", ["2024-04-03", "2024-03-04"]],
  ["on 03-04-2024", ["2024-04-03", "2024-03-04"]],
  ["on 13/04/2024", ["2024-04-13"]],
  ["5 Jan 2024", ["2024-01-05"]],
  ["the 5th of January, 2024", ["2024-01-05"]],
  ["January 5th 2024", ["2024-01-05"]],
  ["Sept. 5, 2024", ["2024-09-05"]],
  ["5-Jan-2024", ["2024-01-05"]],
  ["2024年1月5日", ["2024-01-05"]],
  ["2024년 1월 5일", ["2024-01-05"]],
  ["from 2024-01-05 to 2024-01-07", ["2024-01-05", "2024-01-07"]],
  ["on 30 February 2024", []],
  ["version 1.2.2024.7 of 10.1.2.2024", []],
  ["at 2024-01-055", []],
  ["in January 2024", []],
] as const)("%j names %j", (text, expected) => {
  expect([...datesOf(text)].sort()).toEqual([...expected].sort());
});

const dates = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });

describe("a date is read in each form", () => {
  test.each<readonly [string, (year: string, month: number, day: number) => string]>([
    ["ISO", (year, month, of) => `${year}-${pad(month)}-${pad(of)}`],
    ["with dots", (year, month, of) => `${of}.${month}.${year}`],
    ["with the month's name", (year, month, of) => `${of} ${NAMES[month - 1]} ${year}`],
    ["with its beginning", (year, month, of) => `${NAMES[month - 1]?.slice(0, 3)} ${of}, ${year}`],
    ["with slashes, the day first", (year, month, of) => `${of}/${month}/${year}`],
    ["with slashes, the month first", (year, month, of) => `${month}/${of}/${year}`],
  ])("%s", (_, write) => {
    fc.assert(
      fc.property(dates, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [year, month, of] = iso.split("-") as [string, string, string];
        expect(datesOf(`What was on ${write(year, Number(month), Number(of))}?`)).toContain(iso);
      }),
    );
  });
});

const pad = (number: number) => String(number).padStart(2, "0");

test("a match is 2.3 on the day, and falls with the days before and after it", () => {
  const asked = namedDates("on 2024-01-05?");
  const match = (iso: string) => dateMatch(asked, Date.parse(iso));
  expect(match("2024-01-05T00:00:00Z")).toBe(2.3);
  expect(match("2024-01-05T23:59:59Z")).toBe(2.3);
  expect(match("2024-01-07T12:00:00Z")).toBeCloseTo(2.3 / Math.E, 10);
  expect(match("2024-01-03T12:00:00Z")).toBeCloseTo(2.3 / Math.E, 10);
  expect(match("2023-11-05T12:00:00Z")).toBeLessThan(1e-9);
});

test("a full date loses nothing of what its month and year are worth", () => {
  const asked = namedDates("on 5 January 2024?");
  expect(dateMatch(asked, Date.parse("2024-01-05"))).toBe(2.3);
  expect(dateMatch(asked, Date.parse("2024-01-30"))).toBe(1.3);
  expect(namedDates("on 5 January 2024?").dates).toEqual([day("2024-01-05")]);
});

test("a long message names no dates, since it mentions them in passing", () => {
  expect(namedDates(`2024-01-05 ${"and so on ".repeat(60)}`)).toEqual(namedDates(""));
});
