import { z } from "zod";
import type { Address } from "../adapters/postgres/database/client.ts";
import { readServerAddress } from "../adapters/postgres/database/server-address.ts";
import { certificatesIn } from "./certificates.ts";
import { ConfigError } from "./config-error.ts";
import { path } from "./path-setting.ts";
import { secret } from "./secret-settings.ts";

/** The settings of an outside database, and of the pool on any. */
export const databaseShape = {
  DATABASE_URL: secret(z.string().min(1)).optional(),
  DATABASE_CA_FILE: path.optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(16),
  DATABASE_WAIT_SECONDS: z.coerce.number().min(0).max(60).default(5),
};

type Settings = z.output<z.ZodObject<typeof databaseShape>>;

export interface DatabaseConfig {
  /** null: the embedded database below `DATA_DIR`. */
  readonly databaseUrl: string | null;
  /** Path of a PEM file with the certificates that are trusted; null: what `databaseUrl` says. */
  readonly databaseCaFile: string | null;
  readonly databaseConnections: number;
  /** How long a statement waits for a connection that a server refuses, or that is gone. */
  readonly databaseWaitSeconds: number;
}

/** `ConfigError` where the address cannot be used, without anything of it. */
export function databaseOf(settings: Settings): DatabaseConfig {
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
