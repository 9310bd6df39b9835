/** The change feed on a real database: what an index reads while transactions commit in any order. */
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { storeVectors } from "../../src/adapters/postgres/recall/embeddings.ts";
import { createIndexFeed } from "../../src/adapters/postgres/recall/index-feed.ts";
import { createApplication } from "../../src/core/application.ts";
import { type Caller, callerOf } from "../../src/core/caller.ts";
import type { IndexChange, IndexDocument } from "../../src/recall/index/index-document.ts";
import { runs } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";

const OPEN_MAX = 6;
const operations = ["remember", "change", "soften", "erase"] as const;

/** A transaction of one or two operations on a memory of its own; `place` is when it ends, before larger ones. */
const someTransaction = fc.record({
  first: fc.constantFrom(...operations),
  second: fc.constantFrom(...operations),
  place: fc.nat(100),
  isUndone: fc.boolean(),
  /** Whether the index reads once it has begun, and once it has ended. */
  reads: fc.tuple(fc.boolean(), fc.boolean()),
});
type SomeTransaction = typeof someTransaction extends fc.Arbitrary<infer T> ? T : never;

test("an index that reads between transactions that commit out of order ends with exactly the record", {
  timeout: 180_000,
}, async () => {
  const { world, caller } = await openFeedWorld();
  await fc.assert(
    fc.asyncProperty(
      fc.array(someTransaction, { minLength: 2, maxLength: OPEN_MAX }),
      async (transactions) => {
        const index = await follow(world, caller);
        await runAll(world, caller, transactions, index.read);
        await settled(world);
        await index.read();
        const expected = await record(world);
        expect(index.documents()).toEqual(expected);
        const owned = await follow(world, caller);
        expect(owned.documents()).toEqual(expected);
      },
    ),
    { numRuns: runs(15), endOnFailure: true },
  );
});

test("what began first and commits last is read, however often others were read before", async () => {
  const { world, caller } = await openFeedWorld();
  const index = await follow(world, caller);
  const late = await begin(world, caller, "late", "remember", "change");
  for (const name of ["a", "b", "c"]) {
    await (await begin(world, caller, name, "remember", "change")).end(true);
    await index.read();
  }
  expect(index.documents()).toHaveLength(3);
  await late.end(true);
  await settled(world);
  await index.read();
  expect(index.documents()).toHaveLength(4);
  expect(index.documents()).toEqual(await record(world));
});

test("however much was written and erased since the last reading, the next one has all of it", async () => {
  const { world, caller } = await openFeedWorld();
  const index = await follow(world, caller);
  const written = Array.from({ length: 30 }, (_, at) => `m${at}`);
  for (const name of written) await (await begin(world, caller, name, "remember", "change")).end(true);
  await index.read();
  expect(index.documents()).toHaveLength(30);
  for (const name of written.slice(0, 20))
    await (await begin(world, caller, name, "erase", "erase")).end(true);
  await settled(world);
  await index.read();
  expect(index.documents()).toHaveLength(10);
  expect(index.documents()).toEqual(await record(world));
});

const vectorsOf = (...bytes: number[]) => ({ bytes: new Uint8Array(bytes), count: 1 });

test("a vector that is made after the write is read, and only that of the newest text", async () => {
  const { world, caller } = await openFeedWorld();
  const { sql, generation } = world.service;
  await (await begin(world, caller, "late", "remember", "change")).end(true);
  await settled(world);
  await sql`delete from embeddings`;
  const index = await follow(world, caller);
  expect(index.documents()).toEqual([expect.stringContaining("no vector")]);
  const [row] = await sql`select id, owner_id, revision from memories`;
  const made = { ownerId: row?.owner_id, memory: row?.id, revision: row?.revision, vectors: vectorsOf(1, 2) };
  await storeVectors(sql, generation, [{ ...made, revision: made.revision - 1, vectors: vectorsOf(9) }]);
  await index.read();
  expect(index.documents()).toEqual([expect.stringContaining("no vector")]);
  await storeVectors(sql, generation, [made]);
  await index.read();
  expect(index.documents()).toEqual([expect.stringContaining("active 0102")]);
  expect(index.documents()).toEqual(await record(world));
});

test("a vector that is there already is not replaced by one that is made of the same state of its memory", async () => {
  const { world, caller } = await openFeedWorld();
  const { sql, generation } = world.service;
  await (await begin(world, caller, "late", "remember", "change")).end(true);
  await settled(world);
  await sql`update embeddings set by_caller = true`;
  const index = await follow(world, caller);
  const [row] = await sql`select id, owner_id, revision from memories`;
  const vectors = vectorsOf(1, 2);
  expect(
    await storeVectors(sql, generation, [
      { ownerId: row?.owner_id, memory: row?.id, revision: row?.revision, vectors },
    ]),
  ).toEqual([]);
  await index.read();
  // An index keeps what it has of a revision.
  expect(index.documents()).toEqual(await record(world));
  expect(await sql`select by_caller from embeddings`).toEqual([{ by_caller: true }]);
});

test("a first reading is over only when all its batches are taken, the last and smallest too", async () => {
  const { world, caller } = await openFeedWorld();
  for (const name of ["a", "b", "c"])
    await (await begin(world, caller, name, "remember", "change")).end(true);
  let taken = 0;
  await feedOf(world).read(caller.owner.id, null, async (changes) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    taken += changes.length;
  });
  expect(taken).toBe(3);
});

test("a first reading whose taker refuses a batch is refused", async () => {
  const { world, caller } = await openFeedWorld();
  await (await begin(world, caller, "a", "remember", "change")).end(true);
  const refused = feedOf(world).read(caller.owner.id, null, async () => {
    throw new RangeError("too large");
  });
  await expect(refused).rejects.toThrow("too large");
});

