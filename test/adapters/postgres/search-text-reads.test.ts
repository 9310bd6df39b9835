/** How many rows of memories a full-text search reads, by Postgres' own count: no more for an owner that has very many. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../../src/adapters/postgres/database/client.ts";
import { readWithin } from "../../../src/adapters/postgres/database/transactions.ts";
import { createMemoryStore } from "../../../src/adapters/postgres/memory/memory-store.ts";
import { everyLiveMemory } from "../../../src/core/memory/memory-filter.ts";
import type { TextSearch } from "../../../src/core/memory/memory-store.ts";
import { createDatabase } from "../../support/own-database.ts";
import { caller, OWNER } from "./whole-caller.ts";

const NEIGHBOUR = "00000000-0000-7000-8000-000000000002";
/** More than are looked through. */
const MEMORIES = 60_000;
const READ_MAX = 30_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Sql;

/** All of them are of the week, half are of the harbour, one in twenty is of cranes, one in fifty of ferries; two are of their own. */
beforeAll(async () => {
  database = await createDatabase();
  sql = connect(database.address, 1);
  await sql`insert into owners (id, kind, name) values (${OWNER}, 'user', 'alice'), (${NEIGHBOUR}, 'user', 'bob')`;
  await sql`set session_replication_role = replica`;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), o.id, 'm' || i, o.id, o.id, 'private', case i when 7 then 'tickets' else 'notes' end,
      'public', 'semantic', 'active',
      case i when 3 then 'The zyzzyva beetle of the week' when 7 then 'Ticket INC-55314 of the week'
        else concat_ws(' ', 'Note', i, 'of the week', case when i % 2 = 0 then 'harbour' end,
          case when i % 20 = 0 then 'cranes' end, case when i % 50 = 1 then 'ferries' end) end,
      1, 0.5, 1, '{}', '{}', t.at, t.at
    from generate_series(1, ${MEMORIES}::int) i
    join unnest(array[${OWNER}, ${NEIGHBOUR}]::uuid[]) o (id) on o.id = ${OWNER} or i <= 5000
    cross join lateral (select '2030-01-01'::timestamptz + i * interval '1 second' as at) t`;
  await sql`set session_replication_role = default`;
  await sql`vacuum analyze memories`;
  await sql`select recount_memories()`;
}, 120_000);
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relid = 'memories'::regclass`;
  return Number(row?.read);
}

async function searched(words: string, more: Partial<TextSearch> = {}) {
  const filter = everyLiveMemory(Date.now());
  const search = { words: words.split(" "), names: [], owners: [OWNER], filter, limit: 50, ...more };
  const before = await rowsRead();
  const found = await createMemoryStore(sql).searchText(caller, search);
  const read = (await rowsRead()) - before;
  const texts = await sql`
    select content from unnest(${found.ids as string[]}::uuid[]) with ordinality as f (id, place)
    join memories m on m.id = f.id and m.owner_id = ${OWNER} order by place`;
  return { ...found, texts: texts.map(({ content }) => content as string), read };
}

const BEETLE = "The zyzzyva beetle of the week";

test("a word that few have is found however many newer memories have the others", async () => {
  for (const words of ["zyzzyva", "week zyzzyva", "note week harbour cranes ferries zyzzyva"]) {
    const { texts, read, isPartial } = await searched(words);
    expect({ words, first: texts[0], isPartial }).toEqual({ words, first: BEETLE, isPartial: false });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(READ_MAX);
  }
});

test("of words that many have it finds those memories that have them together", async () => {
  const { texts, read, frequencies, memoryCount } = await searched("harbour cranes ferries week");
  for (const text of texts) expect(text).toContain("harbour cranes");
  expect(texts).toHaveLength(50);
  expect(read).toBeLessThan(READ_MAX);
  // More are not counted.
  expect(memoryCount).toBe(20_000);
  const [harbour, cranes, ferries, week] = frequencies.map((count) => count / memoryCount);
  expect(harbour).toBeCloseTo(1 / 2, 2);
  expect(cranes).toBeCloseTo(1 / 20, 2);
  expect(ferries).toBeCloseTo(1 / 50, 2);
  expect(week).toBe(1);
});

test("words that all have, none has or that say nothing cost no more", async () => {
  for (const [words, count] of [
    ["week", 50],
    ["week note", 50],
    ["quinces", 0],
    ["the of", 0],
    ["the", 0],
  ] as const) {
    const { texts, read } = await searched(words);
    expect({ words, count: texts.length }).toEqual({ words, count });
    expect(read).toBeLessThan(READ_MAX);
  }
});

test("what has a name comes first, and is found by it alone", async () => {
  for (const words of ["week note INC 55314", "the"]) {
    const { texts, read } = await searched(words, { names: ["INC-55314"] });
    expect(texts[0]).toBe("Ticket INC-55314 of the week");
    expect(read).toBeLessThan(READ_MAX);
  }
});

test("of a small part of an owner everything is searched, and counted", async () => {
  const filter = { ...everyLiveMemory(Date.now()), path: "tickets" };
  const { texts, memoryCount, frequencies, read } = await searched("week note", { filter });
  expect(texts).toEqual(["Ticket INC-55314 of the week"]);
  expect({ memoryCount, frequencies }).toEqual({ memoryCount: 1, frequencies: [1, 0] });
  expect(read).toBeLessThan(READ_MAX);
});

test("a statement that takes longer than it may is stopped, and the connection is there for the next", async () => {
  expect(await readWithin(sql, 20, (tx) => tx`select pg_sleep(600)`)).toBeNull();
  const [row] = await sql`select current_setting('statement_timeout') as limit`;
  expect(row?.limit).toBe("1min");
});
