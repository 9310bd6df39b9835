/** A time that is asked for decides among memories that match the subject about equally, and moves no others. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TIME_KINDS, type TimeCase, timeCases } from "../../bench/recall/suites/time/cases.ts";
import { freshOwner } from "../support/acting.ts";
import { runs, SEED } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const dated = (content: string, occurred_at: string, path: string) => ({
  content,
  path,
  metadata: { occurred_at },
});

async function firstOf({ question, right, wrong, others, asked_at, time_zone }: TimeCase, path: string) {
  const client = await world.client({ owner: freshOwner() });
  const items = [...others, right, ...wrong].map(({ content, occurred_at }) =>
    dated(content, occurred_at, path),
  );
  await client.post("/v1/memories/batch", { items });
  const { body } = await client.post("/v1/memories/search", { query: question, path, asked_at, time_zone });
  return body.results[0].content;
}

test.each(TIME_KINDS)("%s: the one of the asked time comes first", async (kind) => {
  for (const one of timeCases(TIME_KINDS.length, 1).filter((made) => made.kind === kind))
    expect({ question: one.question, first: await firstOf(one, "times") }).toEqual({
      question: one.question,
      first: one.right.content,
    });
});

const TOWNS = ["Aldermoor", "Birchwood", "Caldwell", "Dalton", "Elmsworth", "Foxhill"];

test("of random stores, a visit within the asked days comes before those outside, and before other subjects", async () => {
  const DAY_MS = 86_400_000;
  const asked = Date.parse("2026-03-01T12:00:00Z");
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 6, maxLength: 6 }),
      fc.integer({ min: 2, max: 60 }),
      fc.shuffledSubarray(TOWNS, { minLength: 6 }),
      async (ages, days, towns) => {
        const client = await world.client({ owner: freshOwner() });
        const at = (age: number) => new Date(asked - age * DAY_MS).toISOString();
        const items = [
          ...ages.map((age, n) => dated(`Lena visited ${towns[n]}.`, at(age), "towns")),
          dated("The boiler was repaired.", at(1), "towns"),
          dated("Otto plays chess on Sundays.", at(1), "towns"),
        ];
        await client.post("/v1/memories/batch", { items });
        const { body } = await client.post("/v1/memories/search", {
          query: `Which town did Lena visit in the last ${days} days?`,
          limit: ages.length,
          path: "towns",
          asked_at: new Date(asked).toISOString(),
        });
        const inRange = ages.flatMap((age, n) => (age <= days ? [`Lena visited ${towns[n]}.`] : []));
        const found: string[] = body.results.map(({ content }: { content: string }) => content);
        expect(new Set(found.slice(0, inRange.length))).toEqual(new Set(inRange));
      },
    ),
    { numRuns: runs(10), seed: SEED },
  );
});

test("a message names a time in passing: it orders nothing", async () => {
  const client = await world.client({ owner: freshOwner() });
  const items = [
    dated("Lena visited Dalton and its old harbour.", "2026-01-10T09:00:00Z", "towns"),
    dated("Otto visited Foxhill.", "2026-02-28T09:00:00Z", "towns"),
  ];
  await client.post("/v1/memories/batch", { items });
  const { body } = await client.post("/v1/memories/search", {
    query: "I was at home yesterday. We talked about the old harbour in Dalton that Lena visited.",
    path: "towns",
    asked_at: "2026-03-01T12:00:00Z",
  });
  expect(body.results[0].content).toContain("Dalton");
});

test("an open range has no beginning in the plan, and an event that no memory names asks for no time", async () => {
  const client = await world.client({ owner: freshOwner() });
  await client.post("/v1/memories/batch", {
    items: [dated("Lena visited Dalton.", "2026-01-10T09:00:00Z", "towns")],
  });
  const planOf = async (query: string) => {
    const asked = { query, path: "towns", asked_at: "2026-03-01T12:00:00Z" };
    return (await client.post("/v1/recall/context", asked)).body.retrieval_plan.time_range;
  };
  expect(await planOf("Which town did Lena visit before February?")).toEqual({
    from: null,
    to: "2026-02-01T00:00:00.000Z",
    because: "before february",
  });
  expect(await planOf("Which town did Lena visit before the flood in the harbour?")).toBeNull();
});

test("of different values within the asked time the newest comes first", async () => {
  const client = await world.client({ owner: freshOwner() });
  const budget = "The budget of the sudden piano in Highcliff for this year is";
  await client.post("/v1/memories/batch", {
    items: [
      dated(`${budget} 24000 euros.`, "2026-02-10T09:00:00Z", "budgets"),
      dated(
        `Update after the long meeting with Otto. ${budget} 20000 euros. Please tell the tuner and the others.`,
        "2026-02-20T09:00:00Z",
        "budgets",
      ),
      dated("The sudden piano in Highcliff was tuned by Ines.", "2026-02-25T09:00:00Z", "budgets"),
    ],
  });
  const { body } = await client.post("/v1/memories/search", {
    query: "What is the budget of the sudden piano in Highcliff for this year?",
    path: "budgets",
    asked_at: "2026-03-01T12:00:00Z",
  });
  expect(body.results[0].content).toContain("20000");
});
