import type { AnySql } from "./client.ts";
import { MIGRATIONS, migrationNames, numberOf } from "./migration-file.ts";

/** How the schema of a database compares with this program. */
export interface Migrations {
  readonly applied: number;
  /** Migrations of this program that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of the database that this program does not have, but works with. */
  readonly newer: readonly string[];
  /** Migrations of the database that this program does not have and cannot work with. */
  readonly tooNew: readonly string[];
}

/** Determines how up to date the schema is. Changes nothing. The database may be empty. */
export async function inspectMigrations(sql: AnySql, folder = MIGRATIONS): Promise<Migrations> {
  const files = await migrationNames(folder);
  const applied = await appliedMigrations(sql);
  const names = new Set(applied.map(({ name }) => name));
  const newest = numberOf(files.at(-1) ?? "");
  const unknown = applied.filter(({ name }) => !files.includes(name));
  const isTooNew = ({ oldest }: Applied) => oldest === undefined || (oldest !== null && oldest > newest);
  return {
    applied: applied.length,
    missing: files.filter((name) => !names.has(name)),
    newer: unknown.filter((each) => !isTooNew(each)).map(({ name }) => name),
    tooNew: unknown.filter(isTooNew).map(({ name }) => name),
  };
}

/** Throws if the schema is too new for this program. */
export function requireKnown({ tooNew }: Migrations): void {
  if (tooNew.length === 0) return;
  throw new Error(
    `The database has the migration ${tooNew.join(", ")}, which this version cannot work with: start a newer version.`,
  );
}

interface Applied {
  readonly name: string;
  /** The oldest program that works with it; null: any; undefined: not recorded. */
  readonly oldest: string | null | undefined;
}

async function appliedMigrations(sql: AnySql): Promise<Applied[]> {
  const [found] = await sql`select to_regclass('migrations') is not null as has_table`;
  if (found?.has_table !== true) return [];
  const rows = await sql`
    select m.name, s.name is not null as is_noted, oldest_program
    from migrations m left join migration_steps s on s.name = m.name order by m.name`;
  return rows.map((row) => ({
    name: row.name as string,
    oldest: row.is_noted ? (row.oldest_program as string | null) : undefined,
  }));
}
