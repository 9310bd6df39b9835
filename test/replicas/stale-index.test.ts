/** What an index may not keep of memories that were erased while it was not looking. */
import { expect, onTestFinished, test, vi } from "vitest";
import { createEmbeddedIndex } from "../../src/adapters/embedded-index/embedded-index.ts";
import { createIndexFeed } from "../../src/adapters/postgres/recall/index-feed.ts";
import { createOutbox } from "../../src/adapters/postgres/recall/outbox.ts";
import type { IndexFeed } from "../../src/recall/index/index-document.ts";
import { ask, lexicon } from "../support/recall-fixtures.ts";
import { openWorld } from "../support/world.ts";

/** A second index on a service's database, as another replica has one, and a client of the first. */
async function twoIndexes(around: (feed: IndexFeed) => IndexFeed = (feed) => feed) {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const client = await world.client();
  const { sql, generation } = world.service;
  const feed = around(createIndexFeed(sql, generation));
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 2 ** 28 });
  const held = async () =>
    (await ask(index, "zebra", { owners: [client.ownerId] })).set.statistics.memoryCount;
  const stored = async (content: string) =>
    (await client.post("/v1/memories", { content, path: "a" })).body.id;
  const erase = (id: string) => client.delete(`/v1/memories/${id}?mode=hard_delete`);
  return { world, held, stored, erase };
}

test("a first reading that broke off leaves nothing that is erased before the next", async () => {
  let breaksOff = true;
  const { held, stored, erase } = await twoIndexes((feed) => ({
    ...feed,
    read: (ownerId, cursor, onBatch) =>
      feed.read(ownerId, cursor, async (changes) => {
        await onBatch(changes);
        if (breaksOff) throw new Error("the connection is gone");
      }),
  }));
  const id = await stored("a zebra");
  await expect(held()).rejects.toThrow("gone");
  await erase(id);
  breaksOff = false;
  expect(await held()).toBe(0);
});

test("an index that did not look for longer than tombstones are kept has nothing that was erased", async () => {
  const { world, held, stored, erase } = await twoIndexes();
  const id = await stored("a zebra");
  expect(await held()).toBe(1);
  await erase(id);
  const { sql, generation } = world.service;
  await sql`update tombstones set removed_at = now() - interval '25 hours'`;
  await createOutbox(sql, { generation, hasEngine: false }).sweep();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 25 * 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await held()).toBe(0);
});
