/** Migrations while others read, write, dump and migrate, and after they were killed. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";

function opened(address: Address, connections = 4): Sql {
  const sql = connect(address, connections);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Some rows of a table of the test's own, `n` being 0 in each. */
async function things(sql: Sql, count: number): Promise<void> {
  await sql`create table things (id uuid primary key default gen_random_uuid(), n integer not null default 0, name text)`;
  await sql`insert into things (name) select 'thing ' || i from generate_series(1, ${count}) i`;
}

const appliedIn = async (sql: Sql, name: string) =>
  (await sql`select from migrations where name = ${name}`).length === 1;

/** What a dump holds for as long as it runs: a snapshot, and a lock on every table. */
async function likeADump(address: Address): Promise<() => Promise<void>> {
  const session = opened(address, 1);
  await session.unsafe("begin isolation level repeatable read read only");
  await session.unsafe("select count(*) from things");
  return async () => {
    await session.unsafe("commit");
  };
}

const PG_BIN = "/usr/lib/postgresql";
const pgDump = existsSync(PG_BIN)
  ? readdirSync(PG_BIN)
      .map((version) => join(PG_BIN, version, "bin/pg_dump"))
      .findLast((path) => existsSync(path))
  : undefined;

/** pg_dump itself, held where it has locked every table. null where there is none, or it is older than the server. */
async function realDump(address: Address, sql: Sql): Promise<(() => Promise<void>) | null> {
  if (pgDump === undefined) return null;
  const [server] = await sql`select current_setting('server_version_num')::int / 10000 as major`;
  const own = /(\d+)\./.exec(spawnSync(pgDump, ["--version"], { encoding: "utf8" }).stdout)?.[1];
  if (Number(own) < Number(server?.major)) return null;
  const where =
    "url" in address
      ? ["-d", address.url]
      : ["-h", address.path, "-U", address.username, "-d", address.database];
  const dump = spawn(pgDump, where, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void dump.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => dump.once("close", resolve));
  await eventually(
    "pg_dump to lock the table",
    async () => {
      if (dump.exitCode !== null) throw new Error("pg_dump was over before it could be held.");
      const [row] = await sql`
      select from pg_locks l join pg_stat_activity a using (pid)
      where a.application_name = 'pg_dump' and l.relation = to_regclass('things')`;
      return row;
    },
    { everyMs: 1 },
  );
  dump.kill("SIGSTOP");
  return async () => {
    dump.stdout.resume();
    dump.kill("SIGCONT");
    expect(await ended).toBe(0);
  };
}

/** Reads and writes again and again; an error where one has to wait for five seconds. */
async function traffic(address: Address, rounds: number): Promise<void> {
  const sql = opened(address, 2);
  for (let round = 0; round < rounds; round += 1) {
    await sql.begin(async (tx) => {
      await tx`select set_config('statement_timeout', '5s', true)`;
      await tx`select count(*) from things where name = 'thing 7'`;
      await tx`update things set name = name where name = 'thing 8'`;
    });
  }
}

test.each([
  ["a session like a dump's", likeADump],
  ["pg_dump, where it is one that knows the server", realDump],
])("what needs a lock waits for %s, and nobody waits behind it", async (_, openDump) => {
  const address = await ownDatabase();
  const sql = opened(address);
  // So much that pg_dump cannot write it all before somebody reads.
  await things(sql, 20_000);
  const end = await openDump(address, sql);
  if (end === null) return;
  const { folder } = migrationsWith({ "900000_next.sql": "alter table things add column size integer;" });
  const lines: string[] = [];
  const migrating = migrate(opened(address), { folder, log: (line) => lines.push(line) });
  await eventually(
    "the migration to find the table locked",
    () =>
      lines.some((line) =>
        /^Migration 900000_next\.sql waits for a lock\. Locks are held by process \d+ \((pg_dump|recollect)\)/.test(
          line,
        ),
      ) || undefined,
  );
  await traffic(address, 200);
  expect(await appliedIn(sql, "900000_next.sql")).toBe(false);
  await end();
  await migrating;
  expect(await appliedIn(sql, "900000_next.sql")).toBe(true);
});

