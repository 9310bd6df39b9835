import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AnySql, Sql } from "./client.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));

/** Any number, the same in every server: only one migrates at a time. */
const LOCK = 7_236_154_001;

/**
 * Brings the schema up to date: every numbered file of `migrations/`, once, in order. All that is pending is one
 * transaction: done, or not begun. Servers that start together wait for each other.
 * Rejects where the database is newer than this program.
 */
export async function migrate(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;
    // The lock comes first: two `create table if not exists` at once can fail on each other.
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    await transaction`
      create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const { missing, unknown } = await inspectMigrations(transaction);
    requireKnown(unknown);
    for (const name of missing) {
      await transaction.unsafe(await readFile(`${FOLDER}${name}`, "utf8"));
      await transaction`insert into migrations (name) values (${name})`;
    }
  });
}

function requireKnown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new Error(
    `The database has the migration ${unknown.join(", ")}, which this version does not know: start a newer version.`,
  );
}

export interface Migrations {
  readonly applied: number;
  /** In this program and not in the database. */
  readonly missing: readonly string[];
  /** In the database and not in this program. */
  readonly unknown: readonly string[];
}

/** How up to date the schema is. Changes nothing; the database may be empty. */
export async function inspectMigrations(sql: AnySql): Promise<Migrations> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const [table] = await sql`select to_regclass('migrations') is not null as is_there`;
  const rows = table?.is_there ? await sql`select name from migrations order by name` : [];
  const applied = rows.map((row) => row.name as string);
  return {
    applied: applied.length,
    missing: files.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !files.includes(name)),
  };
}
