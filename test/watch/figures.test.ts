/** What the service keeps of its own figures: counted as it happens, written down in batches, and read by who may. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { createFigureStore } from "../../src/adapters/postgres/watch/figure-store.ts";
import { figuresAnswer } from "../../src/contract/figures.ts";
import { type Caller, callerOf } from "../../src/core/caller.ts";
import { FigureTally, OWNERS_MAX } from "../../src/core/watch/figure-tally.ts";
import { figures } from "../../src/core/watch/figures.ts";
import { LATENCY_STEPS, latencyPercentile, latencyStep } from "../../src/core/watch/latency.ts";
import type { EndedOperation } from "../../src/core/watch/watch.ts";
import { startFigureKeeper } from "../../src/worker/figure-keeper.ts";
import { createDatabase } from "../support/own-database.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const CLAIMS = {
  agentId: null,
  agentName: null,
  agentInstance: null,
  sessionId: null,
  taskId: null,
  projectId: null,
};

async function callerWith({ token }: Pick<Client, "token">): Promise<Caller> {
  const credential = await world.service.credentials.authenticate(token);
  if (credential === null) throw new Error("No such credential.");
  return callerOf(credential, CLAIMS, { requestId: "a test's", hash: world.service.ports.hash });
}

function done(more: Partial<EndedOperation>): EndedOperation {
  return {
    door: "rest",
    operation: "searchMemories",
    effect: "read",
    code: null,
    ms: 8,
    ownerId: null,
    ...more,
  };
}

test("durations in steps give percentiles that are off by a seventh at most", () => {
  for (const ms of [0.7, 3, 12.5, 80, 400, 2500, 30_000]) {
    const counts = new Array<number>(LATENCY_STEPS).fill(0);
    counts[latencyStep(ms)] = 5;
    const found = latencyPercentile(counts, 0.5) as number;
    expect([ms, Math.abs(found - ms) / ms < 1 / 7 + 0.05 / ms]).toEqual([ms, true]);
  }
  const mixed = new Array<number>(LATENCY_STEPS).fill(0);
  mixed[latencyStep(10)] = 90;
  mixed[latencyStep(1000)] = 10;
  expect(latencyPercentile(mixed, 0.5)).toBeLessThan(12);
  expect(latencyPercentile(mixed, 0.95)).toBeGreaterThan(850);
  expect(latencyPercentile([], 0.5)).toBe(null);
});

test("what two servers count in a minute is added up, for each owner and for all, in minutes and in hours", async () => {
  const one = await world.client({ owner: "ada" });
  const other = await world.client({ owner: "ben" });
  const noon = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const store = createFigureStore(world.service.sql);
  for (let server = 0; server < 2; server += 1) {
    const tally = new FigureTally(() => noon + 90_000);
    for (const ownerId of [one.ownerId, one.ownerId, other.ownerId]) {
      tally.operationEnded(done({ ownerId, ms: 10 }));
      tally.recalled({ ownerId, coverage: ownerId === one.ownerId ? 0.5 : 1 });
    }
    tally.operationEnded(done({ operation: "remember", effect: "write", ownerId: one.ownerId }));
    tally.operationEnded(done({ code: "dependency_unavailable", ownerId: one.ownerId }));
    tally.operationEnded(done({ code: "not_found", ownerId: one.ownerId }));
    await store.add(tally.take(), server);
    expect(tally.take()).toEqual([]);
  }
  for (const resolution of ["minute", "hour"] as const) {
    const rows = await store.read(one.ownerId, resolution, noon);
    expect(rows).toMatchObject([
      {
        at: resolution === "minute" ? noon + 60_000 : noon,
        recalls: 4,
        covered: 4,
        coverageSum: 2,
        writes: 2,
        failures: 2,
        indexLagSeconds: 1,
      },
    ]);
    expect(latencyPercentile(rows[0]?.latency ?? [], 0.5)).toBeCloseTo(10, -0.5);
    expect(await store.read(other.ownerId, resolution, noon)).toMatchObject([
      { recalls: 2, writes: 0, coverageSum: 2 },
    ]);
  }
  const [all] = await store.read(null, "hour", noon);
  expect(all?.recalls).toBeGreaterThanOrEqual(6);
});

test("beyond so many owners in a minute the rest counts among all together", () => {
  const tally = new FigureTally(() => 0);
  for (let at = 0; at < OWNERS_MAX + 20; at += 1) tally.operationEnded(done({ ownerId: `owner-${at}` }));
  const taken = tally.take();
  expect(taken.length).toBe(OWNERS_MAX + 1);
  expect(taken.find(({ ownerId }) => ownerId === null)?.recalls).toBe(OWNERS_MAX + 20);
});

test("what clients do is there when the server has written it down, and the request waits for none of it", async () => {
  const own = await openWorld();
  const client = await own.client({ owner: "cleo" });
  expect((await client.post("/v1/remember", { content: "The tea is green.", path: "kitchen" })).status).toBe(
    201,
  );
  expect((await client.get("/v1/memories/search?query=tea")).status).toBe(200);
  const { sql } = own.service;
  // Closing writes what is left; the database stays until the world goes.
  await own.service.watching.close();
  // An hour may end in between.
  const [row] = await sql`
    select sum(recalls)::int as recalls, sum(writes)::int as writes, max(memories)::int as memories
    from figures where owner_id = ${client.ownerId} and resolution = 'minute'`;
  expect(row).toMatchObject({ recalls: 1, writes: 1, memories: 1 });
  await own.close();
});

test("a caller reads its own figures and its teams', and nobody else's", async () => {
  const ada = await world.client({ owner: "ada" });
  const ben = await world.client({ owner: "ben" });
  const team = await world.client({ team: "kitchen" });
  await world.service.teams.add(team.ownerId, ada.ownerId, "viewer");
  const { ports } = world.service;
  const mine = await figures(ports, await callerWith(ada), { range: "week" });
  expect(figuresAnswer.parse(mine)).toEqual(mine);
  expect(mine.steps.reduce((sum, { writes }) => sum + writes, 0)).toBe(2);
  await expect(
    figures(ports, await callerWith(ben), { range: "day", team_id: team.ownerId }),
  ).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(
    figures(ports, await callerWith(ben), { range: "day", team_id: ada.ownerId }),
  ).rejects.toMatchObject({
    code: "not_found",
  });
  for (const who of [await callerWith(team), await callerWith(ada)])
    expect((await figures(ports, who, { range: "hour", team_id: team.ownerId })).steps).toEqual([]);
  for (const options of [
    { scopes: ["memory:write"] as const },
    { space: { projects: ["one"] } },
    { space: { pathPrefix: "notes" } },
    { space: { buckets: ["a"] } },
  ]) {
    const confined = await callerWith(await world.client({ owner: "ada", ...options }));
    await expect(figures(ports, confined, { range: "day" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  }
});

test("minutes go after a day and hours after 90, and an erased owner takes its own along", async () => {
  const { address, drop } = await createDatabase();
  const sql: Sql = connect(address, 2);
  try {
    const store = createFigureStore(sql);
    const [owner] = await sql`
      insert into owners (id, kind, name) values (gen_random_uuid(), 'user', 'dora') returning id`;
    const day = 86_400_000;
    for (const age of [0, 2 * day, 89 * day, 91 * day]) {
      const tally = new FigureTally(() => Date.now() - age);
      tally.operationEnded(done({ ownerId: owner?.id as string }));
      await store.add(tally.take(), null);
    }
    await store.sweep();
    expect((await store.read(null, "minute", 0)).length).toBe(1);
    expect((await store.read(null, "hour", 0)).length).toBe(3);
    await sql`delete from owners`;
    expect((await store.read(owner?.id as string, "hour", 0)).length).toBe(0);
    // What was counted for an owner that is gone by now is left out, and the rest is kept.
    const tally = new FigureTally(Date.now);
    tally.operationEnded(done({ ownerId: owner?.id as string }));
    await store.add(tally.take(), null);
    expect((await store.read(null, "minute", 0))[0]?.recalls).toBe(2);
  } finally {
    await sql.end();
    await drop();
  }
});

test("what cannot be written down is reported and let go of, and the next is written", async () => {
  const tally = new FigureTally(() => 0);
  const written: number[] = [];
  const reported: unknown[] = [];
  const store = {
    add: async (deltas: readonly unknown[]) => {
      if (reported.length === 0) throw new Error("away");
      written.push(deltas.length);
    },
    sweep: async () => {},
  };
  tally.operationEnded(done({}));
  const nothing = async () => {};
  const recalls = { take: () => [], store: { add: nothing, sweep: nothing }, keptDays: 0 };
  const keeper = startFigureKeeper({ tally, store, recalls, indexLagSeconds: async () => null }, (error) =>
    reported.push(error),
  );
  await expect.poll(() => reported.length).toBe(1);
  tally.operationEnded(done({}));
  await keeper.stop();
  expect(written).toEqual([1]);
});
