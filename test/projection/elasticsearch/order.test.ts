/** Changes that reach the engine late, twice or in another order than they were made. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineChange } from "../../../src/core/projection/search-engine.ts";
import { IndexUnavailable } from "../../../src/recall/index/index-unavailable.ts";
import { bind, register, user } from "../../agents/agents.ts";
import { stored, unguessable } from "../../support/acting.ts";
import { ask, describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { runs } from "../../support/random.ts";
import { openStand, type Stand } from "./stand.ts";

/** What a worker has in hand that read the record just now. */
async function inHand({ ports, generation, sql }: Stand, id: string): Promise<EngineChange> {
  const [row] = await sql`select owner_id from memories where id = ${id}`;
  const [document] = await ports.source.documents([{ ownerId: row?.owner_id, memory: id }], generation);
  if (!document) throw new Error("no such memory");
  return { kind: "put", document };
}

describeOnElasticsearch("with a search engine", () => {
  test("what was deleted stays so when a worker that stood still sends it at last, even after the engine has forgotten deletes", async () => {
    const stand = await openStand();
    await stand.build();
    const index = await stand.active();
    await ask(stand.node, "PUT", `/${index.name}/_settings`, { "index.gc_deletes": "1ms" });
    const client = await stand.world.client();
    const word = unguessable();
    const memoryId = await stored(client, { content: word });
    const id = await stand.idOf(memoryId);
    await stand.work();
    const late = await inHand(stand, id);
    const readAt = Date.now();
    await client.delete(`/v1/memories/${memoryId}?mode=hard_delete`);
    await stand.work();
    await ask(stand.node, "POST", `/${index.name}/_refresh`);
    expect(await stand.engine.write(index, [late], { readAt, isShown: true })).toEqual([{ refused: null }]);
    expect(await stand.countOf(word)).toBe(0);
    expect(await stand.held(id, client.ownerId)).toMatchObject({ isRemoved: true });
  });

  test("what a removal left is purged in time, and what was read before that is not sent any more", async () => {
    const stand = await openStand();
    await stand.build();
    const index = await stand.active();
    const client = await stand.world.client();
    const [kept, gone] = [
      await stored(client, { content: "kept" }),
      await stored(client, { content: "gone" }),
    ];
    const [keptId, goneId] = [await stand.idOf(kept), await stand.idOf(gone)];
    const late = await inHand(stand, goneId);
    await client.delete(`/v1/memories/${gone}?mode=hard_delete`);
    await stand.work();
    await stand.engine.purge(index.name, Date.now() - 60_000);
    await stand.engine.refresh(index.name);
    expect(await stand.held(goneId, client.ownerId)).toMatchObject({ isRemoved: true });
    await stand.engine.purge(index.name, Date.now() + 1000);
    await stand.engine.refresh(index.name);
    expect(await stand.held(goneId, client.ownerId)).toBeNull();
    expect(await stand.held(keptId, client.ownerId)).toMatchObject({ isRemoved: false });
    const daysAgo = { readAt: Date.now() - 86_400_000, isShown: true };
    await expect(stand.engine.write(index, [late], daysAgo)).rejects.toBeInstanceOf(IndexUnavailable);
  });

  test("whatever order and however often the states of memories arrive in, the last one stays", {
    timeout: 240_000,
  }, async () => {
    const stand = await openStand();
    await stand.build();
    const index = await stand.active();
    const client = await stand.world.client();
    const memoryId = await stored(client, { content: "revision 1" });
    const template = await inHand(stand, await stand.idOf(memoryId));
    if (template.kind !== "put") throw new Error("not a put");
    let tries = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        fc.array(fc.nat({ max: 20 }), { minLength: 6, maxLength: 14 }),
        async (revisions, isRemoved, picks) => {
          tries += 1;
          const id = `00000000-0000-7000-8000-${String(tries).padStart(12, "0")}`;
          const ownerId = client.ownerId;
          const states = Array.from({ length: revisions * 2 }, (_, n): EngineChange => {
            const document = {
              ...template.document,
              id,
              ownerId,
              revision: n + 2,
              content: `revision ${n + 2}`,
            };
            return { kind: "put", document };
          });
          const last = isRemoved ? revisions * 2 + 2 : revisions * 2 + 1;
          if (isRemoved) states.push({ kind: "remove", id, ownerId, revision: last });
          const arrivals = [...picks.map((pick) => states[pick % states.length] as EngineChange)];
          arrivals.splice((picks[0] as number) % arrivals.length, 0, states.at(-1) as EngineChange);
          const half = Math.floor(arrivals.length / 2);
          for (const part of [arrivals.slice(0, half), arrivals.slice(half)])
            await stand.engine.write(index, part, { readAt: Date.now(), isShown: false });
          await stand.engine.refresh(index.name);
          expect(await stand.held(id, ownerId)).toMatchObject({ revision: last, isRemoved });
        },
      ),
      { numRuns: runs(80) },
    );
  });

  test.each([1, 5])(
    "a memory that moves to another owner is the new one's alone, whatever arrives last (%i shards)",
    async (shards) => {
      const stand = await openStand({ shards });
      await stand.build();
      const index = await stand.active();
      for (let n = 0; n < 4; n++) {
        const agent = await register(stand.world);
        const memoryId = await stored(agent.client, { content: `note ${unguessable()}` });
        const id = await stand.idOf(memoryId);
        await stand.work();
        // As of before its vector, which is the revision that a removal is nearest to.
        const late = await inHand(stand, id);
        const [row] = await stand.sql`select owner_id from memories where id = ${id}`;
        const quarantine = row?.owner_id as string;
        const owner = await user(stand.world);
        await bind(stand.world, agent, owner);
        await stand.sql`delete from embeddings where memory = ${id}`;
        const moved = await inHand(stand, id);
        if (n % 2 === 0) await stand.work();
        await stand.engine.write(index, [moved], { readAt: Date.now(), isShown: false });
        await stand.engine.write(index, [late], { readAt: Date.now(), isShown: false });
        await stand.work();
        expect(await stand.held(id, owner.id)).toMatchObject({ isRemoved: false });
        expect([null, true]).toContain((await stand.held(id, quarantine))?.isRemoved ?? null);
      }
    },
  );

  test("text that was deleted for good or redacted is in no search and no document, and after a merge in no file", {
    timeout: 240_000,
  }, async ({ skip }) => {
    const stand = await openStand();
    await stand.build();
    const index = await stand.active();
    const client = await stand.world.client();
    const words = { deleted: unguessable("d"), redacted: unguessable("r"), kept: unguessable("k") };
    const ids = Object.fromEntries(
      await Promise.all(
        Object.entries(words).map(async ([name, word]) => [
          name,
          await stored(client, { content: `It is ${word}.` }),
        ]),
      ),
    );
    await stand.work();
    const flushed = async () => {
      await ask(stand.node, "POST", `/${index.name}/_forcemerge?max_num_segments=1&flush=true`);
      await ask(stand.node, "POST", `/${index.name}/_flush?force=true`);
      return stand.filesHolding(index.uuid, Object.values(words));
    };
    const before = await flushed();
    if (before === null) return skip("the node keeps its files on another machine");
    expect([...before.keys()].toSorted()).toEqual(Object.values(words).toSorted());
    await client.delete(`/v1/memories/${ids.deleted}?mode=hard_delete`);
    await client.delete(`/v1/memories/${ids.redacted}?mode=redact`);
    await stand.work();
    for (const word of [words.deleted, words.redacted]) expect(await stand.countOf(word)).toBe(0);
    expect(await stand.countOf(words.kept)).toBe(1);
    await expect
      .poll(async () => [...((await flushed()) ?? []).keys()], { timeout: 200_000, interval: 2000 })
      .toEqual([words.kept]);
  });
});
