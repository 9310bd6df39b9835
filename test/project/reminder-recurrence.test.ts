import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, memory, stored } from "../support/acting.ts";
import { createRandom, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
});
afterAll(() => world.close());

const reminder = (metadata: Record<string, unknown>) => ({
  content: "Water the plants.",
  memory_type: "reminder",
  metadata,
});
const complete = (id: string, body?: object) => client.post(`/v1/reminders/${id}/complete`, body);

/** When it is due next once it was done, to the second; null where it is over. */
async function nextDue(metadata: Record<string, unknown>): Promise<string | null> {
  const id = await stored(client, reminder(metadata));
  const answer = await complete(id);
  expect({ metadata, status: answer.status }).toEqual({ metadata, status: 200 });
  const next = answer.body.next_due_at ?? null;
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body.status).toBe(next === null ? "completed" : "active");
  if (next !== null) expect(Date.parse(body.metadata.due_at)).toBe(Date.parse(next));
  return next === null ? null : new Date(next).toISOString().replace(".000Z", "Z");
}

describe("summer time", () => {
  const [berlin, newYork, lordHowe] = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
  test.each([
    ["nine stays nine in spring", berlin, "2027-03-27T08:00:00Z", "2027-03-28T07:00:00Z"],
    ["nine stays nine in autumn", berlin, "2027-10-30T07:00:00Z", "2027-10-31T08:00:00Z"],
    ["an hour that is left out", berlin, "2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z"],
    ["an hour that comes twice", berlin, "2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z"],
    ["nine stays nine in spring", newYork, "2027-03-13T14:00:00Z", "2027-03-14T13:00:00Z"],
    ["nine stays nine in autumn", newYork, "2027-11-06T13:00:00Z", "2027-11-07T14:00:00Z"],
    ["an hour that is left out", newYork, "2027-03-13T07:30:00Z", "2027-03-14T07:30:00Z"],
    ["an hour that comes twice", newYork, "2027-11-06T05:30:00Z", "2027-11-07T05:30:00Z"],
    ["half an hour on", lordHowe, "2027-10-01T22:30:00Z", "2027-10-02T22:00:00Z"],
    ["half an hour back", lordHowe, "2027-04-02T22:00:00Z", "2027-04-03T22:30:00Z"],
    ["a half hour that is left out", lordHowe, "2027-10-01T15:45:00Z", "2027-10-02T15:45:00Z"],
    ["a half hour that comes twice", lordHowe, "2027-04-02T14:45:00Z", "2027-04-03T14:45:00Z"],
    ["nothing changes", "UTC", "2027-03-27T08:00:00Z", "2027-03-28T08:00:00Z"],
  ])("daily: %s (%s, %s)", async (_, time_zone, due_at, expected) => {
    expect(await nextDue({ due_at, time_zone, recurrence: "FREQ=DAILY" })).toBe(expected);
  });
});

