import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner } from "../support/acting.ts";
import { bombard } from "../support/hostile.ts";
import { RUNS, runs, SEED } from "../support/random.ts";
import { fingerprint } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test(
  "no hostile request is answered by a 5xx, and none that is refused changes anything",
  async () => {
    const client = await world.client({ owner: freshOwner() });
    const { failures, statuses } = await bombard({
      base: "http://localhost",
      token: client.token,
      send: world.handle,
      count: runs(8000),
      seed: SEED,
      fingerprint: () => fingerprint(world.service.sql),
    });
    expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
    // Both kinds must have come about, or this proves little.
    for (const status of [200, 201, 404, 409, 422])
      expect(statuses[status], `seed ${SEED}, answers of ${status}`).toBeGreaterThan(0);
  },
  300_000 * RUNS,
);

test(
  "nor one of a credential that is confined and may do little",
  async () => {
    const space = { pathPrefix: "p", projects: ["one", "two"], buckets: ["public"] };
    const client = await world.client({
      owner: freshOwner(),
      scopes: ["memory:read", "memory:update", "memory:delete"],
      space,
    });
    const { failures } = await bombard({
      base: "http://localhost",
      token: client.token,
      send: world.handle,
      count: runs(1000),
      seed: SEED,
      fingerprint: () => fingerprint(world.service.sql),
    });
    expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
  },
  300_000 * RUNS,
);

const url = process.env.RECOLLECT_URL;

// Needs a server: RECOLLECT_URL and RECOLLECT_TOKEN name it, RECOLLECT_RUNS=10 makes it ten thousand requests.
if (url)
  test(
    "nor one that is sent to the server at RECOLLECT_URL",
    async () => {
      const { failures, statuses } = await bombard({
        base: url as string,
        token: process.env.RECOLLECT_TOKEN ?? "",
        // Bun hangs up on a method that HTTP does not know, before the service hears of it.
        send: (request) =>
          fetch(request, { redirect: "manual" }).catch((error: unknown) => {
            if (request.method === "X") return new Response(null, { status: 400 });
            throw error;
          }),
        count: 1000 * RUNS,
        seed: SEED,
      });
      expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
      expect(statuses[201]).toBeGreaterThan(5);
    },
    120_000 * RUNS,
  );
