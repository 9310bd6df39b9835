/** Indexes that are stored in the record's database: of the record as it is, and with nothing that was erased. */
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { createEmbeddedIndex } from "../../src/adapters/embedded-index/embedded-index.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { createIncarnations } from "../../src/adapters/postgres/database/incarnation.ts";
import { createIndexFeed } from "../../src/adapters/postgres/recall/index-feed.ts";
import { createIndexSnapshots } from "../../src/adapters/postgres/recall/index-snapshots.ts";
import { packIndex } from "../../src/recall/index/in-memory/index-snapshot.ts";
import { OwnerIndex } from "../../src/recall/index/in-memory/owner-index.ts";
import { atOnce } from "../../src/recall/work.ts";
import { createDatabase } from "../support/own-database.ts";
import { ask, lexicon } from "../support/recall-fixtures.ts";
import { openWorld, openWorldOn } from "../support/world.ts";

const NEVER = new AbortController().signal;

/** A service with an owner's memories, and what servers that start beside it have of them in memory. */
async function storing() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const client = await world.client();
  const { sql, generation } = world.service;
  const server = ({ analysis = "as now" } = {}) => {
    const incarnations = createIncarnations(sql);
    const snapshots = createIndexSnapshots(sql, { generation, incarnations, analysis: async () => analysis });
    const feed = createIndexFeed(sql, generation, incarnations);
    const read = vi.spyOn(feed, "read");
    const index = createEmbeddedIndex({
      feed,
      snapshots,
      storedFrom: 1,
      lexicon,
      memoryBudgetBytes: 2 ** 28,
    });
    const asked = async (text = "zebra") =>
      (await ask(index, text, { owners: [client.ownerId] })).hits.map(({ id }) => id);
    /** Whether it began with a stored index. */
    const isRestored = async () => {
      await asked();
      return read.mock.calls[0]?.[1] !== null;
    };
    const store = () => index.store(NEVER);
    return { snapshots, asked, isRestored, store };
  };
  const stored = async (content: string): Promise<string> =>
    (await client.post("/v1/memories", { content, path: "a" })).body.id;
  /** Stores an index of what is there. */
  const store = async () => {
    const one = server();
    await one.asked();
    await one.store();
    expect(await one.snapshots.idOf(client.ownerId)).not.toBe(null);
  };
  const rows = async () =>
    (await sql`select count(*)::int as count from index_snapshots`)[0]?.count as number;
  return { world, client, sql, generation, server, stored, store, rows };
}

const packed = () => atOnce(packIndex(new OwnerIndex(lexicon)));

test("a server that starts answers from the stored index and from what has changed since", async () => {
  const { server, stored, store, client } = await storing();
  const ids = [await stored("a zebra"), await stored("another zebra runs")];
  await store();
  await stored("a third zebra");
  await client.patch(`/v1/memories/${ids[0]}`, { content: "a horse" });
  const [restarted, built] = [server(), server({ analysis: "another" })];
  expect([await restarted.isRestored(), await built.isRestored()]).toEqual([true, false]);
  for (const question of ["zebra", "horse", "third"]) {
    const hits = await restarted.asked(question);
    expect(hits).toHaveLength(3);
    expect(hits).toEqual(await built.asked(question));
  }
});

test("a stored index in doubt is not used", async () => {
  const { server, stored, store, sql } = await storing();
  await stored("a zebra");
  await store();
  expect(await server().isRestored()).toBe(true);
  expect(await server({ analysis: "another" }).isRestored()).toBe(false);
  const parts = await sql`select part, length(bytes) as length from index_snapshots where length(bytes) > 0`;
  for (const { part, length } of parts) {
    const flip = (byte: number) =>
      sql`update index_snapshots set bytes = set_byte(bytes, ${byte}::int, get_byte(bytes, ${byte}::int) # 4) where part = ${part}`;
    for (const byte of [0, length - 1]) {
      await flip(byte);
      expect([part, await server().isRestored()]).toEqual([part, false]);
      expect(await server().asked()).toHaveLength(1);
      await flip(byte);
    }
  }
  expect(await server().isRestored()).toBe(true);
  const { part } = parts.at(-1) as unknown as { part: number };
  await sql`delete from index_snapshots where part = ${part}`;
  expect(await server().isRestored()).toBe(false);
});