async function openFeedWorld(): Promise<{ world: World; caller: Caller }> {
  const world = await openWorld({ DATABASE_CONNECTIONS: String(OPEN_MAX + 6) });
  onTestFinished(() => world.close());
  const client = await world.client();
  const credential = await world.service.credentials.authenticate(client.token);
  if (credential === null) throw new Error("The client has no credential.");
  const nobody = {
    agentId: null,
    agentName: null,
    agentInstance: null,
    sessionId: null,
    taskId: null,
    projectId: null,
  };
  const caller = callerOf(credential, nobody, { requestId: "test", hash: world.service.ports.hash });
  // The secret of receipts is made by the first of them; open transactions would wait for each other there.
  await (await begin(world, caller, "first", "remember", "erase")).end(true);
  return { world, caller };
}

const feedOf = ({ service }: World) => createIndexFeed(service.sql, service.generation);

/** Begins every transaction, ends them in the order of their places, and lets the index read in between. */
async function runAll(
  world: World,
  caller: Caller,
  transactions: readonly SomeTransaction[],
  read: () => Promise<void>,
): Promise<void> {
  const round = world.service.ports.newId();
  const open: { how: SomeTransaction; transaction: Awaited<ReturnType<typeof begin>> }[] = [];
  for (const [at, how] of transactions.entries()) {
    const name = `${round}-${at}`;
    // What changes or goes must be there before; only a memory that is new begins in the open transaction.
    if (how.first !== "remember") await (await begin(world, caller, name, "remember", "change")).end(true);
    open.push({ how, transaction: await begin(world, caller, name, how.first, how.second) });
    if (how.reads[0]) await read();
  }
  for (const { how, transaction } of open.toSorted((a, b) => a.how.place - b.how.place)) {
    await transaction.end(!how.isUndone);
    if (how.reads[1]) await read();
  }
}

/** Does two operations in one transaction and holds it open until `end`, which commits or undoes it. */
async function begin(
  world: World,
  caller: Caller,
  name: string,
  first: (typeof operations)[number],
  second: (typeof operations)[number],
): Promise<{ end(commits: boolean): Promise<void> }> {
  const { ports } = world.service;
  let end: (commits: boolean) => void = () => {};
  const ending = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  let over: Promise<unknown> = Promise.resolve();
  await new Promise<void>((isDone, failed) => {
    over = ports.store
      .transaction(caller, async (transaction) => {
        // The use cases' own transactions are this one.
        const within: Pick<typeof ports.store, "transaction" | "insertAlone"> = {
          transaction: (_, work) => work(transaction),
          insertAlone: (_, memory, vector, bearing) => transaction.insertAlone(memory, vector, bearing),
        };
        const store = { ...ports.store, ...within };
        const application = createApplication({ ...ports, store });
        await act(application, caller, name, first);
        await act(application, caller, name, second);
        isDone();
        if (!(await ending)) throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) failed(error);
      });
  });
  return {
    async end(commits) {
      end(commits);
      await over;
    },
  };
}

class Undone extends Error {}

async function act(
  application: ReturnType<typeof createApplication>,
  caller: Caller,
  name: string,
  what: (typeof operations)[number],
): Promise<void> {
  const memory_id = `memory-${name}`;
  const isThere = { remember: { memory_id, content: `said ${name}`, path: "a", dedupe: false } };
  const calls = {
    remember: () => application.call("remember", caller, isThere.remember),
    change: () => application.call("updateMemory", caller, { memory_id, content: `changed ${name}` }),
    soften: () => application.call("deleteMemory", caller, { memory_id }),
    erase: () => application.call("deleteMemory", caller, { memory_id, mode: "hard_delete" }),
  };
  // What is gone, or said otherwise by now, cannot be done again; that is no matter here.
  await calls[what]().catch((error: { code?: string }) => {
    if (!["not_found", "memory_id_conflict", "conflict"].includes(error.code ?? "")) throw error;
  });
}

/** Keeps the newest revision of each document, as an index does, and remembers what is gone. Has read once. */
async function follow(world: World, caller: Caller) {
  const feed = feedOf(world);
  const held = new Map<string, { revision: number; shown: string | null }>();
  let cursor: string | null = null;
  const apply = (change: IndexChange) => {
    const { id, revision } = change.kind === "put" ? change.document : change;
    if (revision <= (held.get(id)?.revision ?? -1)) return;
    held.set(id, { revision, shown: change.kind === "put" ? show(rowOf(change.document)) : null });
  };
  const read = async () => {
    cursor = await feed.read(caller.owner.id, cursor, (changes) => changes.forEach(apply));
  };
  await read();
  return { read, documents: () => [...held.values()].flatMap(({ shown }) => shown ?? []).toSorted() };
}

/** What an index should hold. */
async function record({ service }: World): Promise<string[]> {
  const rows = await service.sql`
    select m.id, m.content, m.status, e.vector from memories m
    left join embeddings e on e.memory = m.id and e.generation = ${service.generation}`;
  return rows.map((row) => show(row)).toSorted();
}

/** A document as the record would have it. */
function rowOf({ vectors, ...members }: IndexDocument) {
  return { ...members, vector: vectors?.bytes ?? null };
}

function show(row: Record<string, unknown>): string {
  const vector = row.vector === null ? "no vector" : Buffer.from(row.vector as Uint8Array).toString("hex");
  return [row.id, row.content, row.status, vector].join(" ");
}

/** Until the worker has done all that the writes left, so that no vector is made while the record is read. */
async function settled({ service }: World): Promise<void> {
  for (;;) {
    const [row] = await service.sql`select count(*) as lines from outbox`;
    if (Number(row?.lines) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
