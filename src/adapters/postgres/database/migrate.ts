import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "./client.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));

/** Any number, the same in every server: only one migrates at a time. */
const LOCK = 7_236_154_001;

/**
 * Brings the schema up to date: every numbered file of `migrations/`, once, in order. All that is pending is one
 * transaction: done, or not begun. Servers that start together wait for each other.
 * Rejects where the database is newer than this program.
 */
export async function migrate(sql: Sql): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  await sql.begin(async (transaction) => {
    await transaction`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;
    // The lock comes first: two `create table if not exists` at once can fail on each other.
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    await transaction`
      create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const applied = (await transaction`select name from migrations`).map((row) => row.name as string);
    requireKnown(applied, files);
    for (const name of files.filter((file) => !applied.includes(file))) {
      await transaction.unsafe(await readFile(`${FOLDER}${name}`, "utf8"));
      await transaction`insert into migrations (name) values (${name})`;
    }
  });
}

function requireKnown(applied: readonly string[], files: readonly string[]): void {
  const newer = applied.filter((name) => !files.includes(name));
  if (newer.length === 0) return;
  throw new Error(
    `The database has the migration ${newer.join(", ")}, which this version does not know: start a newer version.`,
  );
}
