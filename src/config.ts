import { z } from "zod";

/** `EMBEDDING_PROVIDER=`: the providers there are today. */
const embeddingProviders = ["builtin"] as const;

const environment = z.object({
  APP_ENV: z.enum(["development", "local", "test", "production"]).default("development"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8787),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(16),
  INDEX_MEMORY_MB: z.coerce.number().int().min(1).max(1_000_000).default(1024),
  EMBEDDING_PROVIDER: z.enum(embeddingProviders).default("builtin"),
  BOOTSTRAP_API_KEY: z.string().min(32).max(512).regex(/^\S+$/).optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

/** The settings of a service, all of them valid. */
export interface Config {
  readonly appEnv: "development" | "local" | "test" | "production";
  readonly host: string;
  readonly port: number;
  /** How clients reach it from outside. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** null: the embedded database below `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databaseConnections: number;
  /** What the embedded index may hold in memory, over all owners. */
  readonly indexMemoryBytes: number;
  readonly bootstrapApiKey: string | null;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
}

/** A setting that is not valid. The message names it and says what it may be; it never holds the value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the settings. Nothing else in the program reads the environment. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigError(`These settings are not valid. ${lines.join(". ")}.`);
  }
  const settings = parsed.data;
  requireLoopback(settings.APP_ENV, settings.HOST);
  return {
    appEnv: settings.APP_ENV,
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL ?? null,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    indexMemoryBytes: settings.INDEX_MEMORY_MB * 1024 * 1024,
    bootstrapApiKey: settings.BOOTSTRAP_API_KEY ?? null,
    logLevel: settings.LOG_LEVEL,
  };
}

/** Development prints a key and has no rate limits: it must not be reachable from elsewhere. */
function requireLoopback(appEnv: string, host: string): void {
  const isLoopback = host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
  if (appEnv !== "development" || isLoopback) return;
  throw new ConfigError(
    `HOST: ${host} is beyond loopback, which APP_ENV=development refuses. Set APP_ENV=production.`,
  );
}
