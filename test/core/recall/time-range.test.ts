/** Words of time against the calendar that hangs on the asker's wall, as the platform's own date formatting has it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rangeOf, type TimeRange } from "../../../src/core/recall/time-range.ts";
import { holidayOf } from "../../../src/recall/language/holidays.ts";
import { readTime } from "../../../src/recall/language/times.ts";
import { TIMES } from "../../../src/recall/language/words/times.ts";
import { runs } from "../../support/random.ts";

/** The range of the first expression of time in a query. */
function timeRangeOf(query: string, askedAt: number, timeZone: string): TimeRange | null {
  const time = readTime(query);
  return time && rangeOf(time, askedAt, timeZone);
}

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/** Around changes of clocks of every kind: by an hour or half of one, at midnight, over midnight, over a whole day. */
const CHANGES = [
  ["Europe/Berlin", "2026-03-29T01:00:00Z"],
  ["Europe/Berlin", "2026-10-25T01:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["America/Sao_Paulo", "2018-02-18T02:00:00Z"],
  ["Africa/Cairo", "2026-04-23T22:00:00Z"],
  ["Asia/Beirut", "2026-03-28T22:00:00Z"],
  ["America/Havana", "2026-11-01T05:00:00Z"],
  ["America/Toronto", "1919-03-31T04:30:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
  ["Pacific/Kiritimati", "2026-06-01T00:00:00Z"],
  ["Asia/Kathmandu", "2026-06-01T00:00:00Z"],
  ["UTC", "2026-03-29T01:00:00Z"],
] as const;

/** The date there then, such as 2026-03-29. */
function calendarOf(zone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  const known = new Map<number, string>();
  return (instant) => {
    // Clocks change at full quarters.
    const quarter = Math.floor(instant / QUARTER_MS);
    const date = known.get(quarter) ?? format.format(quarter * QUARTER_MS);
    known.set(quarter, date);
    return date;
  };
}

const CALENDARS = new Map(CHANGES.map(([zone]) => [zone as string, calendarOf(zone)]));
const dateAt = (zone: string, instant: number) => (CALENDARS.get(zone) as (at: number) => string)(instant);

const daysFrom = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);

/** An instant within some days of a change, to the quarter of an hour; and the change's zone. */
const asked = fc
  .record({ change: fc.constantFrom(...CHANGES), quarters: fc.integer({ min: -500, max: 500 }) })
  .map(({ change: [zone, at], quarters }) => ({ zone, askedAt: Date.parse(at) + quarters * QUARTER_MS }));

/** Every quarter of an hour of the days around: in the range where its date is one of these, and else not. */
function expectDates(
  { zone, askedAt }: { zone: string; askedAt: number },
  words: string,
  isMeant: (date: string) => boolean,
  around: number,
): void {
  const range = timeRangeOf(`what did we decide ${words}?`, askedAt, zone);
  const first = Math.floor(askedAt / QUARTER_MS) * QUARTER_MS;
  const wrong: string[] = [];
  for (let at = first - around * 24 * HOUR_MS; at < first + 3 * 24 * HOUR_MS; at += QUARTER_MS) {
    const isInRange = range !== null && at >= range.from && at < range.to;
    if (isInRange !== isMeant(dateAt(zone, at))) wrong.push(new Date(at).toISOString());
  }
  expect({ zone, words, askedAt, wrong }).toEqual({ zone, words, askedAt, wrong: [] });
}

/** That day by the calendar, or where the calendar there leaves it out the last one before. */
function lastDayThere({ zone, askedAt }: { zone: string; askedAt: number }, date: string): string {
  const dates = Array.from({ length: 300 }, (_, hours) => dateAt(zone, askedAt - hours * HOUR_MS));
  return dates.find((one) => one <= date) as string;
}

describe("the days that words mean", () => {
  test.each(CHANGES)("yesterday and today, asked around the change of %s at %s", (zone, at) => {
    for (let hours = -50; hours <= 50; hours += 5) {
      const ask = { zone, askedAt: Date.parse(at) + hours * HOUR_MS + 7 };
      const today = dateAt(zone, ask.askedAt);
      const yesterday = lastDayThere(ask, daysFrom(today, -1));
      expectDates(ask, "yesterday", (date) => date === yesterday, 4);
      expectDates(ask, "today", (date) => date === today, 4);
    }
  });

  test("3 days ago is that day by the calendar", () => {
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 6 }), (ask, days) => {
        const meant = lastDayThere(ask, daysFrom(dateAt(ask.zone, ask.askedAt), -days));
        expectDates(ask, `${days} days ago`, (date) => date === meant, 10);
      }),
      { numRuns: runs(60) },
    );
  });

  test.each([
    ["the past week", -7, 0],
    ["the past month", -30, 0],
    ["2 weeks ago", -17, -11],
    ["1 month ago", -45, -15],
  ])("%s is whole days from the %i. to the %i.", (words, first, last) => {
    fc.assert(
      fc.property(asked, (ask) => {
        const today = dateAt(ask.zone, ask.askedAt);
        const [from, to] = [daysFrom(today, first), daysFrom(today, last)];
        expectDates(ask, words, (date) => date >= from && date <= to, 62);
      }),
      { numRuns: 12 },
    );
  });

  test("last and this week are those of the calendar, from Monday", () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const today = dateAt(ask.zone, ask.askedAt);
        const monday = daysFrom(today, -((new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7));
        const lastMonday = daysFrom(monday, -7);
        expectDates(ask, "last week", (date) => date >= lastMonday && date < monday, 20);
        expectDates(ask, "this week", (date) => date >= monday && date < daysFrom(monday, 7), 20);
      }),
      { numRuns: 12 },
    );
  });

  test("last month and last year are those of the calendar", () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const today = dateAt(ask.zone, ask.askedAt);
        const month = daysFrom(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
        expectDates(ask, "last month", (date) => date.slice(0, 7) === month, 70);
        const year = String(Number(today.slice(0, 4)) - 1).padStart(4, "0");
        expectDates(ask, "last year", (date) => date.slice(0, 4) === year, 20);
      }),
      { numRuns: 12 },
    );
  });
});