test.each([
  ["FREQ=DAILY;INTERVAL=2", "2030-01-31T09:00:00Z", "2030-02-02T09:00:00Z"],
  ["FREQ=WEEKLY;BYDAY=MO,TH", "2030-01-03T09:00:00Z", "2030-01-07T09:00:00Z"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2030-01-03T09:00:00Z", "2030-01-14T09:00:00Z"],
  ["FREQ=MONTHLY", "2030-01-31T09:00:00Z", "2030-03-31T09:00:00Z"],
  ["FREQ=MONTHLY;BYMONTHDAY=-1", "2030-01-31T09:00:00Z", "2030-02-28T09:00:00Z"],
  ["FREQ=MONTHLY;BYDAY=-1FR", "2030-01-25T09:00:00Z", "2030-02-22T09:00:00Z"],
  ["FREQ=MONTHLY;BYDAY=2TU", "2030-01-08T09:00:00Z", "2030-02-12T09:00:00Z"],
  ["FREQ=YEARLY", "2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z"],
  ["FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "2030-03-31T09:00:00Z", "2031-03-30T09:00:00Z"],
  ["FREQ=HOURLY;INTERVAL=6", "2030-01-01T21:00:00Z", "2030-01-02T03:00:00Z"],
  ["RRULE:FREQ=DAILY", "2030-01-01T09:00:00Z", "2030-01-02T09:00:00Z"],
  ["FREQ=DAILY;COUNT=2", "2030-01-01T09:00:00Z", "2030-01-02T09:00:00Z"],
  ["FREQ=DAILY;COUNT=1", "2030-01-01T09:00:00Z", null],
  ["FREQ=DAILY;UNTIL=20300102T090000Z", "2030-01-01T09:00:00Z", "2030-01-02T09:00:00Z"],
  ["FREQ=DAILY;UNTIL=20300102T085959Z", "2030-01-01T09:00:00Z", null],
  ["FREQ=DAILY;UNTIL=20300102", "2030-01-01T09:00:00Z", "2030-01-02T09:00:00Z"],
  ["FREQ=DAILY;COUNT=3", "2021-01-01T09:00:00Z", null],
  ["FREQ=YEARLY", "9999-06-01T09:00:00Z", null],
])("%s from %s is due next at %s", async (recurrence, due_at, expected) => {
  expect(await nextDue({ due_at, recurrence })).toBe(expected);
});

test("one that is long overdue is due next in the future, not once for each time that was missed", async () => {
  const before = Date.now();
  const next = await nextDue({ due_at: "2021-01-01T09:00:00Z", recurrence: "FREQ=DAILY" });
  const at = Date.parse(next as string);
  expect(at).toBeGreaterThan(before);
  expect(at).toBeLessThanOrEqual(Date.now() + 86_400_000);
  expect(next).toMatch(/T09:00:00Z$/);
});

describe("rules that nobody should send", () => {
  const rules = [
    "FREQ=SECONDLY",
    "FREQ=MINUTELY",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31",
    "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11",
    "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3",
    "FREQ=WEEKLY;BYMONTH=2;INTERVAL=999",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=31",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;INTERVAL=999",
    "FREQ=YEARLY;BYDAY=53MO",
    "FREQ=YEARLY;BYWEEKNO=53",
    "FREQ=YEARLY;BYYEARDAY=366",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;INTERVAL=-1",
    "FREQ=DAILY;INTERVAL=999999999999999999999",
    "FREQ=YEARLY;INTERVAL=9999",
    "FREQ=YEARLY;INTERVAL=999",
    "FREQ=HOURLY;INTERVAL=1e9",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;COUNT=99999999999",
    "FREQ=DAILY;COUNT=NaN",
    "FREQ=DAILY;COUNT=5;UNTIL=20300101",
    "FREQ=DAILY;UNTIL=never",
    "FREQ=DAILY;UNTIL=20301340T996099Z",
    "FREQ=DAILY;UNTIL=00000000T000000Z",
    "FREQ=DAILY;BYHOUR=24",
    "FREQ=DAILY;BYHOUR=,",
    "FREQ=DAILY;BYSECOND=60",
    "FREQ=DAILY;FREQ=WEEKLY",
    "FREQ=DAILY;RSCALE=CHINESE",
    "FREQ=DAILY;__proto__=1",
    "FREQ=DAILY;constructor=x",
    "FREQ=__proto__",
    "DTSTART:20300101T090000Z\nRRULE:FREQ=DAILY",
    "FREQ=DAILY;DTSTART=20300101T090000Z",
    "RRULE:FREQ=DAILY\nRRULE:FREQ=SECONDLY",
    "FREQ=DAILY\r\nEXDATE:20300101",
    "RRULE:RRULE:FREQ=DAILY",
    "freq=daily",
    " FREQ=DAILY ",
    "FREQ=DAILY;",
    ";;;;",
    "=",
    "daily",
    "every day",
    "💥",
    "FREQ=DAILY;BYDAY=ЖЖ",
    "FREQ=DAILY\u2028",
    `FREQ=DAILY;BYMONTHDAY=${Array(3400).fill(31).join(",")}`,
    `FREQ=DAILY${";BYDAY=MO".repeat(1200)}`,
    "FREQ=DAILY;".repeat(900),
    "A".repeat(10_000),
    "%00",
    "FREQ=DAILY%3B",
  ];
  test.each(rules.map((rule) => [rule.slice(0, 60), rule] as const))("%j", async (_, recurrence) => {
    for (const due_at of ["2021-02-28T09:00:00Z", "2030-01-31T09:00:00Z", "0001-01-01T00:00:00Z"]) {
      const metadata = { due_at, recurrence, time_zone: "Europe/Berlin" };
      const made = await client.post("/v1/memories", memory(reminder(metadata)));
      if (made.status === 422) {
        expect(faultyPlaces(made)).toEqual(["body.metadata.recurrence"]);
        const plain = await stored(client, reminder({ due_at }));
        const changed = await client.patch(`/v1/memories/${plain}`, { metadata: { recurrence } });
        expect(faultyPlaces(changed)).toEqual(["body.metadata.recurrence"]);
        continue;
      }
      expect(made.status).toBe(201);
      const done = await complete(made.body.id);
      expect(done.status).toBe(200);
      if (done.body.next_due_at) expect(Date.parse(done.body.next_due_at)).toBeGreaterThan(Date.now());
    }
  });

  test(`SEED ${SEED}: whatever the parts, an answer comes, and what is due next is ahead`, async () => {
    const random = createRandom(SEED);
    const some = (of: readonly (string | number)[]) =>
      Array.from({ length: 1 + random.below(3) }, () => random.pick(of)).join(",");
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const parts = () =>
      [
        `FREQ=${random.pick(["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"])}`,
        `INTERVAL=${random.pick([1, 2, 3, 12, 53, 400, 999])}`,
        `BYMONTH=${some(range(1, 12))}`,
        `BYMONTHDAY=${some(range(-31, 31))}`,
        `BYDAY=${some(["MO", "TU", "SU", "1MO", "-1FR", "5WE", "-5TH"])}`,
        `BYHOUR=${some(range(0, 23))}`,
        `BYSETPOS=${some([-2, -1, 1, 2, 31])}`,
        `WKST=${random.pick(["SU", "MO"])}`,
        random.pick([`COUNT=${random.below(1001)}`, `UNTIL=20${10 + random.below(89)}0230T010203Z`]),
      ].filter((_, at) => at === 0 || random.below(3) === 0);
    const tries = runs(150);
    let taken = 0;
    for (let run = 0; run < tries; run += 1) {
      const recurrence = parts().join(";");
      const due_at = new Date(
        Date.UTC(random.pick([1970, 2020, 2026, 2040]), random.below(12), 1 + random.below(31), 2),
      ).toISOString();
      const time_zone = random.pick(["Europe/Berlin", "Australia/Lord_Howe", "America/New_York"]);
      const made = await client.post("/v1/memories", memory(reminder({ due_at, recurrence, time_zone })));
      expect({ recurrence, status: made.status }).toEqual({
        recurrence,
        status: expect.toSatisfy((is) => [201, 422].includes(is)),
      });
      if (made.status === 422) continue;
      taken += 1;
      const done = await complete(made.body.id);
      expect({ recurrence, due_at, status: done.status }).toEqual({ recurrence, due_at, status: 200 });
      const next = done.body.next_due_at;
      if (next) expect(Date.parse(next)).toBeGreaterThan(Math.max(Date.now() - 1000, Date.parse(due_at)));
    }
    expect(taken).toBeGreaterThan(tries / 8);
  }, 240_000);
});

test.each(["Mars/Phobos", "", 5, "Europe/Berlin\u0000", "x".repeat(100), {}])(
  "a time zone that is none, %j, is refused",
  async (time_zone) => {
    const metadata = { due_at: "2030-01-01T09:00:00Z", recurrence: "FREQ=DAILY", time_zone };
    const refused = await client.post("/v1/memories", memory(reminder(metadata)));
    expect({ time_zone, status: refused.status }).toEqual({ time_zone, status: 422 });
    expect(faultyPlaces(refused)[0]).toMatch(/^body\.metadata/);
  },
);

test("a recurrence without a due date has nothing to recur from, and is refused or completed for good", async () => {
  const made = await client.post("/v1/memories", memory(reminder({ recurrence: "FREQ=DAILY" })));
  if (made.status === 422) expect(faultyPlaces(made)[0]).toMatch(/^body\.metadata/);
  else expect(await complete(made.body.id)).toMatchObject({ status: 200 });
});

describe("done by several at once", () => {
  test.each(["2030-01-01T09:00:00Z", "2021-01-01T09:00:00Z"])("once for all, due at %s", async (due_at) => {
    const id = await stored(client, reminder({ due_at, recurrence: "FREQ=WEEKLY" }));
    const other = await world.client({ owner: freshOwner() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(id, { note: "done" })));
    for (const { status } of answers) expect(status).toBe(200);
    expect(new Set(answers.map(({ body }) => `${body.completed_at} ${body.next_due_at}`)).size).toBe(1);
    const [lines] = await world.service.sql`
      select count(*)::int as n from audit_log a join memories m on m.id = a.memory
      where m.memory_id = ${id} and m.owner_id = ${client.ownerId} and a.operation = 'complete_reminder'`;
    expect(lines?.n).toBe(1);
    const before = (await client.get(`/v1/memories/${id}`)).body;
    expect((await complete(id)).body).toMatchObject({ next_due_at: answers[0]?.body.next_due_at });
    expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before);
    expectRefusal(await other.post(`/v1/reminders/${id}/complete`), 404, "not_found");
    expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before);
  });

  test("an edit of the due date beside it is not lost", async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await stored(client, reminder({ due_at: "2021-01-01T09:00:00Z", recurrence: "FREQ=DAILY" }));
      const edits = await Promise.all([
        complete(id),
        client.patch(`/v1/memories/${id}`, { metadata: { place: "balcony" } }),
        complete(id),
      ]);
      expect(edits.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { body } = await client.get(`/v1/memories/${id}`);
      expect(body.metadata).toMatchObject({ place: "balcony", recurrence: "FREQ=DAILY" });
      expect(Date.parse(body.metadata.due_at)).toBe(Date.parse(edits[0].body.next_due_at));
    }
  });
});

