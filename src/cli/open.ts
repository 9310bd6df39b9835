import { holdsDatabase } from "../adapters/embedded-postgres/data-folder.ts";
import { EmbeddedDatabaseError } from "../adapters/embedded-postgres/errors.ts";
import { openEmbeddedPostgres } from "../adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../adapters/postgres/database/client.ts";
import { migrate } from "../adapters/postgres/database/migrate.ts";
import { inspectMigrations, type Migrations } from "../adapters/postgres/database/migrations-applied.ts";
import { grantToRuntime } from "../adapters/postgres/database/runtime-role.ts";
import { type OwnerUsage, usageOfOwners } from "../adapters/postgres/memory/usage.ts";
import { createEmbeddingBacklog } from "../adapters/postgres/recall/embeddings.ts";
import { createExportSource } from "../adapters/postgres/transfer/export-source.ts";
import { createImportTarget } from "../adapters/postgres/transfer/import-target.ts";
import { type Config, misspeltSettings, readConfig, wantsStacks } from "../compose/config.ts";
import { outsideDatabase } from "../compose/storage-settings.ts";
import type { Accounts } from "../core/access/accounts.ts";
import type { CredentialStore } from "../core/access/credential-store.ts";
import type { ErasureStore } from "../core/access/erasure.ts";
import type { TeamStore } from "../core/access/team-store.ts";
import type { AgentClaims } from "../core/agent/agent-claims.ts";
import type { EmbeddingBacklog } from "../core/projection/reembed.ts";
import type { RetentionStore } from "../core/retention/apply-retention.ts";
import type { ExportSource } from "../core/transfer/export-source.ts";
import type { ImportPorts } from "../core/transfer/import-batch.ts";
import { say } from "./terminal.ts";

/** Dependencies of the commands. Only this file knows how they are put together. */
export interface Tools extends ImportPorts {
  readonly credentials: CredentialStore;
  readonly teams: TeamStore;
  readonly agentClaims: AgentClaims;
  readonly accounts: Accounts;
  readonly erasures: ErasureStore;
  readonly retention: RetentionStore;
  readonly source: ExportSource;
  readonly backlog: EmbeddingBacklog;
  /** Users and teams by what they hold, the largest first. */
  usage(limit: number): Promise<OwnerUsage[]>;
}

/** The settings of the environment. `ConfigError` where one is not valid. */
export function settings(): Config {
  return readConfig(process.env);
}

/** A sentence for each variable of the environment that looks like a setting misspelt. */
export function misspeltInEnvironment(): string[] {
  return misspeltSettings(process.env);
}

/** A credential of another service, which is no setting of this one: for a command alone. */
export function credentialFor(variable: "RECOLLECT_API_KEY" | "QDRANT_API_KEY"): string | undefined {
  return process.env[variable];
}

/** Folders of this user's configuration of other programs, as far as the environment has them. */
export function ownPlaces(): Readonly<Record<"HOME" | "CODEX_HOME", string | undefined>> {
  return { HOME: process.env.HOME, CODEX_HOME: process.env.CODEX_HOME };
}

/** Folder in which the command was typed. npm runs its scripts in the folder of the package, and names the caller's. */
export function callersFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: called } = process.env;
  return script === "recollect" && called ? called : process.cwd();
}

/** True where the operator asks for stack traces. */
export function isDebugging(): boolean {
  return wantsStacks(process.env);
}

/** Whether a command that finds no database makes one: only what puts something into it does, or rehearses that. */
interface OnDatabase {
  readonly makesDatabase: boolean;
}

/**
 * Runs the work on an opened service, beside a running server if there is one, and closes it whatever happens. Refuses
 * where there is no database yet, unless the command makes it.
 */
export async function withTools<T>(
  work: (tools: Tools) => Promise<T>,
  { makesDatabase }: OnDatabase = { makesDatabase: false },
): Promise<T> {
  const config = settings();
  if (!makesDatabase) requireDatabase(config);
  // Loaded when it is needed: help and usage errors should not wait for the whole service.
  const { openService } = await import("../compose/service.ts");
  const service = await openService(config, { role: "tool", log: say, report: () => {} });
  try {
    const { embedder, clock, newId, hash, secrets } = service.ports;
    return await work({
      embedder,
      clock,
      newId,
      hash,
      secrets,
      credentials: service.credentials,
      teams: service.teams,
      agentClaims: service.agentClaims,
      accounts: service.accounts,
      erasures: service.erasures,
      retention: service.retention,
      source: createExportSource(service.sql),
      target: createImportTarget(service.sql, service.generation),
      backlog: createEmbeddingBacklog(service.sql, service.generation),
      usage: (limit) => usageOfOwners(service.sql, limit),
    });
  } finally {
    await service.close();
  }
}

/** False where the embedded database has never been started: opening it makes it. */
function hasDatabase(config: Config): boolean {
  return outsideDatabase(config) !== null || holdsDatabase(config.dataDir);
}

/** Refuses where there is no database: a list of an empty one, or its backup, would look as if it were everything. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new EmbeddedDatabaseError(
    `There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL as the server has it; the first start of a server makes a new one.`,
  );
}

/** Runs the work on the bare database, changing nothing in it. null: the embedded one has never been started. */
export async function withDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T | null> {
  if (!hasDatabase(config)) return null;
  return onDatabase(config, work);
}

/** The same, making the embedded database where there is none. */
async function onDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T> {
  const outside = outsideDatabase(config);
  if (outside !== null) return withSql(connect(outside, 2), work);
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, log: say, role: "tool" });
  try {
    return await withSql(connect(embedded.connection, 2), work);
  } finally {
    await embedded.stop();
  }
}

/** Operations on the schema of a database. */
export interface Schema {
  inspect(): Promise<Migrations>;
  /** Brings it up to date, whatever the settings say of starts; says how far it is. */
  migrate(log: (line: string) => void): Promise<void>;
  grantToRuntime(role: string): Promise<void>;
}

/**
 * Runs the work on the schema of the database that the settings name. Refuses where there is none, unless it makes it.
 */
export async function withSchema<T>(
  config: Config,
  work: (schema: Schema) => Promise<T>,
  { makesDatabase }: OnDatabase,
): Promise<T> {
  if (!makesDatabase) requireDatabase(config);
  return onDatabase(config, (sql) =>
    work({
      inspect: () => inspectMigrations(sql),
      migrate: (log) => migrate(sql, { log }),
      grantToRuntime: (role) => grantToRuntime(sql, role),
    }),
  );
}

async function withSql<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