test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])("asked at %s there is a range too", (at) => {
  for (const words of ["yesterday", "today", "last year", "999 years ago"])
    for (const zone of ["UTC", "Pacific/Apia", "America/New_York"]) {
      const range = timeRangeOf(words, Date.parse(at), zone);
      expect(range?.from).toBeLessThan(range?.to as number);
    }
});

/** A Monday. */
const MONDAY = Date.parse("2026-11-23T08:00:00Z");

test.each([
  ["the day before yesterday", "2026-11-21", "2026-11-22"],
  ["last night", "2026-11-22", "2026-11-24"],
  ["this morning", "2026-11-23", "2026-11-24"],
  ["three days ago", "2026-11-20", "2026-11-21"],
  ["a couple of weeks ago", "2026-11-06", "2026-11-13"],
  ["a few days back", "2026-11-20", "2026-11-21"],
  ["a fortnight ago", "2026-11-02", "2026-11-17"],
  ["in the last two weeks", "2026-11-09", "2026-11-24"],
  ["over the past 3 days", "2026-11-20", "2026-11-24"],
  ["last weekend", "2026-11-21", "2026-11-23"],
  ["this weekend", "2026-11-28", "2026-11-30"],
  ["last Monday", "2026-11-16", "2026-11-17"],
  ["on Friday", "2026-11-20", "2026-11-21"],
  ["since Saturday", "2026-11-21", "2026-11-24"],
  ["in March", "2026-03-01", "2026-04-01"],
  ["in December", "2025-12-01", "2026-01-01"],
  ["in November", "2026-11-01", "2026-12-01"],
  ["in March 2023", "2023-03-01", "2023-04-01"],
  ["since March", "2026-03-01", "2026-11-24"],
  ["in 2023", "2023-01-01", "2024-01-01"],
  ["since 2025", "2025-01-01", "2026-11-24"],
  ["YESTERDAY, or in 2023", "2026-11-22", "2026-11-23"],
  ["last week", "2026-11-16", "2026-11-23"],
  ["the week before last", "2026-11-09", "2026-11-16"],
  ["last month", "2026-10-01", "2026-11-01"],
  ["last quarter", "2026-07-01", "2026-10-01"],
  ["this quarter", "2026-10-01", "2027-01-01"],
  ["last year", "2025-01-01", "2026-01-01"],
  ["at the start of last year", "2025-01-01", "2025-05-01"],
  ["in the first half of the year", "2026-01-01", "2026-07-01"],
  ["in the second half of last year", "2025-07-01", "2026-01-01"],
  ["towards the end of September", "2026-09-21", "2026-10-01"],
  ["in mid-June", "2026-06-11", "2026-06-21"],
  ["early November", "2026-11-01", "2026-11-11"],
  ["at the beginning of the month", "2026-11-01", "2026-11-11"],
  ["in Q3 2025", "2025-07-01", "2025-10-01"],
  ["in the second quarter of last year", "2025-04-01", "2025-07-01"],
  ["on New Year's Eve", "2025-12-31", "2026-01-01"],
  ["at Christmas", "2025-12-24", "2025-12-27"],
  ["at Christmas 2023", "2023-12-24", "2023-12-27"],
  ["on Halloween last year", "2025-10-31", "2025-11-01"],
  ["over Easter", "2026-04-03", "2026-04-07"],
  ["on Good Friday", "2026-04-03", "2026-04-04"],
  ["for Thanksgiving", "2025-11-27", "2025-11-28"],
  ["on Black Friday", "2025-11-28", "2025-11-29"],
  ["since Easter", "2026-04-03", "2026-11-24"],
  ["in the week before Easter Sunday", "2026-03-29", "2026-04-05"],
  ["in the week before her exam on 3 June", "2026-05-27", "2026-06-03"],
  ["с марта по май", "2026-03-01", "2026-06-01"],
  ["two days after Easter Monday", "2026-04-07", "2026-04-09"],
  ["between Christmas and New Year", "2025-12-24", "2026-01-02"],
  ["between Easter Monday 2026-04-06 and 2026-05-01", "2026-04-06", "2026-05-02"],
  ["between the audit on 3 March 2026 and the launch on 1 May", "2026-03-03", "2026-05-02"],
  ["between March and May 2024", "2024-03-01", "2024-06-01"],
  ["from the 3rd to the 9th of August", "2026-08-03", "2026-08-10"],
  ["on August 3-9, 2025", "2025-08-03", "2025-08-10"],
  ["from 28 February to 3 March", "2026-02-28", "2026-03-04"],
  ["since 2 September", "2026-09-02", "2026-11-24"],
  ["since we last spoke on Friday", "2026-11-20", "2026-11-24"],
  ["since our call last Wednesday", "2026-11-18", "2026-11-24"],
  ["since we changed the battery on 2 September", "2026-09-02", "2026-11-24"],
  ["until we moved in March", Number.NEGATIVE_INFINITY, "2026-04-01"],
  ["on Thursday last week", "2026-11-19", "2026-11-20"],
  ["last week on Sunday", "2026-11-22", "2026-11-23"],
  ["on a Monday last month", "2026-10-01", "2026-11-01"],
  ["in March last year", "2025-03-01", "2025-04-01"],
  ["an Silvester", "2025-12-31", "2026-01-01"],
  ["zwischen Ostern und Pfingsten", "2026-04-03", "2026-05-26"],
  ["vom 3. bis 9. August", "2026-08-03", "2026-08-10"],
  ["Ende letzten Jahres", "2025-09-01", "2026-01-01"],
  ["op Koningsdag", "2026-04-27", "2026-04-28"],
  ["à la Toussaint", "2026-11-01", "2026-11-02"],
  ["du 3 au 9 août", "2026-08-03", "2026-08-10"],
  ["en Nochebuena", "2025-12-24", "2025-12-25"],
  ["a Ferragosto", "2026-08-15", "2026-08-16"],
  ["na Páscoa", "2026-04-03", "2026-04-07"],
  ["на Пасху", "2026-04-12", "2026-04-13"],
  ["去年圣诞节", "2025-12-25", "2025-12-26"],
  ["in spring", "2026-03-01", "2026-06-01"],
  ["last autumn", "2025-09-01", "2025-12-01"],
  ["this autumn", "2026-09-01", "2026-12-01"],
  ["since the spring", "2026-03-01", "2026-11-24"],
  ["since 2026-05-03", "2026-05-03", "2026-11-24"],
  ["after 3 May 2026", "2026-05-04", "2026-11-24"],
  ["after March", "2026-04-01", "2026-11-24"],
  ["between March and May", "2026-03-01", "2026-06-01"],
  ["from June onwards", "2026-06-01", "2026-11-24"],
  ["gestern", "2026-11-22", "2026-11-23"],
  ["letzten Monat", "2026-10-01", "2026-11-01"],
  ["vor zwei Tagen", "2026-11-21", "2026-11-22"],
  ["seit März", "2026-03-01", "2026-11-24"],
  ["la semaine dernière", "2026-11-16", "2026-11-23"],
  ["depuis l’été", "2026-06-01", "2026-11-24"],
  ["hace tres días", "2026-11-20", "2026-11-21"],
  ["上个月", "2026-10-01", "2026-11-01"],
  ["בשבוע שעבר", "2026-11-16", "2026-11-23"],
])("%s, asked on a Monday, is from %s until %s", (words, from, to) => {
  const range = timeRangeOf(`what did we decide ${words}?`, MONDAY, "UTC");
  expect(range).toMatchObject({
    from: typeof from === "number" ? from : Date.parse(from),
    to: Date.parse(to),
  });
  expect(words.toLowerCase().replaceAll("’", "'")).toContain(range?.because);
});

