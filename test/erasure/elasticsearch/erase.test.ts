/** What a real search engine holds of an owner after its erasure, asked of the engine itself. */
import { expect, onTestFinished, test } from "vitest";
import { openStand, type Stand } from "../../projection/elasticsearch/stand.ts";
import { eventually, freshOwner, stored, unguessable } from "../../support/acting.ts";
import {
  ask,
  describeOnElasticsearch,
  indicesOf,
  NODE,
  type Node,
  ownIndices,
} from "../../support/elasticsearch.ts";
import { columnsHolding } from "../../support/stored-text.ts";
import { openWorld } from "../../support/world.ts";
import { erase, leaveWords } from "../stage.ts";

/** Members of the little that may be left in place of a document, until it is purged. */
const OF_TOMBSTONES = ["deleted", "deleted_at", "revision"];

/** What an index has of an owner besides traces without content: fields by how many documents have them. */
async function heldOf(node: Node, index: string, ownerId: string): Promise<Record<string, number>> {
  const count = async (filter: object[]) =>
    (await ask(node, "POST", `/${index}/_count`, { query: { bool: { filter } } })).body.count as number;
  const { body } = await ask(node, "GET", `/${index}/_mapping`);
  const { properties } = (Object.values(body)[0] as { mappings: { properties: object } }).mappings;
  const isTheirs = { term: { _routing: ownerId } };
  const held: Record<string, number> = {};
  for (const field of Object.keys(properties).filter((name) => !OF_TOMBSTONES.includes(name))) {
    // The vectors of further passages are documents of their own below it.
    const exists =
      field === "more"
        ? { nested: { path: "more", query: { exists: { field: "more.vector" } } } }
        : { exists: { field } };
    const found = await count([isTheirs, exists]);
    if (found > 0) held[field] = found;
  }
  const named = await count([{ term: { owner: ownerId } }]);
  return named > 0 ? { ...held, "owner, by its id": named } : held;
}

/** The same of every index there is, the words besides; nothing at all is `{}`. */
async function leftIn(node: Node, prefix: string, ownerId: string, word: string) {
  await ask(node, "POST", `/${prefix}*/_refresh`);
  const left: Record<string, unknown> = {};
  for (const index of await indicesOf(node, prefix)) {
    const { body } = await ask(node, "POST", `/${index}/_count`, {
      query: { multi_match: { query: word, fields: ["content", "keywords", "path.exact", "source.exact"] } },
    });
    const held = await heldOf(node, index, ownerId);
    if (body.count > 0 || Object.keys(held).length > 0) left[index] = { words: body.count, ...held };
  }
  return left;
}

/** A text of several passages. */
const long = (word: string) =>
  Array.from({ length: 400 }, (_, n) => `Sentence ${n} of a long report about ${word} and much else.`).join(
    " ",
  );

