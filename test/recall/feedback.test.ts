import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

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
