/** Of memories with the same words, the one whose relation is asked for comes first, and the two are no conflict. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROLE_KINDS, rolePairs } from "../../bench/recall/suites/roles/pairs.ts";
import { freshOwner } from "../support/acting.ts";
import { SEED } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test.each([true, false])("every kind of relation; the right one is the newer: %s", async (isNewer) => {
  const client = await world.client({ owner: freshOwner() });
  for (const [at, pair] of rolePairs(ROLE_KINDS.length, SEED).entries()) {
    const { right, reversed, question, others } = pair;
    const path = `roles/${at}`;
    const sides = isNewer ? [reversed, right] : [right, reversed];
    const items = [...others, ...sides].map((content) => ({ content, path }));
    await client.post("/v1/memories/batch", { items });
    const asked = { query: question, path };
    const { body: search } = await client.post("/v1/memories/search", { ...asked, explain: true });
    expect({ question, first: search.results[0].content }).toEqual({ question, first: right });
    const { body: pack } = await client.post("/v1/recall/context", asked);
    expect({ question, conflicts: pack.conflicts }).toEqual({ question, conflicts: [] });
  }
});