test.each([
  ["before March", "2026-03-01"],
  ["until 3 May 2026", "2026-05-04"],
  ["by the end of March", "2026-04-01"],
  ["before last week", "2026-11-16"],
  ["bis März", "2026-04-01"],
])("%s has no beginning, and ends at %s", (words, to) => {
  const range = timeRangeOf(`what did we decide ${words}?`, MONDAY, "UTC");
  expect(range).toMatchObject({ from: Number.NEGATIVE_INFINITY, to: Date.parse(to), loose: null });
});

test("last week is more loosely the last seven days", () => {
  const loose = { from: Date.parse("2026-11-16"), to: Date.parse("2026-11-24") };
  expect(timeRangeOf("what did we decide last week?", MONDAY, "UTC")?.loose).toEqual(loose);
  expect(timeRangeOf("what did we decide since last week?", MONDAY, "UTC")?.loose).toBeNull();
});

test("what is for a holiday is more loosely what was before it", () => {
  const asked = (words: string) => timeRangeOf(`what did we buy ${words}?`, MONDAY, "UTC")?.loose;
  expect(asked("for Christmas")).toEqual({ from: Date.parse("2025-11-26"), to: Date.parse("2025-12-27") });
  expect(asked("at Christmas")).toEqual({ from: Date.parse("2025-12-24"), to: Date.parse("2025-12-27") });
});