test("one that is put off comes back at its own times; with another rule it counts from then on", async () => {
  // Without completed_at it has not been done yet: what follows is no repeat.
  const undone = { completed_at: null };
  const id = await stored(client, reminder({ due_at: "2021-01-01T09:00:00Z", recurrence: "FREQ=DAILY" }));
  await complete(id);
  await client.patch(`/v1/memories/${id}`, { metadata: { due_at: "2031-05-05T10:30:00Z", ...undone } });
  expect((await complete(id)).body.next_due_at).toMatch(/^2031-05-06T09:00:00/);
  const anew = { due_at: "2032-05-05T10:30:00Z", recurrence: "FREQ=WEEKLY", ...undone };
  await client.patch(`/v1/memories/${id}`, { metadata: anew });
  expect((await complete(id)).body.next_due_at).toMatch(/^2032-05-12T10:30:00/);
});

test("one that is put off before it was ever done comes back at its own times too", async () => {
  const daily = { due_at: "2031-01-01T09:00:00Z", recurrence: "FREQ=DAILY" };
  const id = await stored(client, reminder(daily));
  await client.patch(`/v1/memories/${id}`, { metadata: { due_at: "2031-01-01T15:30:00Z" } });
  const { metadata } = (await client.get(`/v1/memories/${id}`)).body;
  expect(metadata).toMatchObject({ due_at: "2031-01-01T15:30:00Z", recurrence: "FREQ=DAILY" });
  expect((await complete(id)).body.next_due_at).toMatch(/^2031-01-02T09:00:00/);
  const anew = await stored(client, reminder(daily));
  const moved = { due_at: "2031-01-01T15:30:00Z", recurrence: "FREQ=DAILY" };
  await client.patch(`/v1/memories/${anew}`, { metadata: moved });
  expect((await complete(anew)).body.next_due_at).toMatch(/^2031-01-02T15:30:00/);
  const same = await stored(client, reminder(daily));
  const { version } = (await client.get(`/v1/memories/${same}`)).body;
  const unchanged = await client.patch(`/v1/memories/${same}`, { metadata: { due_at: daily.due_at } });
  expect(unchanged.body).toMatchObject({ version });
});

