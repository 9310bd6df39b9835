/** Workers as services run them: several at once, killed, and left alone with an index that goes away. */
import { expect, onTestFinished, test } from "vitest";
import { createSearchIndexState } from "../../../src/core/projection/search-index-state.ts";
import { startWorker } from "../../../src/worker/worker.ts";
import { openProxy } from "../../faults/proxy.ts";
import { stored, unguessable } from "../../support/acting.ts";
import {
  ask,
  describeOnElasticsearch,
  indicesOf,
  NODE,
  type Node,
  ownIndices,
} from "../../support/elasticsearch.ts";
import { httpClient } from "../../support/http-client.ts";
import { eventually } from "../../support/processes.ts";
import { home, KEY, runtimes, startServer } from "../../support/server.ts";
import { openStand, type Stand } from "./stand.ts";

const node = NODE as Node;

/** A worker as a server has one, until the test ends. */
function working(stand: Stand) {
  const state = createSearchIndexState(() => performance.now());
  const told: string[] = [];
  const { embedder } = stand.world.service.ports;
  const worker = startWorker(
    {
      ...stand.ports,
      outbox: stand.outbox,
      embedder,
      index: { refresh: async () => {} },
      status: stand.status,
      onWritten: () => {},
      quotaWarning: async () => null,
      search: {
        engine: stand.engine,
        state,
        incarnations: stand.ports.incarnations,
        target: stand.target,
        newId: stand.ports.newId,
        embeddingsReady: () => true,
      },
    },
    { report: (error) => told.push(String(error)), log: (message) => told.push(message) },
  );
  return { state, told, stop: () => worker.stop() };
}

/** How many documents the engine was ever sent for an index. */
async function sentTo(index: string): Promise<number> {
  const { body } = await ask(node, "GET", `/${index}/_stats/indexing`);
  return body._all.primaries.indexing.index_total;
}

const isDone = (stand: Stand) => async () => (await stand.status()).pending === 0 || undefined;