test("an index of any length is read, and its connection answers the next statement", async () => {
  const database = await createDatabase();
  const world = await openWorldOn(database);
  onTestFinished(() => world.close());
  const { ownerId } = await world.client();
  const { generation } = world.service;
  const sql = connect(database.address, 1);
  onTestFinished(() => sql.end());
  const incarnations = createIncarnations(sql);
  const snapshots = createIndexSnapshots(sql, { generation, incarnations, analysis: async () => "as now" });
  const cursor = (await createIndexFeed(sql, generation, incarnations).read(
    ownerId,
    null,
    () => {},
  )) as string;
  for (const length of [0, 1, 20_000, 50_000, 60_000, 100_000, 2 ** 20, 3 * 2 ** 20 + 1]) {
    const column = randomBytes(length);
    const pending = await snapshots.begin(ownerId);
    expect(await pending?.store({ description: "", columns: [column] }, cursor)).toBe(true);
    const read = await snapshots.load(ownerId);
    expect([length, read !== null && column.equals(read.bytes)]).toEqual([length, true]);
    expect(await sql`select 1 as one`).toHaveLength(1);
  }
});

test("a stored index of another life of the record is not used", async () => {
  const { server, stored, store, sql } = await storing();
  await stored("a zebra");
  await store();
  await sql`update record_incarnations set system = 'another'`;
  const restarted = server();
  expect(await restarted.isRestored()).toBe(false);
  expect(await restarted.asked()).toHaveLength(1);
});

test("a server that dies while it stores an index leaves the one before", async () => {
  const { server, stored, store, client, sql } = await storing();
  await stored("a zebra");
  await store();
  const dead = await server().snapshots.begin(client.ownerId);
  expect(dead).not.toBe(null);
  expect(await server().isRestored()).toBe(true);
  await server().snapshots.begin(client.ownerId);
  const [row] = await sql`select count(*)::int as count from index_snapshots where length(bytes) = 0`;
  expect(row?.count).toBe(1);
});

test("of two servers that store an owner's index, the one that began last does", async () => {
  const { server, stored, store, client } = await storing();
  await stored("a zebra");
  await store();
  const cursor = (await server().snapshots.load(client.ownerId))?.cursor as string;
  const [first, last] = [
    await server().snapshots.begin(client.ownerId),
    await server().snapshots.begin(client.ownerId),
  ];
  expect(await first?.store(packed(), cursor)).toBe(false);
  expect(await last?.store(packed(), cursor)).toBe(true);
  expect(await server().snapshots.idOf(client.ownerId)).toBe(last?.id);
});

const ERASURES: Record<string, (id: string, parts: Awaited<ReturnType<typeof storing>>) => Promise<unknown>> =
  {
    "hard delete": (id, { client }) => client.delete(`/v1/memories/${id}?mode=hard_delete`),
    redaction: (id, { client }) => client.delete(`/v1/memories/${id}?mode=redact`),
    move: async (id, { client, sql, world }) => {
      const { ownerId } = await world.client({ owner: "bob" });
      await sql`update memories set owner_id = ${ownerId} where owner_id = ${client.ownerId} and memory_id = ${id}`;
    },
    "removal of former versions": async (_, { client, sql }) =>
      sql`delete from memory_versions where owner_id = ${client.ownerId}`,
  };

for (const [what, erase] of Object.entries(ERASURES))
  test(`a ${what} removes the stored index with it`, async () => {
    const parts = await storing();
    const { stored, store, rows, client, server } = parts;
    const id = await stored("a zebra");
    await stored("another zebra");
    await client.patch(`/v1/memories/${id}`, { content: "a zebra that runs" });
    await store();
    const making = await server().snapshots.begin(client.ownerId);
    expect(await rows()).toBeGreaterThan(1);
    await erase(id, parts);
    expect(await rows()).toBe(0);
    // One that was read before the erasure is not stored after it.
    expect(await making?.store(packed(), "")).toBe(false);
    expect(await rows()).toBe(0);
    expect(await server().isRestored()).toBe(false);
  });

test("while something is being erased, no index is stored", async () => {
  const { server, stored, store, rows, client, sql } = await storing();
  await stored("a zebra");
  await store();
  const making = await server().snapshots.begin(client.ownerId);
  await sql.begin(async (tx) => {
    await tx`delete from memories where owner_id = ${client.ownerId}`;
    expect(await server().snapshots.begin(client.ownerId)).toBe(null);
    expect(await making?.store(packed(), "")).toBe(false);
  });
  expect(await rows()).toBe(0);
});

test("an index is stored again once enough has changed, or an erasure has removed it", async () => {
  const { server, stored, client, rows } = await storing();
  const id = await stored("a zebra");
  await stored("another zebra");
  const one = server();
  await one.asked();
  await one.store();
  const first = await one.snapshots.idOf(client.ownerId);
  await one.store();
  expect(await one.snapshots.idOf(client.ownerId)).toBe(first);
  await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  expect(await rows()).toBe(0);
  const later = server();
  await later.asked();
  await later.store();
  expect(await later.snapshots.idOf(client.ownerId)).not.toBe(null);
  expect(await server().isRestored()).toBe(true);
  expect(await server().asked()).toHaveLength(1);
});