test(`SEED ${SEED}: however often it is put off, what is due next is what the series says`, async () => {
  const random = createRandom(SEED);
  for (let run = 0; run < runs(4); run += 1) {
    const start = Date.UTC(2031, random.below(12), 1 + random.below(28), random.below(24));
    const recurrence = random.pick(["FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=WEEKLY;INTERVAL=2"]);
    const time_zone = random.pick(["UTC", "Europe/Berlin", "America/New_York"]);
    const series = { due_at: new Date(start).toISOString(), recurrence, time_zone };
    const id = await stored(client, reminder(series));
    let due = start;
    for (let times = 1 + random.below(3); times > 0; times -= 1) {
      due = start + (1 + random.below(8 * 24 * 60)) * 60_000;
      const put = await client.patch(`/v1/memories/${id}`, {
        metadata: { due_at: new Date(due).toISOString() },
      });
      expect(put.status).toBe(200);
    }
    // The same series, never put off and done again and again, is at its first occurrence after that time.
    let expected = start;
    const other = await stored(client, reminder(series));
    while (expected <= due) {
      expected = Date.parse((await complete(other)).body.next_due_at);
      await client.patch(`/v1/memories/${other}`, { metadata: { completed_at: null } });
    }
    const next = Date.parse((await complete(id)).body.next_due_at);
    expect({ series, due, next }).toEqual({ series, due, next: expected });
  }
}, 240_000);