describeOnElasticsearch("with a search engine", () => {
  test("two workers share an outbox without doing anything twice", async () => {
    const stand = await openStand();
    await stand.build();
    const index = await stand.active();
    const client = await stand.world.client();
    const sentBefore = await sentTo(index.name);
    const workers = [working(stand), working(stand), working(stand)];
    for (let n = 0; n < 20; n++) {
      const items = Array.from({ length: 20 }, (_, at) => ({
        content: `note ${n * 20 + at}`,
        path: "notes",
      }));
      expect(await client.post("/v1/memories/batch", { items })).toMatchObject({ status: 200 });
    }
    await eventually("the outbox to be done", isDone(stand));
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await sentTo(index.name)).toBe(sentBefore + 400);
    expect(await stand.countOf("note")).toBe(400);
  });

  test("an owner's lines are one worker's at a time, others are another's, and those of a dead one are taken over", async () => {
    const stand = await openStand();
    // From now on the stand's service, which has no engine, leaves lines alone.
    await stand.build();
    const [alice, bob] = [
      await stand.world.client({ owner: "alice" }),
      await stand.world.client({ owner: "bob" }),
    ];
    await stored(alice, { content: "first" });
    const first = await stand.outbox.claim(100);
    expect(first.lines.map(({ ownerId }) => ownerId)).toEqual([alice.ownerId]);
    await stored(alice, { content: "second" });
    await stored(bob, { content: "other" });
    const second = await stand.outbox.claim(100);
    expect(second.lines.map(({ ownerId }) => ownerId)).toEqual([bob.ownerId]);
    await stand.outbox.settle(second.lease, new Map(second.lines.map((line) => [line, { kind: "done" }])));
    expect((await stand.outbox.claim(100)).lines).toEqual([]);
    // Renewed it holds on; given up by a worker that died it does not.
    await stand.sql`update outbox_owners set leased_until = now() + interval '1 second'`;
    await stand.outbox.renew(first.lease);
    const [held] =
      await stand.sql`select leased_until > now() + interval '5 seconds' as is_long from outbox_owners`;
    expect(held).toEqual({ is_long: true });
    await stand.sql`update outbox_owners set leased_until = now() - interval '1 second'`;
    await stand.sql`update outbox set leased_until = now() - interval '1 second'`;
    const third = await stand.outbox.claim(100);
    expect(third.lines.map(({ ownerId }) => ownerId)).toEqual([alice.ownerId, alice.ownerId]);
    await stand.outbox.settle(third.lease, new Map(third.lines.map((line) => [line, { kind: "done" }])));
    expect(await stand.sql`select from outbox_owners`).toHaveLength(0);
  });

  test("of many workers that claim at one moment no two get lines of one owner", async () => {
    const stand = await openStand();
    await stand.build();
    for (const owner of ["a", "b", "c", "d", "e", "f"]) {
      const client = await stand.world.client({ owner });
      for (let n = 0; n < 4; n++) await stored(client, { content: `note ${n}` });
    }
    const claims = await Promise.all(Array.from({ length: 8 }, () => stand.outbox.claim(6)));
    const owners = claims.flatMap(({ lines }) => [...new Set(lines.map(({ ownerId }) => ownerId))]);
    expect(new Set(owners).size).toBe(owners.length);
    expect(owners.length).toBeGreaterThan(0);
  });

  test("an index that is deleted under a running worker is noticed, built anew and served, by itself", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    const word = unguessable();
    await stored(client, { content: word });
    const worker = working(stand);
    const serving = () => worker.state.current()?.index;
    const first = await eventually("an index", serving);
    await ask(node, "DELETE", `/${first}`);
    const again = async () => (serving() !== first ? serving() : undefined);
    const second = await eventually("another index", again);
    await eventually("what was written", async () => ((await stand.countOf(word)) === 1 ? true : undefined));
    await worker.stop();
    expect(await indicesOf(node, stand.indices.prefix)).toEqual([second]);
  });

  test("a server without the engine leaves lines to those that have it while there is an index", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    await stored(client);
    // The stand's service knows of no engine and has a worker, which looks five times a second.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await stand.status()).toMatchObject({ pending: 1 });
    // One that starts so says that there is no engine any more; the others learn it before anything is confirmed without.
    expect(await stand.ports.generations.retireAll()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await stand.status()).toMatchObject({ pending: 1 });
    await stand.sql`update index_generations set retired_at = now() - interval '1 hour'`;
    await stand.ports.generations.forgetRetired();
    await eventually("the line to be done without an engine", isDone(stand));
  });

  test.each(runtimes)(
    "what a server on %s was sending when it was killed, the next one sends",
    { timeout: 240_000 },
    async (runtime) => {
      const indices = ownIndices();
      const proxy = await openProxy(node.url);
      onTestFinished(async () => {
        await proxy.close();
        await indices.remove();
      });
      const at = await home();
      const env = { ...indices.settings, ELASTICSEARCH_URL: proxy.url };
      const first = await startServer(at, runtime, env);
      const countOf = async (word: string) => {
        await ask(node, "POST", `/${indices.prefix}/_refresh`);
        return (await ask(node, "POST", `/${indices.prefix}/_count`, { query: { match: { content: word } } }))
          .body.count;
      };
      const write = async (url: string, content: string) =>
        expect((await httpClient(url, KEY).post("/v1/memories", { content, path: "kill" })).status).toBe(201);
      await write(first.url, "before it all");
      await eventually("the first index", async () => ((await countOf("before")) === 1 ? true : undefined));
      await proxy.inject({ kind: "stall", at: "answer" }, ({ path }) => path.includes("_bulk"));
      for (let n = 0; n < 10; n++) await write(first.url, `caught ${n}`);
      await eventually("a batch under way", () => (proxy.hits() > 0 ? true : undefined));
      await first.server.kill();
      await proxy.heal();
      expect(await countOf("caught")).toBe(0);
      const second = await startServer(at, runtime, env);
      await write(second.url, "caught after");
      await eventually("what was caught", async () => ((await countOf("caught")) === 11 ? true : undefined));
      await second.server.stop();
    },
  );
});