const CONCURRENT =
  "--! concurrently\n-- A comment.\ncreate index concurrently things_by_name on things (name);\n";

const isWhole = async (sql: Sql, index: string) =>
  (await sql`select indisvalid from pg_index where indexrelid = to_regclass(${index})`)[0]?.indisvalid;

test("a concurrent index waits for a dump that is open, and nobody waits for it", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  await things(sql, 1000);
  const end = await likeADump(address);
  const { folder } = migrationsWith({ "900000_next.sql": CONCURRENT });
  const migrating = migrate(opened(address), { folder });
  await eventually("the index to be there, and to wait", async () =>
    (await isWhole(sql, "things_by_name")) === false ? true : undefined,
  );
  await traffic(address, 200);
  expect(await appliedIn(sql, "900000_next.sql")).toBe(false);
  await end();
  await migrating;
  expect(await isWhole(sql, "things_by_name")).toBe(true);
});

test("programs that start together with a concurrent index to make do not wait for each other for ever", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  await things(sql, 1000);
  const { folder } = migrationsWith({ "900000_next.sql": CONCURRENT });
  await Promise.all([1, 2, 3].map(() => migrate(opened(address, 2), { folder })));
  expect(await isWhole(sql, "things_by_name")).toBe(true);
});

test("an index whose making was broken off is made anew", async () => {
  const sql = opened(await ownDatabase());
  await things(sql, 100);
  await sql`update things set name = 'the same'`;
  const unique = CONCURRENT.replace("create index", "create unique index");
  const { folder } = migrationsWith({ "900000_next.sql": unique });
  await expect(migrate(sql, { folder })).rejects.toThrow();
  expect(await isWhole(sql, "things_by_name")).toBe(false);
  await sql`update things set name = id::text`;
  await migrate(sql, { folder });
  expect(await isWhole(sql, "things_by_name")).toBe(true);
});

test("a rewrite that is killed goes on where it was: each row is rewritten once, while others write", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  await things(sql, 6000);
  const slowly =
    "--! batches of things by id\n" +
    "update things set n = n + 1 from (select pg_sleep(0.3)) slow where id > $1 and id <= $2;\n";
  const { folder, write } = migrationsWith({ "900000_next.sql": slowly });
  for (let kills = 1; kills <= 2; kills += 1) {
    const before = await doneOf(sql);
    const program = spawn(
      process.execPath,
      ["--import", "tsx", "test/fixtures/migrate.ts", JSON.stringify(address), folder],
      { stdio: "ignore" },
    );
    onTestFinished(() => void program.kill("SIGKILL"));
    await eventually("some batches", async () => ((await doneOf(sql)) > before ? true : undefined));
    await traffic(address, 20);
    program.kill("SIGKILL");
  }
  const done = await doneOf(sql);
  expect(done).toBeLessThan(6000);
  // As fast as it goes.
  write("900000_next.sql", slowly.replace(" from (select pg_sleep(0.3)) slow", ""));
  await migrate(sql, { folder });
  expect(await sql`select n, count(*)::int as rows from things group by n`).toEqual([{ n: 1, rows: 6000 }]);
  expect(await appliedIn(sql, "900000_next.sql")).toBe(true);
});

async function doneOf(sql: Sql): Promise<number> {
  const [row] = await sql`select rows_done from migration_steps where name = '900000_next.sql'`;
  return Number(row?.rows_done ?? 0);
}

test.each([
  ["--! quickly\nselect 1;", /`--! quickly`, which is not understood/],
  ["--! concurrently\nupdate things set n = 1;", /is concurrent, and update things set n … is not/],
  ["--! batches of things by name\nselect 1;", /by name, which is no uuid and no bigint of it/],
])("a migration that says %j is refused", async (text, why) => {
  const sql = opened(await ownDatabase());
  await things(sql, 1);
  const { folder } = migrationsWith({ "900000_next.sql": text });
  await expect(migrate(sql, { folder })).rejects.toThrow(why);
  expect(await appliedIn(sql, "900000_next.sql")).toBe(false);
});
