import { availableParallelism } from "node:os";
import { z } from "zod";
import { noPortSharing } from "../adapters/runtime/listen.ts";
import { isLoopback } from "../core/access/loopback.ts";
import { TEAM_LIMITS, type TeamLimits } from "../core/access/team-store.ts";
import { inPlainWords } from "../core/input/plain-words.ts";
import { isOneSwapApart, KnownNames } from "../core/input/unknown-members.ts";
import type { StorageLimits } from "../core/limits/storage-limits.ts";
import type { RetentionPolicy } from "../core/retention/policy.ts";
import { type ElasticsearchConfig, elasticsearchOf, elasticsearchShape } from "./elasticsearch-settings.ts";
import { type EventConfig, eventShape, eventsOf } from "./event-settings.ts";
import {
  type EmbeddingConfig,
  embeddingOf,
  embeddingShape,
  type RerankConfig,
  rerankOf,
  rerankShape,
} from "./provider-settings.ts";
import { ConfigError, fileSettingOf, path, secret, secretsIn, withSecretFiles } from "./setting-kinds.ts";
import {
  type DatabaseConfig,
  databaseOf,
  databaseShape,
  retentionOf,
  retentionShape,
  storageOf,
  storageShape,
} from "./storage-settings.ts";
import { type WatchConfig, watchOf, watchShape } from "./watch-settings.ts";

/** Requests per window of a minute. */
const quota = z.coerce.number().int().min(1).max(1_000_000);

/** Teams of a user, or invitations of a team. */
const teamBound = z.coerce.number().int().min(1).max(10_000);

const listed = z
  .string()
  .transform((value) => value.split(",").map((part) => part.trim()))
  .pipe(z.array(z.string().min(1)));

/** Comma-separated addresses and CIDR ranges. */
const networks = listed.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])));

/** Comma-separated origins such as https://app.example. */
const origins = listed.pipe(
  z.array(
    z
      .url({ protocol: /^https?$/, abort: true })
      .refine((url) => new URL(url).origin === url, "must be an origin"),
  ),
);

/** Comma-separated host names such as memory.example or *.internal.example. */
const hostNames = listed
  .pipe(
    z.array(
      z.string().regex(/^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i, "must be host names without ports"),
    ),
  )
  .transform((names) => names.map((name) => name.toLowerCase()));

const environment = z.object({
  APP_ENV: z.enum(["development", "local", "test", "production"]).default("development"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8787),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, abort: true })
    // No path allowed: pages, cookies and OAuth's well-known paths are at the root of a host.
    .refine((url) => /^\/?$/.test(new URL(url).pathname + new URL(url).search), "must be without a path")
    .transform((url) => new URL(url).origin)
    .optional(),
  DATA_DIR: path.default(".data"),
  ...databaseShape,
  PROCESSES: z.union([z.literal("auto"), z.coerce.number().int().min(1).max(64)]).default(1),
  MIGRATE_ON_START: z.enum(["on", "off"]).default("on"),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  INDEX_MEMORY_MB: z.coerce.number().int().min(1).max(1_000_000).default(1024),
  ...elasticsearchShape,
  ...embeddingShape,
  ...rerankShape,
  TOKEN_MODEL: z.enum(["on", "off"]).default("off"),
  MULTILINGUAL_MODEL: z.enum(["on", "off"]).default("on"),
  ...storageShape,
  ...eventShape,
  ...retentionShape,
  ...watchShape,
  TEAMS_PER_USER_MAX: teamBound.default(TEAM_LIMITS.joinedMax),
  TEAMS_OWNED_MAX: teamBound.default(TEAM_LIMITS.ownedMax),
  TEAM_INVITATIONS_MAX: teamBound.default(TEAM_LIMITS.invitationsMax),
  AGENT_SELF_REGISTRATION: z.enum(["on", "off"]).default("on"),
  SECRET_POLICY: z.enum(["mask", "refuse", "allow"]).default("mask"),
  JUNK_POLICY: z.enum(["keep_out", "note", "refuse", "allow"]).default("keep_out"),
  RATE_LIMIT_ENABLED: z.enum(["true", "false"]).optional(),
  RATE_LIMIT_DATA_PLANE: quota.default(600),
  RATE_LIMIT_WRITES: quota.default(180),
  RATE_LIMIT_READS: quota.default(300),
  TRUSTED_PROXIES: networks.default([]),
  ALLOWED_HOSTS: hostNames.default([]),
  CORS_ORIGINS: origins.default([]),
  BOOTSTRAP_API_KEY: secret(z.string().min(32).max(512).regex(/^\S+$/)).optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

/** True where the operator asks for stack traces, even if the settings are not valid. */
export function wantsStacks(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.LOG_LEVEL === "debug" || env.LOG_LEVEL === "trace";
}

/** Settings that are secrets. Each can also be read from the file named by `NAME_FILE`. */
export const secretSettings: readonly string[] = secretsIn(environment.shape);

export const settingNames: readonly string[] = [
  ...Object.keys(environment.shape),
  ...secretSettings.map(fileSettingOf),
];

