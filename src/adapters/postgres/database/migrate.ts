import { setTimeout as sleep } from "node:timers/promises";
import type { ReservedSql } from "postgres";
import type { Sql } from "./client.ts";
import { concurrently } from "./migrate-concurrently.ts";
import { inBatches } from "./migrate-in-batches.ts";
import { MIGRATIONS, type Migration, migrationNames, readMigration } from "./migration-file.ts";
import { type Session, transaction } from "./migration-session.ts";
import { inspectMigrations, requireKnown } from "./migrations-applied.ts";

/** An arbitrary number, the same in every server, so that only one migrates at a time. */
const LOCK = 7_236_154_001;

const LOOK_EVERY_MS = 500;

export interface MigrateOptions {
  /** Folder of the migrations. Default: this program's own. */
  readonly folder?: string;
  /** Called with a sentence about each migration and about waits; never with content. */
  readonly log?: (line: string) => void;
}

/**
 * Brings the schema up to date: applies every numbered file of `migrations/`, once, in order. The next migrator
 * continues or restarts an interrupted migration, even after kill -9. Servers that start together wait for each other.
 * While a migration waits for a lock, others wait at most a quarter of a second at a time. Rejects if the database is
 * too new for this program. If nothing is missing, it takes no lock and writes nothing.
 */
export async function migrate(sql: Sql, { folder = MIGRATIONS, log = () => {} }: MigrateOptions = {}) {
  const state = await inspectMigrations(sql, folder);
  requireKnown(state);
  if (state.missing.length === 0) return;
  const connection = await sql.reserve();
  const session = { connection, pool: sql, log };
  try {
    await begin(session);
    await migrateAlone(session, folder);
  } finally {
    await end(connection);
  }
}

/**
 * Lifts the time limits of statements, lets them end with this process, and waits for the lock that only one migrator
 * can hold.
 */
async function begin({ connection, log }: Session): Promise<void> {
  await connection`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
    set_config('idle_in_transaction_session_timeout', '0', false)`;
  // Not supported on every operating system that Postgres runs on. Without it, the lock of a killed program lasts
  // longer.
  await connection`select set_config('client_connection_check_interval', '2s', false)`.catch(() => {});
  let isTold = false;
  for (;;) {
    // Polls, since a statement that waits for the lock has a snapshot, which the creation of a concurrent index would
    // wait for.
    const [row] = await connection`select pg_try_advisory_lock(${LOCK}) as is_ours`;
    if (row?.is_ours === true) return;
    if (!isTold) log("Another program is updating the schema: waiting for it.");
    isTold = true;
    await sleep(LOOK_EVERY_MS);
  }
}

async function end(connection: ReservedSql): Promise<void> {
  try {
    await connection.unsafe("rollback");
    await connection`select pg_advisory_unlock_all()`;
    for (const name of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])
      await connection.unsafe(`reset ${name}`);
    await connection.unsafe("reset client_connection_check_interval");
  } catch {
    // The connection is gone, and its lock with it.
  } finally {
    connection.release();
  }
}

async function migrateAlone(session: Session, folder: string): Promise<void> {
  const { connection, log } = session;
  await createBookkeeping(connection);
  const state = await inspectMigrations(connection, folder);
  requireKnown(state);
  const isNew = state.applied === 0;
  const known = (await migrationNames(folder)).filter((name) => state.missing.includes(name));
  for (const [at, name] of known.entries()) {
    const migration = await readMigration(folder, name);
    if (!isNew) log(`Migration ${name} (${at + 1} of ${known.length}).`);
    await applyMigration(session, migration);
  }
}

/**
 * Creates the migrator's tables. `migration_steps` is what the migrator knows about a migration besides that it was
 * applied. `oldest_program`: the oldest migration that a program must know to work on the schema after this one; null:
 * none. `done_to`: for a migration in batches, the last key whose rows are rewritten; null: none yet.
 */
async function createBookkeeping(connection: ReservedSql): Promise<void> {
  await connection`
    create table if not exists migration_steps (
      name           text primary key,
      oldest_program text,
      done_to        text,
      rows_done      bigint not null default 0,
      updated_at     timestamptz not null default now()
    )`;
  // Last: readers look for this one.
  await connection`
    create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
}

async function applyMigration(session: Session, migration: Migration): Promise<void> {
  const { way } = migration;
  if (way.kind === "transaction") {
    await transaction(session, migration.name, async ({ connection }) => {
      await connection.unsafe(migration.sql);
      await noteApplied(session, migration);
    });
    return;
  }
  if (way.kind === "concurrently") await concurrently(session, migration.name, way.statements);
  else await inBatches(session, migration, way);
  await transaction(session, migration.name, () => noteApplied(session, migration));
}

async function noteApplied({ connection }: Session, { name, oldestProgram }: Migration): Promise<void> {
  await connection`insert into migrations (name) values (${name})`;
  await connection`
    insert into migration_steps (name, oldest_program) values (${name}, ${oldestProgram})
    on conflict (name) do update set oldest_program = excluded.oldest_program, updated_at = now()`;
}
