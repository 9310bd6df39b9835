/** Owners that are spread over several shards, and indexes of another number of shards beside the one that serves. */
import { expect, onTestFinished, test } from "vitest";
import { compareIndex } from "../../../src/core/projection/compare-index.ts";
import { lookAtIndexes, needOf } from "../../../src/core/projection/keep-index.ts";
import { createSearchIndexState } from "../../../src/core/projection/search-index-state.ts";
import { openProxy } from "../../faults/proxy.ts";
import { stored } from "../../support/acting.ts";
import { ask, describeOnElasticsearch, NODE, type Node, ownIndices } from "../../support/elasticsearch.ts";
import { httpClient } from "../../support/http-client.ts";
import { eventually } from "../../support/processes.ts";
import { runtimesUnderTest } from "../../support/runtimes-under-test.ts";
import { home, KEY, startServer } from "../../support/server.ts";
import { openStand, type Stand } from "./stand.ts";

/** Spread already where it has a handful of memories. */
const SPREAD = { shards: 3, memoriesPerShard: 5 } as const;

async function many(stand: Stand, ownerId: string, count: number): Promise<void> {
  await stand.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), ${ownerId}, 'many-' || n, ${ownerId}, ${ownerId}, 'private', 'many', 'semantic', 'fact', 'active',
      'memory number ' || n, 1, 0.5, 0.5, '{}', '{}', now(), now() from generate_series(1, ${count}) n`;
}

/** How many documents of the active index each of its shards has. */
async function onShards(stand: Stand): Promise<number[]> {
  const { name } = await stand.active();
  await ask(stand.node, "POST", `/${name}/_refresh`);
  const { body } = await ask(stand.node, "GET", `/_cat/shards/${name}?format=json&h=docs`);
  return (body as { docs: string }[]).map(({ docs }) => Number(docs));
}

async function differences(stand: Stand): Promise<number> {
  const found = await compareIndex(stand.ports, await stand.active());
  return found.missing + found.outdated + found.foreign;
}

describeOnElasticsearch("with a search engine", () => {
  test("a large owner is on all shards and a small one on one, and each memory is there once", async () => {
    const stand = await openStand(SPREAD);
    const [large, small] = [
      await stand.world.client({ owner: "large" }),
      await stand.world.client({ owner: "small" }),
    ];
    await many(stand, large.ownerId, 300);
    await many(stand, small.ownerId, 4);
    await stand.build();
    const { spread, shards } = await stand.active();
    expect([shards, [...spread.keys()], spread.get(large.ownerId)?.length]).toEqual([3, [large.ownerId], 3]);
    // The seal is one more; 300 memories leave none of three shards without a good many.
    const held = await onShards(stand);
    expect(held.reduce((sum, count) => sum + count)).toBe(305);
    expect(Math.min(...held)).toBeGreaterThan(50);
    expect(await differences(stand)).toBe(0);
  });

  test("what is written, changed and removed of a spread owner reaches the shard that has it", async () => {
    const stand = await openStand(SPREAD);
    const client = await stand.world.client();
    await many(stand, client.ownerId, 30);
    await stand.build();
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await stored(client, { content: `zebra ${n}` }));
    await stand.work();
    expect(await stand.countOf("zebra")).toBe(12);
    for (const id of ids.slice(0, 6)) await client.patch(`/v1/memories/${id}`, { content: "okapi now" });
    for (const id of ids.slice(6, 9)) await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    await stand.work();
    expect([await stand.countOf("zebra"), await stand.countOf("okapi")]).toEqual([3, 6]);
    expect(await differences(stand)).toBe(0);
  });

  test("memories that move from a spread owner to another are with the new one only, and back", async () => {
    const stand = await openStand(SPREAD);
    const [large, small] = [
      await stand.world.client({ owner: "large" }),
      await stand.world.client({ owner: "small" }),
    ];
    await many(stand, large.ownerId, 40);
    await stand.build();
    const move = async (from: string, to: string) => {
      // As a move leaves it: the rows are the new owner's, with a line for each of the two.
      await stand.sql`
        with moved as (
          update memories set owner_id = ${to}, revision = revision + 1 where owner_id = ${from} returning id, revision
        )
        insert into outbox (owner_id, memory, revision, kind)
        select ${from}::uuid, id, revision, 'remove' from moved
        union all select ${to}::uuid, id, revision, 'put' from moved`;
      await stand.work();
    };
    const heldBy = async (ownerId: string) => {
      const { name } = await stand.active();
      await ask(stand.node, "POST", `/${name}/_refresh`);
      const { body } = await ask(stand.node, "POST", `/${name}/_count`, {
        query: { term: { owner: ownerId } },
      });
      return body.count as number;
    };
    await move(large.ownerId, small.ownerId);
    expect([await heldBy(large.ownerId), await heldBy(small.ownerId)]).toEqual([0, 40]);
    expect(await differences(stand)).toBe(0);
    await move(small.ownerId, large.ownerId);
    expect([await heldBy(large.ownerId), await heldBy(small.ownerId)]).toEqual([40, 0]);
    expect(await differences(stand)).toBe(0);
  });

  test("another number of shards is built beside the index that serves, and what is written meanwhile is in it once", async () => {
    const stand = await openStand({ shards: 1 });
    const client = await stand.world.client();
    await many(stand, client.ownerId, 1200);
    await stand.build();
    const before = await stand.active();
    const stopping = new AbortController();
    const target = { ...stand.target, ...SPREAD };
    const how = { onProgress: (scanned: number) => void (scanned >= 500 && stopping.abort()) };
    expect(await stand.buildOf(target, { ...how, signal: stopping.signal })).toBe(false);
    expect((await stand.active()).name).toBe(before.name);
    const id = await stored(client, { content: "zebra meanwhile" });
    await stand.work();
    expect(await stand.countOf("zebra")).toBe(1);
    const scans: number[] = [];
    expect(await stand.buildOf(target, { onProgress: (scanned: number) => void scans.push(scanned) })).toBe(
      true,
    );
    expect(scans[0]).toBeGreaterThan(500);
    const after = await stand.active();
    expect([after.name === before.name, after.shards, after.spread.get(client.ownerId)?.length]).toEqual([
      false,
      3,
      3,
    ]);
    expect((await onShards(stand)).reduce((sum, count) => sum + count)).toBe(1202);
    expect([await stand.countOf("zebra"), await differences(stand)]).toEqual([1, 0]);
    await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    await stand.work();
    expect(await stand.countOf("zebra")).toBe(0);
  });

  test("a setting of another number of shards asks for another index at the start, and none where nothing is set", async () => {
    const stand = await openStand({ shards: 1 });
    await stand.build();
    const { generations, incarnations } = stand.ports;
    const state = createSearchIndexState(() => performance.now());
    const left = await lookAtIndexes({ engine: stand.engine, generations, incarnations, state });
    const needed = (shards: number | null, isStart: boolean) =>
      needOf(left, stand.engine, { ...stand.target, shards }, isStart).isBuildNeeded;
    expect([needed(1, true), needed(3, true), needed(3, false), needed(null, true)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test.each(runtimesUnderTest)(
    "a server on %s that is killed while it divides the index anew finishes it at its next start, and searches go on all the while",
    { timeout: 240_000 },
    async (runtime) => {
      const node = NODE as Node;
      const indices = ownIndices();
      const proxy = await openProxy(node.url);
      onTestFinished(async () => {
        await proxy.close();
        await indices.remove();
      });
      const at = await home();
      const env = { ...indices.settings, ELASTICSEARCH_URL: proxy.url };
      const divided = { ...env, ELASTICSEARCH_SHARDS: "3", ELASTICSEARCH_MEMORIES_PER_SHARD: "5" };
      const shardsOf = async () => {
        const { body } = await ask(node, "GET", `/_cat/shards/${indices.prefix}?format=json&h=index,docs`);
        return Array.isArray(body) ? (body as { index: string; docs: string }[]) : [];
      };
      const found = async (url: string) => {
        const { body } = await httpClient(url, KEY).get("/v1/memories/search?query=zebra&limit=50");
        return (body as { results: unknown[] }).results.length;
      };
      const first = await startServer(at, runtime, env);
      for (let n = 0; n < 24; n++)
        expect(
          (await httpClient(first.url, KEY).post("/v1/memories", { content: `zebra ${n}`, path: "zoo" }))
            .status,
        ).toBe(201);
      await eventually("the first index", async () => (await shardsOf()).length === 1 || undefined);
      await first.server.stop();
      await proxy.inject({ kind: "stall", at: "answer" }, ({ path }) => path.includes("_bulk"));
      const second = await startServer(at, runtime, divided);
      await eventually("the next index to be written", () => proxy.hits() > 0 || undefined);
      expect(await found(second.url)).toBe(24);
      await second.server.kill();
      await proxy.heal();
      const third = await startServer(at, runtime, divided);
      const shards = await eventually("three shards", async () => {
        const all = await shardsOf();
        return all.length === 3 ? all : undefined;
      });
      expect(new Set(shards.map(({ index }) => index)).size).toBe(1);
      await ask(node, "POST", `/${indices.prefix}/_refresh`);
      const { body } = await ask(node, "POST", `/${indices.prefix}/_count`, {
        query: { term: { deleted: false } },
      });
      expect(body.count).toBe(24);
      expect(await found(third.url)).toBe(24);
      await third.server.stop();
    },
  );
});
