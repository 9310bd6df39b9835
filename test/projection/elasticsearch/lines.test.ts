/** What becomes of outbox lines with a search engine. */
import { expect, test } from "vitest";
import type { Embedder } from "../../../src/core/embedding/embedder.ts";
import { DomainError } from "../../../src/core/error.ts";
import { stored, unguessable } from "../../support/acting.ts";
import { ask, describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { openStand, ownProxy, type Stand } from "./stand.ts";

describeOnElasticsearch("with a search engine", () => {
  test("a change is in the tail until searches show it, and then only in the index", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    const word = unguessable();
    const id = await stand.idOf(await stored(client, { content: `It says ${word}.` }));
    const before = await stand.tail.read([client.ownerId], 10, stand.generation);
    expect(before).toMatchObject({ ids: [id], documents: [{ id, content: `It says ${word}.` }] });
    expect(before.documents[0]?.vectors).not.toBeNull();
    expect(await stand.countOf(word)).toBe(0);
    expect(await stand.round()).toMatchObject({ outcomes: ["done"], failure: null });
    expect(await stand.countOf(word)).toBe(1);
    expect(await stand.tail.read([client.ownerId], 10, stand.generation)).toMatchObject({
      ids: [],
      documents: [],
    });
  });

  test("the tail is the owner's own, names what was removed, and counts what is beyond its limit", async () => {
    const stand = await openStand();
    await stand.build();
    const [alice, bob] = [await stand.world.client({ owner: "a" }), await stand.world.client({ owner: "b" })];
    const gone = await stored(alice, { content: "gone soon" });
    const goneId = await stand.idOf(gone);
    await stand.work();
    await alice.delete(`/v1/memories/${gone}?mode=hard_delete`);
    await stored(bob, { content: "not Alice's" });
    for (let n = 0; n < 5; n++) await stored(alice, { content: `note ${n}` });
    const tail = await stand.tail.read([alice.ownerId], 3, stand.generation);
    expect(tail.ids).toHaveLength(6);
    expect(tail.ids).toContain(goneId);
    expect(tail.documents.every(({ ownerId }) => ownerId === alice.ownerId)).toBe(true);
    expect(tail.missing).toEqual(new Map([[alice.ownerId, 3]]));
    expect(
      (await stand.tail.read([alice.ownerId, bob.ownerId], 100, stand.generation)).documents,
    ).toHaveLength(6);
  });

  test("the lines of one memory are one document, and its last state", async () => {
    const proxy = await ownProxy();
    const stand = await openStand({ through: proxy.url });
    await stand.build();
    const client = await stand.world.client();
    const id = await stored(client, { content: "first" });
    for (const content of ["second", "third"]) await client.patch(`/v1/memories/${id}`, { content });
    await proxy.inject({ kind: "delay", ms: () => 0 }, ({ path }) => path.includes("_bulk"));
    expect((await stand.round()).outcomes).toEqual(["done", "done", "done"]);
    expect(proxy.hits()).toBe(1);
    expect([await stand.countOf("first"), await stand.countOf("third")]).toEqual([0, 1]);
  });

  test("a receipt waits for the engine", async () => {
    const proxy = await ownProxy();
    const stand = await openStand({ through: proxy.url });
    await stand.build();
    const client = await stand.world.client();
    const word = unguessable();
    const id = await stored(client, { content: word });
    await stand.work();
    const { body } = await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    const state = async () => (await client.get(`/v1/receipts/${body.receipt.id}`)).body.state;
    await proxy.inject({ kind: "refuse" });
    const { outcomes, failure } = await stand.round();
    expect([outcomes, failure]).toEqual([["again"], expect.objectContaining({ reason: "away" })]);
    expect(await state()).toBe("pending");
    await proxy.heal();
    await stand.work();
    expect([await state(), await stand.countOf(word)]).toEqual(["confirmed", 0]);
  });

  test("a memory whose text the embedder refuses is found by its words, and holds up no other", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    const ids: string[] = [];
    for (const content of ["sound one", "poison", "sound two"])
      ids.push(await stand.idOf(await stored(client, { content })));
    await stand.sql`delete from embeddings`;
    const { embedder } = stand.world.service.ports;
    const refusing: Embedder = {
      ...embedder,
      embed: (texts) =>
        texts.includes("poison") ? Promise.reject(new TypeError("poison")) : embedder.embed(texts),
    };
    expect((await stand.round(refusing)).outcomes).toEqual(["done", "indexed", "done"]);
    expect(await stand.countOf("poison")).toBe(1);
    expect(await vectors(stand)).toEqual([ids[0], ids[2]].sort());
    for (let tries = 1; tries < 5; tries++) {
      await stand.sql`update outbox set available_at = now()`;
      await stand.round(refusing);
    }
    expect(await stand.status()).toMatchObject({ pending: 0, setAside: { "embedder: TypeError": 1 } });
    expect((await stand.round(refusing)).lines).toEqual([]);
    expect(await stand.outbox.retrySetAside()).toBe(1);
    await stand.work();
    expect(await stand.status()).toMatchObject({ pending: 0, unembedded: 0, setAside: {} });
    expect(await vectors(stand)).toHaveLength(3);
  });

  test("while the embedder is away memories are found by their words, and the vectors follow", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    await stored(client, { content: "written meanwhile" });
    await stand.sql`delete from embeddings`;
    let asked = 0;
    const { embedder } = stand.world.service.ports;
    const away: Embedder = {
      ...embedder,
      embed: () => {
        asked += 1;
        return Promise.reject(new DomainError("dependency_unavailable", "away"));
      },
    };
    expect((await stand.round(away)).outcomes).toEqual(["indexed"]);
    expect([asked, await stand.countOf("meanwhile"), (await vectors(stand)).length]).toEqual([1, 1, 0]);
    expect(await stand.tail.read([client.ownerId], 10, stand.generation)).toMatchObject({ ids: [] });
    expect(await stand.status()).toMatchObject({ pending: 0, unembedded: 1, setAside: {} });
    await stand.sql`update outbox set available_at = now()`;
    await stand.work();
    expect(await vectors(stand)).toHaveLength(1);
  });

  test("a document that the engine refuses is set aside, stays in the tail, leaves nothing older, and holds up no other", async () => {
    const stand = await openStand();
    await stand.build();
    const client = await stand.world.client();
    const poisoned = await stored(client, { content: "harmless at first" });
    await stand.work();
    await refuse(stand, "poison");
    await client.patch(`/v1/memories/${poisoned}`, { content: "poison now" });
    await stored(client, { content: "sound" });
    expect((await stand.round()).outcomes.toSorted()).toEqual(["done", "refused"]);
    expect([await stand.countOf("sound"), await stand.countOf("harmless")]).toEqual([1, 0]);
    for (let tries = 1; tries < 5; tries++) {
      await stand.sql`update outbox set available_at = now()`;
      await stand.round();
    }
    const { setAside } = await stand.status();
    expect(Object.keys(setAside)).toEqual([expect.stringMatching(/^engine: \w+$/)]);
    const tail = await stand.tail.read([client.ownerId], 10, stand.generation);
    expect(tail.documents).toMatchObject([{ content: "poison now" }]);
    // Another write of it that the engine takes clears it up.
    await client.patch(`/v1/memories/${poisoned}`, { content: "cured" });
    await stand.work();
    expect(await stand.status()).toMatchObject({ pending: 0, setAside: {} });
    expect(await stand.countOf("cured")).toBe(1);
  });

  test.each([
    ["has too much to do", 429, { error: { type: "es_rejected_execution_exception" }, status: 429 }],
    ["is too small for what is sent at once", 413, "too large"],
  ])(
    "what an engine that %s refuses is sent again, less at a time, until all of it is there",
    async (_, status, body) => {
      const proxy = await ownProxy();
      const stand = await openStand({ through: proxy.url });
      await stand.build();
      const client = await stand.world.client();
      for (let n = 0; n < 30; n++) await stored(client, { content: `note ${n} ${"word ".repeat(1500)}` });
      let left = 3;
      await proxy.inject({ kind: "answer", status, body, type: "text/html" }, ({ path }) => {
        if (!path.includes("_bulk")) return false;
        left -= 1;
        return left >= 0;
      });
      expect(await stand.round()).toMatchObject({ failure: null, outcomes: Array(30).fill("done") });
      expect(proxy.hits()).toBe(3);
      expect(await stand.countOf("note")).toBe(30);
    },
  );
});

async function vectors(stand: Stand): Promise<string[]> {
  const { body } = await ask(stand.node, "POST", `/${(await stand.active()).name}/_search`, {
    query: { exists: { field: "vector" } },
  });
  return body.hits.hits.map((hit: { _id: string }) => hit._id).sort();
}

/** From now on the index refuses documents with this word. */
async function refuse(stand: Stand, word: string): Promise<void> {
  const { name } = await stand.active();
  const processors = [
    { fail: { if: `ctx.content != null && ctx.content.contains('${word}')`, message: "no" } },
  ];
  await ask(stand.node, "PUT", `/_ingest/pipeline/${name}`, { processors });
  await ask(stand.node, "PUT", `/${name}/_settings`, { "index.final_pipeline": name });
}
