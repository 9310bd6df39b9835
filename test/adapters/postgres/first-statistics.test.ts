import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freshOwner } from "../../support/acting.ts";
import { openWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test("the planner knows what memories there are soon after the first ones were written", async () => {
  const { sql } = world.service;
  // Postgres would analyse it by itself in the end, and may be first.
  await sql`alter table memories set (autovacuum_enabled = false)`;
  // A database that was copied has the statistics of the one it was made from.
  await sql`select pg_stat_reset()`;
  const analysed = async () =>
    (await sql`select last_analyze as at from pg_stat_user_tables where relname = 'memories'`)[0]?.at ?? null;
  expect(await analysed()).toBeNull();
  // The first server may have looked before, and does not look again.
  await world.replica();
  const client = await world.client({ owner: freshOwner() });
  const items = Array.from({ length: 300 }, (_, n) => ({
    content: `The ${n}th of the first`,
    path: "first",
  }));
  expect((await client.post("/v1/memories/batch", { items })).status).toBe(200);
  await vi.waitFor(async () => expect(await analysed()).not.toBeNull(), { timeout: 100_000, interval: 500 });
}, 120_000);
