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
import { PLACES, type Places } from "./connect/clients.ts";
import { say } from "./terminal.ts";

/** Dependencies of the commands. Only this file composes them. */
export interface Tools extends ImportPorts {
  readonly credentials: CredentialStore;
  readonly teams: TeamStore;
  readonly agentClaims: AgentClaims;
  readonly accounts: Accounts;
  readonly erasures: ErasureStore;
  readonly retention: RetentionStore;
  readonly source: ExportSource;
  readonly backlog: EmbeddingBacklog;
  /** Users and teams by the storage they use, largest first. */
  usage(limit: number): Promise<OwnerUsage[]>;
}

/** The settings from the environment. `ConfigError` if one is invalid. */
export function settings(): Config {
  return readConfig(process.env);
}

/** A sentence for each environment variable that looks like a misspelt setting. */
export function misspeltInEnvironment(): string[] {
  return misspeltSettings(process.env);
}

/** A credential for another service, which only a command uses. Not a setting of this service. */
export function credentialFor(variable: "RECOLLECT_API_KEY" | "QDRANT_API_KEY"): string | undefined {
  return process.env[variable];
}

/** The folders with the user's configuration of other programs, if the environment names them. */
export function ownPlaces(): Places {
  return Object.fromEntries(PLACES.map((name) => [name, process.env[name]])) as Places;
}

/**
 * The folder in which the user ran the command. npm runs scripts in the package's folder and passes the user's folder
 * in a variable.
 */
export function callersFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: called } = process.env;
  return script === "recollect" && called ? called : process.cwd();
}

/** True if the operator wants stack traces. */
export function isDebugging(): boolean {
  return wantsStacks(process.env);
}

/** Whether a command creates a missing database. Only commands that write data, or rehearse that, do. */
interface OnDatabase {
  readonly makesDatabase: boolean;
}

/**
 * Runs the work on an opened service, which is always closed afterwards. A server may be running at the same time.
 * Fails if there is no database, unless the command creates it.
 */
export async function withTools<T>(
  work: (tools: Tools) => Promise<T>,
  { makesDatabase }: OnDatabase = { makesDatabase: false },
): Promise<T> {
  const config = settings();
  if (!makesDatabase) requireDatabase(config);
  // Loaded on demand, so that help and usage errors need not wait for the whole service.
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

/** False if the embedded database has never been started. Opening it would create it. */
function hasDatabase(config: Config): boolean {
  return outsideDatabase(config) !== null || holdsDatabase(config.dataDir);
}

/** Fails if there is no database. Otherwise a list or a backup of a new, empty one would look complete. */
export function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new EmbeddedDatabaseError(
    `There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL as the server has it; the first start of a server makes a new one.`,
  );
}

/**
 * Runs the work on the database without opening the service or changing anything. null if the embedded database has
 * never been started.
 */
export async function withDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T | null> {
  if (!hasDatabase(config)) return null;
  return onDatabase(config, work);
}

/** The same, but creates a missing embedded database. */
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
  /** Migrates the schema to the latest version, even if the settings forbid that at startup. Logs its progress. */
  migrate(log: (line: string) => void): Promise<void>;
  grantToRuntime(role: string): Promise<void>;
}

/**
 * Runs the work on the schema of the configured database. Fails if there is no database, unless the command creates it.
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
