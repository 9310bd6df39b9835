/** Building an index beside the one that serves, checking it, and noticing that it is gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { checkIndex, compareIndex, IndexAhead } from "../../../src/core/projection/compare-index.ts";
import { OWNER_PORTIONS, portionOf } from "../../../src/core/projection/fingerprint.ts";
import { RETIRED_FOR_SECONDS } from "../../../src/core/projection/index-generations.ts";
import { lookAtIndexes, needOf } from "../../../src/core/projection/keep-index.ts";
import { createSearchIndexState } from "../../../src/core/projection/search-index-state.ts";
import type { IndexDocument } from "../../../src/recall/index/index-document.ts";
import { type Asked, openProxy, type Wanted } from "../../faults/proxy.ts";
import { freshOwner, stored, unguessable } from "../../support/acting.ts";
import { ask, describeOnElasticsearch, indicesOf, NODE, type Node } from "../../support/elasticsearch.ts";
import { openStand, type Stand } from "./stand.ts";

/** Memories by the hundred, as an import leaves them. */
async function many(stand: Stand, ownerId: string, count: number): Promise<void> {
  await stand.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), ${ownerId}, 'many-' || n, ${ownerId}, ${ownerId}, 'private', 'many', 'semantic', 'fact', 'active',
      'memory number ' || n, 1, 0.5, 0.5, '{}', '{}', now(), now() from generate_series(1, ${count}) n`;
}

/** What differs between the active index and the record, by a full look. */
async function differences(stand: Stand): Promise<number> {
  const found = await compareIndex(stand.ports, await stand.active());
  return found.missing + found.outdated + found.foreign;
}

function watched(stand: Stand) {
  const state = createSearchIndexState(() => performance.now());
  const { generations, incarnations } = stand.ports;
  return { engine: stand.engine, generations, incarnations, state };
}

describeOnElasticsearch("with a search engine", () => {
  test("a build that was interrupted goes on where it was, with what was written, changed and deleted meanwhile", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    await many(stand, client.ownerId, 1800);
    const early = [
      await stored(client, { content: "changed later" }),
      await stored(client, { content: "deleted later" }),
    ];
    const stopping = new AbortController();
    const scans: number[] = [];
    const stopped = await stand.build({
      signal: stopping.signal,
      onProgress: (scanned: number) => {
        scans.push(scanned);
        if (scanned >= 1000) stopping.abort();
      },
    });
    expect([stopped, await stand.active(), scans.at(-1)]).toEqual([false, undefined, 1000]);
    await client.patch(`/v1/memories/${early[0]}`, { content: "changed now" });
    await client.delete(`/v1/memories/${early[1]}?mode=hard_delete`);
    await stored(client, { content: "written meanwhile" });
    // The lines are done before the scan goes on: they went to the index that is being built.
    await stand.work();
    expect(await stand.build({ onProgress: (scanned: number) => scans.push(scanned) })).toBe(true);
    expect(scans.filter((scanned) => scanned <= 500)).toHaveLength(1);
    const counted = await Promise.all(
      ["memory", "now", "later", "meanwhile"].map((word) => stand.countOf(word)),
    );
    expect(counted).toEqual([1800, 1, 0, 1]);
    expect(await differences(stand)).toBe(0);
  });

  test("an index is filled in haste, with lines of the outbox shown all the same, and settled before it is searched", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    await many(stand, client.ownerId, 1200);
    const settingsOf = async (index: string) => {
      const { body } = await ask(stand.node, "GET", `/${index}/_settings?flat_settings=true`);
      const { settings } = body[index] as { settings: Record<string, string> };
      return [settings["index.refresh_interval"], settings["index.translog.durability"]];
    };
    const stopping = new AbortController();
    await stand.build({ signal: stopping.signal, onProgress: () => stopping.abort() });
    const [index] = (await indicesOf(stand.node, stand.indices.prefix)) as [string];
    expect(await settingsOf(index)).toEqual([undefined, "async"]);
    await stored(client, { content: "a walnut, written meanwhile" });
    await stand.work();
    const { body } = await ask(stand.node, "POST", `/${index}/_count`, {
      query: { match: { content: "walnut" } },
    });
    expect(body.count).toBe(1);
    expect(await stand.build()).toBe(true);
    expect(await settingsOf(index)).toEqual(["1s", "request"]);
    expect(await stand.countOf("memory")).toBe(1200);
  });

  test("vectors are not looked for in a source that is not kept", async () => {
    const stand = await openStand();
    expect(await stand.build()).toBe(true);
    const { name } = await stand.active();
    const { body } = await ask(stand.node, "GET", `/${name}/_settings`);
    expect(body[name].settings.index.mapping).toEqual({ exclude_source_vectors: "false" });
  });

  test("an engine that does not know how to leave out graphs gets an index that says nothing of it", async () => {
    const proxy = await openProxy((NODE as Node).url);
    onTestFinished(() => proxy.close());
    const stand = await openStand({ through: proxy.url });
    const client = await stand.world.client();
    await stored(client, { content: "a walnut" });
    const isCreation = ({ method, path }: Asked) => method === "PUT" && /^\/[^/?]+(\?|$)/.test(path);
    // As an older engine: it refuses an option that it has never heard of.
    const instead = ({ path, body }: Wanted) => ({
      path,
      body: body.replaceAll("flat_index_threshold", "unheard_of"),
    });
    await proxy.inject({ kind: "ask", instead }, isCreation);
    expect(await stand.build()).toBe(true);
    expect(proxy.hits()).toBe(2);
    const { name } = await stand.active();
    const { body } = await ask(stand.node, "GET", `/${name}/_mapping`);
    expect(body[name].mappings.properties.vector.index_options).toEqual({
      type: "hnsw",
      m: 16,
      ef_construction: 100,
    });
    expect(await stand.countOf("walnut")).toBe(1);
  });

  test("one process builds at a time", async () => {
    const stand = await openStand();
    let isSecondRefused: boolean | null = null;
    await stand.ports.generations.whileBuilding(async () => {
      isSecondRefused = (await stand.ports.generations.whileBuilding(() => stand.build())) === null;
    });
    expect(isSecondRefused).toBe(true);
    expect(await stand.ports.generations.whileBuilding(() => stand.build())).toBe(true);
  });

  test("while the index is replaced under load nobody is without one, and nothing acknowledged is in neither tail nor index", {
    timeout: 240_000,
  }, async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    await many(stand, client.ownerId, 1500);
    const first = await stand.active();
    const acknowledged: string[] = [];
    const faults: string[] = [];
    let isOver = false;
    const writer = async () => {
      while (!isOver) acknowledged.push(await stand.idOf(await stored(client, { content: unguessable() })));
    };
    const worker = async () => {
      while (!isOver) await stand.round();
    };
    const reader = async () => {
      while (!isOver) {
        const wanted = [...acknowledged];
        const index = await stand.active();
        const tail = await stand.tail.read([client.ownerId], 5000, stand.generation);
        const { body, status } = await ask(stand.node, "POST", `/${index.name}/_search`, {
          size: 10_000,
          query: {
            bool: { must_not: { term: { path: "many" } }, filter: { term: { owner: client.ownerId } } },
          },
        });
        if (status !== 200) faults.push(`status ${status}`);
        const shown = new Set([
          ...tail.ids,
          ...(body.hits?.hits ?? []).map((hit: { _id: string }) => hit._id),
        ]);
        faults.push(...wanted.filter((id) => !shown.has(id)));
        const alias = await ask(stand.node, "GET", `/_alias/${stand.indices.prefix}`);
        if (Object.keys(alias.body).length !== 1) faults.push("the alias names no index, or two");
      }
    };
    const running = [writer(), writer(), worker(), worker(), reader()];
    expect(await stand.build()).toBe(true);
    await sleep(500);
    isOver = true;
    await Promise.all(running);
    const second = await stand.active();
    expect(second.name).not.toBe(first.name);
    expect(faults).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(5);
    await stand.work();
    expect(await differences(stand)).toBe(0);
    // The old one is written as long as a server may search it, then dropped.
    const keep = watched(stand);
    expect((await lookAtIndexes(keep)).map(({ state }) => state).toSorted()).toEqual(["active", "retired"]);
    await stand.sql`update index_generations set retired_at = now() - make_interval(secs => ${RETIRED_FOR_SECONDS + 1})
      where state = 'retired'`;
    expect((await lookAtIndexes(keep)).map(({ name }) => name)).toEqual([second.name]);
    expect(await indicesOf(stand.node, stand.indices.prefix)).toEqual([second.name]);
  });

  test.each(["deleted", "replaced by an empty one of the same name", "taken away its alias"])(
    "an index that somebody has %s is noticed at the next look, and not used",
    async (how) => {
      const stand = await openStand();
      const client = await stand.world.client();
      await stored(client, { content: "kept in the record" });
      await stand.build();
      const keep = watched(stand);
      const { name } = await stand.active();
      await lookAtIndexes(keep);
      expect(keep.state.current()).toEqual({
        index: name,
        embeddingGeneration: stand.generation,
        spread: new Map(),
      });
      if (how.startsWith("taken")) await ask(stand.node, "DELETE", `/${name}/_alias/${name}-write`);
      else await ask(stand.node, "DELETE", `/${name}`);
      if (how.startsWith("replaced"))
        await ask(stand.node, "PUT", `/${name}`, { aliases: { [`${name}-write`]: {} } });
      // Writes wait: nothing is confirmed by an index that is not the one.
      await stored(client, { content: "written meanwhile" });
      // The first memory's line may wait with it, if the index was built before the service had done it.
      if (how.startsWith("deleted"))
        expect(new Set((await stand.round()).outcomes)).toEqual(new Set(["again"]));
      const left = await lookAtIndexes(keep);
      expect([left, keep.state.current(), keep.state.reason()]).toEqual([[], null, "there is no index"]);
      expect(needOf(left, stand.engine, stand.target, false)).toMatchObject({ isBuildNeeded: true });
      expect(await stand.build()).toBe(true);
      await lookAtIndexes(keep);
      expect(keep.state.current()).not.toBeNull();
      expect([await stand.countOf("kept"), await stand.countOf("written")]).toEqual([1, 1]);
    },
  );

  test("a write to an index that is gone does not make another", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    const { name } = await stand.active();
    await ask(stand.node, "DELETE", `/${name}`);
    await stored(client);
    expect((await stand.round()).failure).toMatchObject({ reason: "building" });
    expect(await indicesOf(stand.node, stand.indices.prefix)).toEqual([]);
  });

  test("a comparison finds what is missing, outdated or too much, and puts it right", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    const ids = [];
    for (let n = 0; n < 6; n++)
      ids.push(await stand.idOf(await stored(client, { content: `original ${n}` })));
    await many(stand, client.ownerId, 700);
    await stand.build();
    await stand.work();
    const index = await stand.active();
    const options = { readAt: Date.now(), isShown: true };
    const [document] = await stand.ports.source.documents(
      [{ ownerId: client.ownerId, memory: ids[0] as string }],
      stand.generation,
    );
    if (!document) throw new Error("no such memory");
    // Somebody deletes one, long enough ago that the engine has forgotten it; a removal was lost, and a change was.
    await ask(stand.node, "PUT", `/${index.name}/_settings`, { "index.gc_deletes": "1ms" });
    await ask(stand.node, "DELETE", `/${index.name}/_doc/${ids[1]}?routing=${client.ownerId}&refresh=true`);
    await sleep(50);
    await stand.engine.refresh(index.name);
    const strange = { ...document, id: "00000000-0000-7000-8000-00000000abcd", content: "a stranger" };
    await stand.engine.write(index, [{ kind: "put", document: strange }], options);
    await stand.sql`update memories set content = 'changed behind all', revision = revision + 1 where id = ${ids[2] as string}`;
    expect(await compareIndex(stand.ports, index)).toMatchObject({
      missing: 1,
      outdated: 1,
      foreign: 1,
      refused: 0,
    });
    expect(await compareIndex(stand.ports, index)).toMatchObject({ missing: 0, outdated: 0, foreign: 0 });
    const counted = await Promise.all(["original", "stranger", "behind"].map((word) => stand.countOf(word)));
    expect(counted).toEqual([5, 0, 1]);
  });

  test("what waits in the outbox is no difference", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    await stored(client);
    expect(await differences(stand)).toBe(0);
    await stand.sql`delete from outbox`;
    const portion = (portionOf(client.ownerId) + 1) % OWNER_PORTIONS;
    expect(await checkIndex(stand.ports, await stand.active(), { portion })).toMatchObject({ missing: 1 });
  });

  test("a check finds at once what is missing or too much of any owner, and what is outdated in the portion's turn", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    const other = await stand.world.client({ owner: freshOwner() });
    const ids = [];
    for (const one of [client, client, client, other])
      ids.push(await stand.idOf(await stored(one, { content: "original" })));
    await stand.build();
    await stand.work();
    const index = await stand.active();
    const turn = portionOf(client.ownerId);
    const check = (portion: number) => checkIndex(stand.ports, index, { portion });
    const NONE = { missing: 0, outdated: 0, foreign: 0 };
    for (let portion = 0; portion < OWNER_PORTIONS; portion++)
      expect(await check(portion)).toMatchObject(NONE);
    // Behind the projection's back, so that nothing waits in the outbox.
    await ask(stand.node, "PUT", `/${index.name}/_settings`, { "index.gc_deletes": "1ms" });
    await ask(stand.node, "DELETE", `/${index.name}/_doc/${ids[0]}?routing=${client.ownerId}&refresh=true`);
    // The engine's clock for what it forgets ticks every 200 ms.
    await sleep(600);
    await stand.engine.refresh(index.name);
    const elsewhere = (turn + 1) % OWNER_PORTIONS;
    expect(await check(elsewhere)).toMatchObject({ ...NONE, missing: 1 });
    expect(await check(elsewhere)).toMatchObject(NONE);
    const [document] = await stand.ports.source.documents(
      [{ ownerId: client.ownerId, memory: ids[1] as string }],
      stand.generation,
    );
    const strange = { ...(document as IndexDocument), id: "00000000-0000-7000-8000-00000000abcd" };
    await stand.engine.write(index, [{ kind: "put", document: strange }], {
      readAt: Date.now(),
      isShown: true,
    });
    expect(await check(elsewhere)).toMatchObject({ ...NONE, foreign: 1 });
    await stand.sql`update memories set content = 'changed behind all', revision = revision + 1 where id = ${ids[2] as string}`;
    expect(await check(elsewhere)).toMatchObject(NONE);
    expect(await check(turn)).toMatchObject({ ...NONE, outdated: 1 });
    expect(await check(turn)).toMatchObject(NONE);
    const counted = await Promise.all(["original", "behind"].map((word) => stand.countOf(word)));
    expect(counted).toEqual([3, 1]);
    expect(await differences(stand)).toBe(0);
  });

  test("each hour's check is one server's, and of another portion than the last", async () => {
    const stand = await openStand();
    await stand.build();
    const { generations } = stand.ports;
    const due: (number | null)[] = [await generations.checkDue()];
    for (let hour = 0; hour < 2; hour++) {
      await stand.sql`update index_generations set touched_at = now() - interval '61 minutes'`;
      due.push(await generations.checkDue(), await generations.checkDue());
    }
    expect(due).toEqual([null, 0, null, 1, null]);
  });

  test("an index that is ahead of a record from a backup is told, and not trusted", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    const memoryId = await stored(client, { content: "as of the backup" });
    await client.patch(`/v1/memories/${memoryId}`, { content: "after the backup" });
    await stand.build();
    await stand.work();
    await stand.sql`update memories set content = 'as of the backup', revision = 1`;
    await expect(differences(stand)).rejects.toBeInstanceOf(IndexAhead);
  });

  test("a copy of the database neither uses nor removes the indexes of the one it was made from", async () => {
    const [original, copy] = [await openStand(), await openStand()];
    await original.build();
    const theirs = await original.active();
    // The copy has the row, and reaches the same engine by the same prefix.
    await copy.sql`
      insert into index_generations (name, alias, uuid, mapping_version, embedding_generation, state, total)
      values (${theirs.name}, ${theirs.alias}, ${theirs.uuid}, ${theirs.mappingVersion}, ${copy.generation}, 'active', 0)`;
    expect(await lookAtIndexes(watched(copy))).toEqual([]);
    expect(await copy.build()).toBe(true);
    expect(await indicesOf(copy.node, original.indices.prefix)).toEqual([theirs.name]);
  });

  test("an index of the mapping before facts held for a time takes such facts, in its own form", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    await stand.build();
    await stand.sql`update index_generations set mapping_version = 2`;
    const said = { semantic_key: "host" };
    await stored(client, { ...said, content: "usual" });
    await stored(client, { ...said, content: "fornow", expires_at: "2999-01-01T00:00:00Z" });
    await stand.work();
    expect([await stand.countOf("usual"), await stand.countOf("fornow")]).toEqual([1, 1]);
    const { name } = await stand.active();
    const { body } = await ask(stand.node, "POST", `/${name}/_count`, {
      query: { exists: { field: "superseded_until" } },
    });
    expect(body.count).toBe(0);
  });

  test("a memory that the engine refuses does not stop a build, and stays in the tail", async () => {
    const stand = await openStand();
    const client = await stand.world.client();
    await stored(client, { content: "poison" });
    await stored(client, { content: "sound" });
    const processors = [
      { fail: { if: "ctx.content != null && ctx.content.contains('poison')", message: "no" } },
    ];
    await ask(stand.node, "PUT", `/_ingest/pipeline/${stand.indices.prefix}`, { processors });
    await ask(stand.node, "PUT", `/_index_template/${stand.indices.prefix}`, {
      index_patterns: [`${stand.indices.prefix}-*`],
      template: { settings: { "index.final_pipeline": stand.indices.prefix } },
    });
    await stand.sql`delete from outbox`;
    expect(await stand.build()).toBe(true);
    expect([await stand.countOf("poison"), await stand.countOf("sound")]).toEqual([0, 1]);
    const tail = await stand.tail.read([client.ownerId], 10, stand.generation);
    expect(tail.documents).toMatchObject([{ content: "poison" }]);
  });
});
