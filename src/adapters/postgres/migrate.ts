import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "./client.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));

/** Any number, the same in every server: only one migrates at a time. */
const LOCK = 7_236_154_001;

/**
 * Brings the schema up to date: every numbered file of `migrations/`, once, in order, each in one transaction.
 * Servers that start together wait for each other. Rejects where the database is newer than this program.
 */
export async function migrate(sql: Sql): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const connection = await sql.reserve();
  try {
    // The lock comes first: two `create table if not exists` at once can fail on each other.
    await connection`select pg_advisory_lock(${LOCK})`;
    await connection`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const applied = new Set((await connection`select name from migrations`).map((row) => row.name as string));
    requireKnown([...applied], files);
    for (const file of files.filter((name) => !applied.has(name))) {
      const statements = await readFile(`${FOLDER}${file}`, "utf8");
      await connection.unsafe(
        `begin; ${statements}; insert into migrations (name) values ('${file}'); commit;`,
      );
    }
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    connection.release();
  }
}

function requireKnown(applied: readonly string[], files: readonly string[]): void {
  const newer = applied.filter((name) => !files.includes(name));
  if (newer.length === 0) return;
  throw new Error(
    `The database has the migration ${newer.join(", ")}, which this version does not know: start a newer version.`,
  );
}
