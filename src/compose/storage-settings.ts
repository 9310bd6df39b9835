import { z } from "zod";
import type { Address } from "../adapters/postgres/database/client.ts";
import { readServerAddress } from "../adapters/postgres/database/server-address.ts";
import { STORAGE_LIMITS, type StorageLimits } from "../core/limits/storage-limits.ts";
import type { RetentionPolicy } from "../core/retention/policy.ts";
import { ConfigError, certificatesIn, path, secret } from "./setting-kinds.ts";

const MIB = 1024 * 1024;
const mebibytes = z.coerce.number().int().min(1).max(1_000_000);
const count = z.coerce.number().int().min(1).max(100_000);
const bound = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Settings that limit stored data. */
export const storageShape = {
  OWNER_MEMORIES_MAX: bound.optional(),
  OWNER_BYTES_MAX: bound.optional(),
  END_USER_MEMORIES_MAX: bound.optional(),
  END_USER_BYTES_MAX: bound.optional(),
  OWNER_CREDENTIALS_MAX: count.default(STORAGE_LIMITS.ownerCredentialsMax),
  AGENT_UNCLAIMED_MAX: count.default(STORAGE_LIMITS.unclaimedAgentsMax),
  AGENT_UNCLAIMED_PER_NETWORK_MAX: count.default(STORAGE_LIMITS.unclaimedAgentsPerNetworkMax),
  QUARANTINE_TOTAL_MB: mebibytes.default(STORAGE_LIMITS.quarantineBytesMax / MIB),
  QUARANTINE_PER_NETWORK_MB: mebibytes.default(STORAGE_LIMITS.quarantineBytesPerNetworkMax / MIB),
};

export function storageOf(given: z.output<z.ZodObject<typeof storageShape>>): StorageLimits {
  return {
    ownerMemoriesMax: given.OWNER_MEMORIES_MAX ?? null,
    ownerBytesMax: given.OWNER_BYTES_MAX ?? null,
    endUserMemoriesMax: given.END_USER_MEMORIES_MAX ?? null,
    endUserBytesMax: given.END_USER_BYTES_MAX ?? null,
    ownerCredentialsMax: given.OWNER_CREDENTIALS_MAX,
    unclaimedAgentsMax: given.AGENT_UNCLAIMED_MAX,
    unclaimedAgentsPerNetworkMax: given.AGENT_UNCLAIMED_PER_NETWORK_MAX,
    quarantineBytesMax: given.QUARANTINE_TOTAL_MB * MIB,
    quarantineBytesPerNetworkMax: given.QUARANTINE_PER_NETWORK_MB * MIB,
  };
}

/** The settings of an outside database, and of the connection pool. */
export const databaseShape = {
  DATABASE_URL: secret(z.string().min(1)).optional(),
  DATABASE_CA_FILE: path.optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(16),
  DATABASE_WAIT_SECONDS: z.coerce.number().min(0).max(60).default(5),
};

type DatabaseSettings = z.output<z.ZodObject<typeof databaseShape>>;

export interface DatabaseConfig {
  /** null: the embedded database below `DATA_DIR`. */
  readonly databaseUrl: string | null;
  /** Path of a PEM file with the trusted certificates; null: as `databaseUrl` says. */
  readonly databaseCaFile: string | null;
  readonly databaseConnections: number;
  /** How long a statement waits for a connection while the server refuses or drops connections. */
  readonly databaseWaitSeconds: number;
}

/** Throws `ConfigError` if the address is unusable, without quoting it. */
export function databaseOf(settings: DatabaseSettings): DatabaseConfig {
  const { DATABASE_URL: url = null, DATABASE_CA_FILE: caFile = null } = settings;
  if (url !== null) requireUsable(url, caFile);
  else if (caFile !== null) throw new ConfigError("DATABASE_CA_FILE is of no use without DATABASE_URL.");
  return {
    databaseUrl: url,
    databaseCaFile: caFile,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    databaseWaitSeconds: settings.DATABASE_WAIT_SECONDS,
  };
}

function requireUsable(url: string, caFile: string | null): void {
  let named: string | null;
  try {
    named = readServerAddress(url, caFile).caFile;
  } catch (error) {
    throw new ConfigError(`DATABASE_URL ${(error as Error).message}.`);
  }
  if (named !== null)
    certificatesIn(named, caFile === null ? "sslrootcert in DATABASE_URL" : "DATABASE_CA_FILE");
}

/** Returns the address of the outside database; null if there is none. */
export function outsideDatabase(config: DatabaseConfig): Address | null {
  const { databaseUrl, databaseCaFile, databaseWaitSeconds } = config;
  if (databaseUrl === null) return null;
  return { url: databaseUrl, caFile: databaseCaFile, waitSeconds: databaseWaitSeconds };
}

const pattern = z.string().min(1).max(128).default("%");
const days = z.number().int().min(1).max(36_500);

const policy = z.strictObject({
  memories: z
    .array(
      z.strictObject({
        bucket: pattern,
        memory_type: pattern,
        older_than_days: days,
        // Has no default, so that omitting it can never delete permanently.
        mode: z.enum(["soft_delete", "hard_delete"]),
      }),
    )
    .max(100)
    .default([]),
  audit: z
    .array(z.strictObject({ operation: pattern, older_than_days: days }))
    .max(100)
    .default([]),
});

const FORM =
  'must be JSON, such as {"audit":[{"operation":"%","older_than_days":365}]}; docs/operations/limits.md, "Retention", has every member';

/** The rules, as JSON in one variable, so that they are valid or refused as a whole. */
export const retentionShape = {
  RETENTION: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: FORM });
        return z.NEVER;
      }
    })
    .pipe(policy)
    .optional(),
};

/** Without the setting there are no rules, and nothing is removed. */
export function retentionOf({
  RETENTION: given,
}: z.output<z.ZodObject<typeof retentionShape>>): RetentionPolicy {
  return {
    memories: (given?.memories ?? []).map(({ bucket, memory_type, older_than_days, mode }) => ({
      bucket,
      memoryType: memory_type,
      olderThanDays: older_than_days,
      mode,
    })),
    audit: (given?.audit ?? []).map(({ operation, older_than_days }) => ({
      operation,
      olderThanDays: older_than_days,
    })),
  };
}