test("of an event with its own day, what is before or after is that day or beyond it", () => {
  const range = timeRangeOf("what did we decide after the audit on Friday?", MONDAY, "UTC");
  expect(range).toMatchObject({
    from: Date.parse("2026-11-20"),
    to: Date.parse("2026-11-21"),
    loose: { from: Date.parse("2026-11-20"), to: Date.parse("2026-11-24") },
  });
});

/** As published for the years with the earliest, the latest and ordinary dates. */
test.each([
  ["1818-03-22", "1818-04-26"],
  ["1943-04-25", "1943-04-25"],
  ["1954-04-18", "1954-04-25"],
  ["2000-04-23", "2000-04-30"],
  ["2008-03-23", "2008-04-27"],
  ["2024-03-31", "2024-05-05"],
  ["2025-04-20", "2025-04-20"],
  ["2038-04-25", "2038-04-25"],
])("Easter Sunday is %s, and %s in the Orthodox church", (easter, orthodox) => {
  const year = Number(easter.slice(0, 4));
  expect(holidayOf("easter")(year)[0] * 24 * HOUR_MS).toBe(Date.parse(easter));
  expect(holidayOf("orthodox")(year)[0] * 24 * HOUR_MS).toBe(Date.parse(orthodox));
});

const HOLIDAY_NAMES = Object.entries(TIMES).flatMap(([language, words]) =>
  Object.entries(words.holidays ?? {}).flatMap(([rule, names]) =>
    names.split("|").map((name) => ({ language, words, rule, name })),
  ),
);

