/** Indexes that are read before anybody asks: of whoever was active last, within the room that there is. */
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { recentlyActiveOwners } from "../../../src/adapters/postgres/access/active-owners.ts";
import { cacheSizes } from "../../../src/core/cache.ts";
import { OwnerIndex } from "../../../src/recall/index/in-memory/owner-index.ts";
import { user } from "../../agents/agents.ts";
import { freshOwner, stored } from "../../support/acting.ts";
import { INDEX } from "../../support/index-under-test.ts";
import { eventually } from "../../support/processes.ts";
import { ask, indexDocument, lexicon, MemoryFeed } from "../../support/recall-fixtures.ts";
import { openWorld } from "../../support/world.ts";

function feedOf(owners: readonly string[], memories = 1): MemoryFeed {
  const feed = new MemoryFeed();
  for (const [which, ownerId] of owners.entries())
    for (let seq = 1; seq <= memories; seq++)
      feed.put(indexDocument({ seq: which * memories + seq, ownerId, content: `tea ${seq}` }));
  return feed;
}

test("a search of an owner that was read ahead asks for what has changed since, and for no more", async () => {
  const feed = feedOf(["o"]);
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  expect(await index.readAhead("o")).toBe(true);
  feed.put(indexDocument({ seq: 2, ownerId: "o", content: "tea again" }));
  const { hits } = await ask(index, "tea", { owners: ["o"] });
  expect(hits).toHaveLength(2);
  expect(feed.readings).toEqual([null, "1"]);
});

test("no more is read ahead once half of the room is taken, and what is held stays", async () => {
  const owners = ["a", "b", "c", "d"];
  const feed = feedOf(owners, 200);
  const one = new OwnerIndex(lexicon);
  await feed.read("a", null, (changes) => one.apply(changes));
  feed.readings = [];
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 3 * one.bytes });
  const isRead: boolean[] = [];
  for (const owner of owners) isRead.push(await index.readAhead(owner));
  expect(isRead).toEqual([true, true, false, false]);
  expect((await ask(index, "tea", { owners: ["a"] })).hits.length).toBeGreaterThan(0);
  expect(feed.readings.filter((cursor) => cursor === null)).toHaveLength(2);
});

test("a service that stops gives up what it reads ahead", async () => {
  const feed = feedOf(["o"]);
  let open = () => {};
  feed.gate = () => new Promise((resolve) => (open = resolve));
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  const reading = index.readAhead("o");
  await eventually("the reading to begin", async () => (feed.readings.length > 0 ? true : undefined));
  index.close();
  open();
  await expect(reading).rejects.toThrow("closed");
  expect(await index.readAhead("o")).toBe(false);
});

test.skipIf(INDEX !== "embedded")(
  "a server that starts reads the indexes of those who were active, and of their teams",
  async () => {
    const world = await openWorld();
    try {
      const owner = await user(world);
      const { team } = await world.service.teams.create(freshOwner(), owner);
      const client = await world.client({ owner: owner.name });
      const quiet = await world.client({ owner: freshOwner() });
      await stored(client);
      await stored(client, { scope: "team", team_id: team.id });
      const { sql } = world.service;
      await sql`update tokens set last_used_at = now() - interval '2 days' where id = ${quiet.tokenId}`;
      expect((await recentlyActiveOwners(sql, 10)).toSorted()).toEqual([owner.id, team.id].toSorted());
      expect(await recentlyActiveOwners(sql, 1)).toHaveLength(1);
      const held = () => cacheSizes().find(({ name }) => name === "owners' indexes")?.entries ?? 0;
      const before = held();
      await world.replica();
      await eventually("the indexes to be read", async () => (held() >= before + 2 ? true : undefined));
    } finally {
      await world.close();
    }
  },
);