/** Returns the default of each setting that has one. */
export function settingDefaults(): Readonly<Record<string, string>> {
  const parsed = Object.entries(environment.shape).map(([name, schema]) => [
    name,
    (schema as z.ZodType).safeParse(undefined).data,
  ]);
  return Object.fromEntries(
    parsed.flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

/** Validated settings of a service. */
export interface Config extends DatabaseConfig {
  readonly appEnv: "development" | "local" | "test" | "production";
  readonly host: string;
  readonly port: number;
  /** How clients reach it from outside. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** How many processes of this server share the port. */
  readonly processes: number;
  /** The number of this process among them, from 1; null if it is the only one. */
  readonly process: number | null;
  /** Whether a server migrates the schema itself; otherwise it waits until that is done. */
  readonly migratesOnStart: boolean;
  /** How long a stopping server still answers requests while it reports that it is not ready. */
  readonly drainSeconds: number;
  /** Memory of the embedded index, over all owners. */
  readonly indexMemoryBytes: number;
  /** null: recall uses only the embedded index. */
  readonly elasticsearch: ElasticsearchConfig | null;
  readonly embedding: EmbeddingConfig;
  /** null: recall without a reranker. */
  readonly rerank: RerankConfig | null;
  /** Whether recall uses the token model, in this process, to compare hits with the query piece by piece. */
  readonly tokenModel: boolean;
  readonly multilingualModel: boolean;
  readonly storage: StorageLimits;
  readonly events: EventConfig;
  /** Removal of memories by age. */
  readonly retention: RetentionPolicy;
  /** Metrics, traces, and this server's name. */
  readonly watch: WatchConfig;
  readonly teams: TeamLimits;
  /** Whether agents without a credential may register themselves. */
  readonly selfRegistration: boolean;
  /** Policy for credentials found in written content. */
  readonly secretPolicy: "mask" | "refuse" | "allow";
  /** Policy for writes that add nothing new. */
  readonly junkPolicy: "keep_out" | "note" | "refuse" | "allow";
  /** null: no limits. Requests per window of a minute. */
  readonly rateLimits: { readonly dataPlane: number; readonly writes: number; readonly reads: number } | null;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Host names of the service, in addition to the one in `publicUrl`. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the service from a browser. */
  readonly corsOrigins: readonly string[];
  readonly bootstrapApiKey: string | null;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
}

/** Reads the settings, and the files of secret ones. Nothing else in the program reads the environment. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(withSecretFiles(env, secretSettings)).filter(
      ([, value]) => value !== undefined && value !== "",
    ),
  );
  const parsed = environment.safeParse(given, inPlainWords);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigError(`These settings are not valid. ${lines.join(". ")}.`);
  }
  const settings = parsed.data;
  requireLoopback(settings.APP_ENV, settings.HOST);
  const elasticsearch = elasticsearchOf(settings);
  const embedding = embeddingOf(settings);
  if (elasticsearch !== null) requireIndexable(embedding);
  const publicUrl = settings.PUBLIC_URL ?? urlOf(settings.HOST, settings.PORT);
  return {
    appEnv: settings.APP_ENV,
    host: settings.HOST,
    port: settings.PORT,
    publicUrl,
    dataDir: settings.DATA_DIR,
    processes: processesOf(settings),
    process: null,
    ...databaseOf(settings),
    migratesOnStart: settings.MIGRATE_ON_START === "on",
    drainSeconds: settings.DRAIN_SECONDS,
    indexMemoryBytes: settings.INDEX_MEMORY_MB * 1024 * 1024,
    elasticsearch,
    embedding,
    rerank: rerankOf(settings),
    tokenModel: settings.TOKEN_MODEL === "on",
    multilingualModel: settings.MULTILINGUAL_MODEL === "on",
    storage: storageOf(settings),
    events: eventsOf(settings),
    retention: retentionOf(settings),
    watch: watchOf(settings, { publicUrl, trustedProxies: settings.TRUSTED_PROXIES }),
    teams: {
      joinedMax: settings.TEAMS_PER_USER_MAX,
      ownedMax: settings.TEAMS_OWNED_MAX,
      invitationsMax: settings.TEAM_INVITATIONS_MAX,
    },
    selfRegistration: settings.AGENT_SELF_REGISTRATION === "on",
    secretPolicy: settings.SECRET_POLICY,
    junkPolicy: settings.JUNK_POLICY,
    rateLimits: rateLimitsOf(settings),
    trustedProxies: settings.TRUSTED_PROXIES,
    // The host on which the server listens is allowed too.
    allowedHosts: [...settings.ALLOWED_HOSTS, settings.HOST.toLowerCase()],
    corsOrigins: settings.CORS_ORIGINS,
    bootstrapApiKey: settings.BOOTSTRAP_API_KEY ?? null,
    logLevel: settings.LOG_LEVEL,
  };
}

/** Returns the settings with the port that the server actually got, so that addresses sent to clients are right. */
export function listeningOn(config: Config, port: number): Config {
  const isFromPort = config.publicUrl === urlOf(config.host, config.port);
  return { ...config, port, ...(isFromPort ? { publicUrl: urlOf(config.host, port) } : {}) };
}

/** Returns the address at which clients on this machine reach the server. */
function urlOf(host: string, port: number): string {
  const url = `http://${authorityOf(host, port)}`;
  if (URL.canParse(url)) return url;
  throw new ConfigError(
    "HOST: must be a host name or an IP address without brackets. Correct it, or set PUBLIC_URL to how clients reach the service.",
  );
}

/** Formats `host:port` for a URL, with an IPv6 address in brackets. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Excludes HOST and PORT, which are too short: many names are one letter away. */
const comparedNames = settingNames.filter((name) => name.length >= 5);
const COMPARED = new KnownNames(comparedNames);

/**
 * Returns a warning for each environment variable that looks like a misspelt setting: by the rule for request members,
 * and by looser rules that would not be enough to refuse a member. Warnings have names, never values.
 */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const { misspelt, others } = COMPARED.unknownOf(Object.keys(env));
  const near = others.flatMap(({ name }) => {
    const meant = isServiceLink(env[name]) ? undefined : (prefixed(name) ?? nearSetting(name));
    return meant === undefined ? [] : [{ name, meant }];
  });
  return [...misspelt, ...near].map(
    ({ name, meant }) => `${name} is not a setting and has no effect: did you mean ${meant}?`,
  );
}

const PREFIX = "RECOLLECT_";

/** Returns the setting that the variable names with the product's name as a prefix, misspelt or not. */
function prefixed(name: string): string | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const rest = name.slice(PREFIX.length);
  return settingNames.includes(rest)
    ? rest
    : (COMPARED.unknownOf([rest]).misspelt[0]?.meant ?? nearSetting(rest));
}

