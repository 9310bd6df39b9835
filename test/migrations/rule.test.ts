/** No new migration reads, writes or rewrites a table that grows with use in one transaction: each is tried on rows. */
import { readdirSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { TransactionSql } from "../../src/adapters/postgres/database/client.ts";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import {
  MIGRATIONS,
  type Migration,
  readMigration,
} from "../../src/adapters/postgres/database/migration-file.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { createDatabase, ownDatabase } from "../support/own-database.ts";
import { ROWS, rowsEverywhere } from "./rows-everywhere.ts";

const FIRST_SCHEMA = "000002_record.sql";

/** Later than the schema that an empty database begins with. */
const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith(".sql") && name > FIRST_SCHEMA)
  .sort();

function opened(address: Address): Sql {
  const sql = connect(address, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** What a migration does that would keep others waiting on a large table; in words, sorted. Leaves the database as it was. */
async function faultsOf(sql: Sql, migration: Migration, tables: readonly string[]): Promise<string[]> {
  const { way } = migration;
  // Each statement is one of those that run beside all reading and writing; another is not read at all.
  if (way.kind === "concurrently") return [];
  const undone = new Error("undone");
  let faults: string[] = [];
  await sql
    .begin(async (tx) => {
      // Where there is an index that leads to the rows, it is taken, however few they are.
      if (way.kind === "batches") await tx`select set_config('enable_seqscan', 'off', true)`;
      // A scan of the index alone, which needs a vacuum first, would not be counted as reading the table.
      await tx`select set_config('enable_indexonlyscan', 'off', true)`;
      const before = await seenOf(tx, tables);
      let rowsMax = ROWS - 1;
      if (way.kind === "transaction") await tx.unsafe(migration.sql);
      else {
        await tx.unsafe(migration.sql, await someKeys(tx, way));
        rowsMax = 4 * BATCH;
      }
      faults = faultsBetween(before, await seenOf(tx, tables), rowsMax);
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
  return faults;
}

const BATCH = 10;

async function someKeys(tx: TransactionSql, { table, key }: { table: string; key: string }) {
  const keys =
    await tx`select ${tx(key)}::text as key from ${tx(table)} order by ${tx(key)} limit ${BATCH + 1}`;
  return [keys[0]?.key as string, keys.at(-1)?.key as string];
}

interface Seen {
  /** Of its file, which a rewrite replaces. */
  readonly node: number | null;
  readonly read: number;
  readonly written: number;
}

/** What this transaction has done to each table, by Postgres' own count. */
async function seenOf(tx: TransactionSql, tables: readonly string[]): Promise<Map<string, Seen>> {
  const rows = await tx`
    select t.name, pg_relation_filenode(to_regclass(t.name))::int as node,
      coalesce(s.seq_tup_read + coalesce(s.idx_tup_fetch, 0), 0)::int as read,
      coalesce(s.n_tup_ins + s.n_tup_upd + s.n_tup_del, 0)::int as written
    from unnest(${[...tables]}::text[]) t (name)
    left join pg_stat_xact_user_tables s on s.relid = to_regclass(t.name)`;
  return new Map(
    rows.map(({ name, node, read, written }) => [name as string, { node, read, written } as Seen]),
  );
}

function faultsBetween(before: Map<string, Seen>, after: Map<string, Seen>, rowsMax: number): string[] {
  return [...after].flatMap(([table, now]) => {
    const then = before.get(table) as Seen;
    if (now.node === null) return [`drops ${table}`];
    if (now.node !== then.node) return [`rewrites ${table}`];
    if (now.written - then.written > rowsMax) return [`writes ${table}`];
    if (now.read - then.read > rowsMax) return [`reads ${table}`];
    return [];
  });
}

test.each(migrations)("%s leaves large tables alone", async (name) => {
  const sql = opened(await ownDatabase({ empty: true }));
  await migrate(sql, { folder: migrationsWith({}, { before: name }).folder });
  const tables = await rowsEverywhere(sql);
  expect(await faultsOf(sql, await readMigration(MIGRATIONS, name), tables)).toEqual([]);
});

let address: Address;
let tables: readonly string[];
beforeAll(async () => {
  const made = await createDatabase();
  address = made.address;
  const sql = connect(address, 2);
  tables = await rowsEverywhere(sql);
  await sql.end();
  return () => made.drop();
});

async function faultsOfText(text: string): Promise<string[]> {
  const { folder } = migrationsWith({ "900000_next.sql": text });
  return faultsOf(opened(address), await readMigration(folder, "900000_next.sql"), tables);
}

test.each([
  ["alter table memories add column made double precision default random();", "rewrites memories"],
  ["alter table memories alter column version type bigint;", "rewrites memories"],
  ["create index memories_by_source on memories (source);", "reads memories"],
  ["alter table memories add constraint rated check (importance <= 1);", "reads memories"],
  ["alter table outbox add foreign key (owner_id) references owners;", "reads outbox"],
  ["update memories set confidence = 1;", "writes memories"],
  ["delete from embeddings;", "writes embeddings"],
  ["insert into tombstones select id, owner_id, revision from memories;", "writes tombstones"],
  ["drop table recall_feedback;", "drops recall_feedback"],
  ["truncate audit_log;", "rewrites audit_log"],
  ["create table sums as select count(*) from memories;", "reads memories"],
  [
    "--! batches of memories by id\nupdate memories set confidence = 1 where $1::uuid is not null and $2::uuid is not null;",
    "writes memories",
  ],
  [
    "--! batches of memories by id\nupdate memories set confidence = 1 where content like 'x' and id::text > $1 and id::text <= $2;",
    "reads memories",
  ],
])("the rule refuses: %s", async (text, fault) => {
  expect(await faultsOfText(text)).toContain(fault);
});

test.each([
  "create table notes (id uuid primary key);",
  "alter table memories add column made double precision;",
  "alter table memories add column made double precision not null default 1;",
  "alter table memories add constraint rated check (importance <= 1) not valid;",
  "alter table memories alter column source set statistics 0;",
  "--! concurrently\ncreate index concurrently memories_by_source on memories (source);",
  "--! concurrently\nalter table memories validate constraint rated;",
  "--! batches of memories by id\nupdate memories set confidence = 1 where id > $1 and id <= $2;",
  "--! batches of embeddings by memory\nupdate embeddings set vector = '\\x01' where memory > $1 and memory <= $2;",
])("the rule lets through: %s", async (text) => {
  expect(await faultsOfText(text)).toEqual([]);
});
