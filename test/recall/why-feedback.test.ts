import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test("why says where a search puts a memory, and by what", async () => {
  const client = await someone();
  const id = await stored(client, { content: "The lighthouse keeper is Ada." });
  await stored(client, { content: "Invoices are due on Friday." });
  const { status, body } = await client.post("/v1/recall/why", { query: "lighthouse keeper", memory_id: id });
  expect(status).toBe(200);
  expect(body).toEqual({
    id,
    found: true,
    rank: 1,
    score: expect.any(Number),
    signals: expect.any(Object),
    reasons: expect.any(Array),
  });
  expect(body.reasons.length).toBeGreaterThan(0);
  const { results } = (await client.get("/v1/memories/search?query=lighthouse+keeper")).body;
  expect(body.score).toBe(results[0].score);
});

test.each([
  ["the filter", { bucket: "elsewhere" }],
  ["the status", { status: "archived" }],
  ["the threshold", { threshold: 1 }],
  ["the instant", { as_of: "2001-01-01T00:00:00Z" }],
])("why says that %s keeps a memory out", async (_, ask) => {
  const client = await someone();
  const id = await stored(client);
  const { body } = await client.post("/v1/recall/why", {
    query: "what of the staging",
    memory_id: id,
    ...ask,
  });
  expect(body).toMatchObject({ id, found: false });
  expect(body.reasons.length).toBeGreaterThan(0);
});

test("why of a deleted, unknown or foreign memory is not_found, as for reading it", async () => {
  const client = await someone();
  const deleted = await stored(client);
  await client.delete(`/v1/memories/${deleted}`);
  for (const id of ["unknown", await stored(await someone()), deleted]) {
    expectRefusal(await client.post("/v1/recall/why", { query: "x", memory_id: id }), 404, "not_found");
  }
});

test("feedback moves confidence a tenth of the way, never beyond 0 and 1", async () => {
  const client = await someone();
  const id = await stored(client, { confidence: 0.5 });
  const say = async (helpful: boolean) =>
    (await client.post("/v1/recall/feedback", { memory_id: id, helpful, query: "why not" })).body;
  expect(await say(true)).toEqual({ id, status: "recorded", confidence: expect.closeTo(0.55, 10) });
  expect((await say(false)).confidence).toBeCloseTo(0.495, 10);
  for (let time = 0; time < 20; time++) await say(true);
  const { confidence } = (await client.get(`/v1/memories/${id}`)).body;
  expect(confidence).toBeGreaterThan(0.9);
  expect(confidence).toBeLessThanOrEqual(1);
});

test("feedback of many at once is lost by none", async () => {
  const client = await someone();
  const id = await stored(client, { confidence: 0 });
  await Promise.all(
    Array.from({ length: 10 }, () => client.post("/v1/recall/feedback", { memory_id: id, helpful: true })),
  );
  expect((await client.get(`/v1/memories/${id}`)).body.confidence).toBeCloseTo(1 - 0.9 ** 10, 10);
});

test("feedback on an unknown or foreign memory is not_found", async () => {
  const client = await someone();
  for (const id of ["unknown", await stored(await someone())]) {
    expectRefusal(
      await client.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
      404,
      "not_found",
    );
  }
});