/** Kubernetes sets variables such as RECOLLECT_PORT for a Service called recollect. */
function isServiceLink(value: string | undefined): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value ?? "");
}

function nearSetting(name: string): string | undefined {
  return comparedNames.find(
    (setting) =>
      isOneSwapApart(name, setting) ||
      inSingular(name) === inSingular(setting) ||
      lacksOneWord(name, setting),
  );
}

/** Normalises plurals, so that OWNER_MEMORY_MAX matches OWNER_MEMORIES_MAX. */
function inSingular(name: string): string {
  return name.replaceAll(/IES(?=_|$)/g, "Y").replaceAll(/S(?=_|$)/g, "");
}

/**
 * True if the name lacks one inner word of the setting, as BOOTSTRAP_KEY lacks one of BOOTSTRAP_API_KEY. Excludes names
 * of OpenTelemetry, which has many more variables than are settings here, and of files, which other programs have too.
 */
function lacksOneWord(name: string, setting: string): boolean {
  if (/^OTEL_|_FILE$/.test(setting)) return false;
  const words = setting.split("_");
  return words.slice(1, -1).some((_, at) => words.toSpliced(at + 1, 1).join("_") === name);
}

/** Fewer would make requests of one process wait for its background work. */
const CONNECTIONS_PER_PROCESS = 4;

/** All processes together keep to `DATABASE_CONNECTIONS`. */
function processesOf({ PROCESSES: given, DATABASE_CONNECTIONS: connections }: z.output<typeof environment>) {
  const most = Math.max(1, Math.floor(connections / CONNECTIONS_PER_PROCESS));
  if (given === "auto") return noPortSharing() === null ? Math.min(availableParallelism(), most) : 1;
  if (given <= most) return given;
  throw new ConfigError(
    `PROCESSES: ${given} processes share DATABASE_CONNECTIONS, which must be at least ${CONNECTIONS_PER_PROCESS * given}: raise it, or start fewer.`,
  );
}

/** Rate limits are by default on in production and off elsewhere. */
function rateLimitsOf(settings: z.output<typeof environment>): Config["rateLimits"] {
  const isProduction = settings.APP_ENV === "production";
  const isEnabled =
    settings.RATE_LIMIT_ENABLED === undefined ? isProduction : settings.RATE_LIMIT_ENABLED === "true";
  if (!isEnabled) return null;
  return {
    dataPlane: settings.RATE_LIMIT_DATA_PLANE,
    writes: settings.RATE_LIMIT_WRITES,
    reads: settings.RATE_LIMIT_READS,
  };
}

/** Elasticsearch's limit on the dimensions of vectors. */
const INDEXED_DIMENSIONS_MAX = 4096;

function requireIndexable({ current }: EmbeddingConfig): void {
  if (current.provider === "builtin" || current.dimensions <= INDEXED_DIMENSIONS_MAX) return;
  throw new ConfigError(
    `EMBEDDING_DIMENSIONS: Elasticsearch stores vectors of at most ${INDEXED_DIMENSIONS_MAX} dimensions. Use a model with fewer, or unset ELASTICSEARCH_URL.`,
  );
}

/** Development mode prints a key and has no rate limits, so it must be reachable only from this machine. */
function requireLoopback(appEnv: string, host: string): void {
  if (appEnv !== "development" || isLoopback(host)) return;
  throw new ConfigError(
    "HOST: this is beyond loopback, which APP_ENV=development refuses. Set HOST=127.0.0.1, or APP_ENV=production.",
  );
}