async function many(stand: Stand, ownerId: string, count: number): Promise<void> {
  await stand.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), ${ownerId}, 'many-' || n, ${ownerId}, ${ownerId}, 'private', 'many', 'semantic', 'fact', 'active',
      'memory number ' || n, 1, 0.5, 0.5, '{}', '{}', now(), now() from generate_series(1, ${count}::int) n`;
}

describeOnElasticsearch("of an erased owner, with a search engine", () => {
  test("no index holds a document, a passage, a vector or a word, and the tombstones say nothing", {
    timeout: 240_000,
  }, async () => {
    const stand = await openStand();
    const [word, kept, name] = [unguessable(), unguessable(), freshOwner()];
    const client = await stand.world.client({ owner: name });
    const bystander = await stand.world.client({ owner: freshOwner() });
    for (const [one, said] of [
      [client, word],
      [bystander, kept],
    ] as const) {
      await leaveWords(one, said);
      await stored(one, { content: long(said), path: `long/${said}`, source: said });
    }
    await stand.build();
    await stand.work();
    const { name: index, uuid } = await stand.active();
    const { prefix } = stand.indices;
    // Otherwise the search below would prove nothing.
    const before = await heldOf(stand.node, index, client.ownerId);
    for (const field of [
      "content",
      "keywords",
      "path",
      "source",
      "pieces",
      "words",
      "vector",
      "more",
      "record",
    ])
      expect([field, before[field] ?? 0]).not.toEqual([field, 0]);
    const others = await heldOf(stand.node, index, bystander.ownerId);

    const receipt = await erase(stand.world, "user", name);
    expect(receipt.state).toBe("pending");
    await stand.work();
    expect(await leftIn(stand.node, prefix, client.ownerId, word)).toEqual({});
    expect(await heldOf(stand.node, index, bystander.ownerId)).toEqual(others);
    expect((await stand.world.service.erasures.receipt(receipt.id))?.state).toBe("confirmed");
    expect(await columnsHolding(stand.sql, word)).toEqual([]);
    // Each removed document has left its number and nothing else.
    const traces = await ask(stand.node, "POST", `/${index}/_count`, {
      query: { bool: { filter: [{ term: { _routing: client.ownerId } }, { term: { deleted: true } }] } },
    });
    expect(traces.body.count).toBe(receipt.removed.memories);
    const files = async () => {
      await ask(stand.node, "POST", `/${index}/_forcemerge?max_num_segments=1&flush=true`);
      await ask(stand.node, "POST", `/${index}/_flush?force=true`);
      return stand.filesHolding(uuid, [word, kept, client.ownerId]);
    };
    if ((await files()) === null) return;
    // Routing is what finds a tombstone again: the owner's id, which leads to nothing, stays until it is purged.
    await expect
      .poll(async () => [...((await files()) ?? []).keys()].toSorted(), { timeout: 200_000, interval: 2000 })
      .toEqual([kept, client.ownerId].toSorted());
    await stand.engine.purge(index, Date.now() + 1000);
    await expect
      .poll(async () => [...((await files()) ?? []).keys()], { timeout: 200_000, interval: 2000 })
      .toEqual([kept]);
  });

  test("an index that is being built beside it gets nothing of them, and the one that is replaced keeps nothing", {
    timeout: 240_000,
  }, async () => {
    const stand = await openStand();
    const [word, name] = [unguessable(), freshOwner()];
    const client = await stand.world.client({ owner: name });
    await leaveWords(client, word);
    await stored(client, { content: long(word), path: `long/${word}` });
    await many(stand, (await stand.world.client({ owner: freshOwner() })).ownerId, 1800);
    await stand.build();
    await stand.work();
    const first = (await stand.active()).name;
    // Midway: the owner's memories, which are the oldest, are in the new index already.
    const stopping = new AbortController();
    const isDone = await stand.build({
      signal: stopping.signal,
      onProgress: (scanned: number) => scanned >= 1000 && stopping.abort(),
    });
    expect(isDone).toBe(false);
    const { prefix } = stand.indices;
    const holding = await leftIn(stand.node, prefix, client.ownerId, word);
    expect(Object.keys(holding).length).toBeGreaterThan(0);

    const receipt = await erase(stand.world, "user", name);
    await stand.work();
    expect(await leftIn(stand.node, prefix, client.ownerId, word)).toEqual({});
    expect((await stand.world.service.erasures.receipt(receipt.id))?.state).toBe("confirmed");
    expect(await stand.build()).toBe(true);
    await stand.work();
    expect((await stand.active()).name).not.toBe(first);
    expect(await leftIn(stand.node, prefix, client.ownerId, word)).toEqual({});
  });

  test("an erasure that comes just after the new index has taken over leaves nothing in the one before either", {
    timeout: 240_000,
  }, async () => {
    const stand = await openStand();
    const [word, name] = [unguessable(), freshOwner()];
    const client = await stand.world.client({ owner: name });
    await leaveWords(client, word);
    await stand.build();
    expect(await stand.build()).toBe(true);
    await stand.work();
    const receipt = await erase(stand.world, "user", name);
    await stand.work();
    const isConfirmed = (await stand.world.service.erasures.receipt(receipt.id))?.state === "confirmed";
    expect([isConfirmed, await leftIn(stand.node, stand.indices.prefix, client.ownerId, word)]).toEqual([
      true,
      {},
    ]);
  });

  test("asked for over REST of a service with its engine, the receipt is confirmed when the engine has let go", {
    timeout: 240_000,
  }, async () => {
    const node = NODE as Node;
    const indices = ownIndices();
    const world = await openWorld(indices.settings);
    onTestFinished(async () => {
      await world.close();
      await indices.remove();
    });
    const [word, name] = [unguessable(), freshOwner()];
    const client = await world.client({ owner: name });
    await leaveWords(client, word);
    await stored(client, { content: long(word), path: `long/${word}` });
    await eventually(
      () => leftIn(node, indices.prefix, client.ownerId, word),
      (left) => Object.values(left).some((held) => (held as { vector?: number }).vector),
      120_000,
    );
    const { plan_hash, erasure_id } = (await client.post("/v1/erasures", {})).body;
    await client.post("/v1/erasures", { dry_run: false, confirm: name, plan_hash });
    await eventually(
      async () => {
        const response = await world.handle(new Request(`http://localhost/v1/erasures/${erasure_id}`));
        return response.json();
      },
      ({ state }) => state === "confirmed",
      120_000,
    );
    expect(await leftIn(node, indices.prefix, client.ownerId, word)).toEqual({});
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  });
});