test("a beginning that somebody made up does no harm", async () => {
  const due_at = "2030-01-01T09:00:00Z";
  for (const recurrence_start of ["0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "soon", 5, {}, null])
    for (const recurrence of ["FREQ=HOURLY", "FREQ=MONTHLY", "FREQ=YEARLY;COUNT=1000"]) {
      const made = await client.post(
        "/v1/memories",
        memory(reminder({ due_at, recurrence, recurrence_start })),
      );
      expect([201, 422]).toContain(made.status);
      if (made.status === 201) expect((await complete(made.body.id)).status).toBe(200);
    }
});

test("it is live until it is over: found by recall while it recurs, and its due date is the next one", async () => {
  const id = await stored(client, reminder({ due_at: "2021-01-01T09:00:00Z", recurrence: "FREQ=DAILY" }));
  const { next_due_at } = (await complete(id)).body;
  const listed = await client.get("/v1/memories?limit=1000");
  const mine = listed.body.memories.find((item: { id: string }) => item.id === id);
  expect(mine).toMatchObject({ status: "active" });
  expect(Date.parse(mine.metadata.due_at)).toBe(Date.parse(next_due_at));
  // Ended by hand it does not come back.
  await client.patch(`/v1/memories/${id}`, { metadata: { recurrence: null } });
  const last = await complete(id);
  expect(last.status).toBe(200);
  expect(last.body.next_due_at).toBeUndefined();
  expect((await client.get(`/v1/memories/${id}`)).body.status).toBe("completed");
});