test("every holiday is read by each of its names, as the last one that has begun", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...HOLIDAY_NAMES),
      fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
      ({ words, rule, name }, date) => {
        const today = Math.floor(date.getTime() / (24 * HOUR_MS));
        const at = words.atHolidays ?? words.relations?.within ?? "";
        const before = at.split("|")[0] ?? "";
        const asked = readTime(`${before}${before.endsWith("'") ? "" : " "}${name}`)?.days?.(today);
        const year = date.getUTCFullYear();
        const expected = [year + 1, year, year - 1].map(holidayOf(rule)).find(([first]) => first <= today);
        expect(asked?.days).toEqual(expected);
      },
    ),
    { numRuns: runs(300) },
  );
});

test("between two times is from the beginning of the one to the end of the other", () => {
  const ends = ["March", "Easter", "New Year's Eve", "Q2", "3 May", "the audit on 7 July"];
  const end = fc.constantFrom(...ends);
  const days = (words: string) => timeRangeOf(`what did we do since ${words}`, MONDAY, "UTC")?.from;
  fc.assert(
    fc.property(end, end, (one, other) => {
      const range = timeRangeOf(`what did we do between ${one} and ${other}?`, MONDAY, "UTC");
      expect(range?.from).toBe(days(one));
      expect(range?.because).toBe(`between ${one} and ${other}`.toLowerCase());
    }),
  );
});

describe("events and orders", () => {
  test.each(["Who looks after the boiler in the cellar?", "Who is looking  after the twins?"])(
    "%s asks for no time",
    (query) => {
      expect(readTime(query)).toBeNull();
    },
  );

  test.each([
    ["What did we buy before the trip to Porto?", "before", "the trip to Porto"],
    ["Since our move, who cooks?", "since", "our move"],
    ["Was geschah, nachdem wir umgezogen sind?", "after", "wir umgezogen sind"],
  ])("%s", (query, relation, text) => {
    expect(readTime(query)).toMatchObject({ days: null, event: { relation, text } });
  });

  test.each([
    ["When did Lena first visit Porto?", "first"],
    ["What is the latest release?", "last"],
    ["How long ago did we paint the hall?", "last"],
    ["how long has it been since I changed the oil?", "last"],
    ["Wann war Lena zuletzt in Porto?", "last"],
  ])("%s", (query, order) => {
    expect(readTime(query)).toMatchObject({ days: null, event: null, order });
  });

  test.each(["Who joined before Ann?", "Who reviewed it by hand?", "Where does Lena live?"])(
    "%s asks for none",
    (query) => expect(readTime(query)).toBeNull(),
  );

  test.each([
    "How many days did I read after I downloaded the trilogy?",
    "How long after the trip to Porto did Ann call?",
    "Wie viele Tage nach dem Umzug kam der Techniker?",
    "Hoeveel dagen nadat wij verhuisden kwam de monteur?",
    "Combien d'années après le déménagement est-il venu ?",
    "¿Cuántos meses antes de la boda compraron la casa?",
    "Quanti giorni dopo il trasloco è arrivato il tecnico?",
    "Quantos dias depois da mudança chegou o técnico?",
  ])("%s asks how long, and for the event too", (query) => expect(readTime(query)).toBeNull());

  test("a text of 400 characters or more names times in passing", () => {
    expect(readTime(`yesterday ${"and so on ".repeat(40)}`)).toBeNull();
  });
});

test.each([
  "this may help",
  "the sun is out",
  "we sat and may go on",
  "in 20 days",
  "2024 was good",
  "port 8080",
  "last Friday on 23 January, 2022",
  "on December 1,2023",
  "the Christmas market",
  "Easter eggs",
])("%s names no time", (words) => {
  expect(timeRangeOf(words, MONDAY, "UTC")).toBeNull();
});

test("a range begins before it ends, whatever is said", () => {
  const word = fc.constantFrom(
    ...(
      "last this past previous in on since during a few couple of 3 99 two day weeks month quarters years ago back " +
      "weekend monday sunday march may 2023 1950, yesterday today the before night"
    ).split(" "),
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      (words, asked) => {
        const range = timeRangeOf(words.join(" "), asked.getTime(), "Europe/Berlin");
        if (range !== null) expect(range.from).toBeLessThan(range.to);
      },
    ),
  );
});
