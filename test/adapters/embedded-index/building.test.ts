/** An index that is asked while it is still being built, as where it stands in for the search engine. */
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { eventually } from "../../support/processes.ts";
import { ask, indexDocument, lexicon, MemoryFeed } from "../../support/recall-fixtures.ts";

function slowFeed() {
  const feed = new MemoryFeed();
  feed.put(
    indexDocument({ seq: 1, ownerId: "slow", content: "tea" }),
    indexDocument({ seq: 2, ownerId: "quick", content: "tea" }),
  );
  let open = () => {};
  feed.gate = () => new Promise((resolve) => (open = resolve));
  const create = (buildWithinMs: number) =>
    createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9, buildWithinMs });
  return { feed, create, letIn: () => open() };
}

test("an owner whose index takes longer is to be searched elsewhere, and is there once it is built", async () => {
  const { feed, create, letIn } = slowFeed();
  const index = create(20);
  const { set, hits } = await ask(index, "tea", { owners: ["slow"] });
  expect(hits).toEqual([]);
  expect(set.unavailable).toEqual(["slow"]);
  expect(set.degraded).toEqual([
    "index: still being read into memory, so the database's full-text search answered",
  ]);
  feed.gate = async () => {};
  letIn();
  await eventually("the index to be built", async () =>
    (await ask(index, "tea", { owners: ["slow"] })).hits.length === 1 ? true : undefined,
  );
  expect(feed.readings.filter((cursor) => cursor === null)).toHaveLength(1);
});

test("owners that are held are answered beside one that is being built", async () => {
  const { feed, create, letIn } = slowFeed();
  const index = create(20);
  const gate = feed.gate;
  feed.gate = async () => {};
  await eventually("the quick one to be held", async () =>
    (await ask(index, "tea", { owners: ["quick"] })).hits.length === 1 ? true : undefined,
  );
  let isFirst = true;
  feed.gate = async () => {
    if (isFirst) isFirst = false;
    else await gate();
  };
  const { set, hits } = await ask(index, "tea", { owners: ["quick", "slow"] });
  expect(hits.map(({ ownerId }) => ownerId)).toEqual(["quick"]);
  expect(set.unavailable).toEqual(["slow"]);
  letIn();
});

test("a refresh waits for an index that is being built: nothing that was erased may be in it", async () => {
  const { feed, create, letIn } = slowFeed();
  const index = create(20);
  await ask(index, "tea", { owners: ["slow"] });
  feed.push("slow", { kind: "remove", id: "memory-1", revision: 9 });
  let isRefreshed = false;
  const refreshing = index.refresh(["slow"]).then(() => {
    isRefreshed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(isRefreshed).toBe(false);
  feed.gate = async () => {};
  letIn();
  await refreshing;
  const { set, hits } = await ask(index, "tea", { owners: ["slow"] });
  expect([hits, set.unavailable]).toEqual([[], []]);
});

test("a reading that fails after nobody waits for it is tried again by the next request", async () => {
  const { feed, create } = slowFeed();
  const index = create(20);
  let fail = () => {};
  feed.gate = () =>
    new Promise((_, reject) => {
      fail = () => reject(new Error("the record is away"));
    });
  await ask(index, "tea", { owners: ["slow"] });
  feed.gate = async () => {};
  fail();
  await eventually("the index to be built", async () =>
    (await ask(index, "tea", { owners: ["slow"] })).hits.length === 1 ? true : undefined,
  );
});
