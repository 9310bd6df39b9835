import { z } from "zod";
import { apiKey, ConfigError, path, secret } from "./setting-kinds.ts";

const node = z
  .url({
    protocol: /^https?$/,
    error: "must be http:// or https:// addresses, with commas between them",
    abort: true,
  })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    error: "must hold no credentials: ELASTICSEARCH_API_KEY, or _USERNAME and _PASSWORD, are for them",
  })
  .refine((url) => new URL(url).search === "" && new URL(url).hash === "", {
    error: "must be without a query and a fragment",
  });

/**
 * The settings of the search engine. Without `ELASTICSEARCH_URL` there is none, and the other settings must be absent.
 */
export const elasticsearchShape = {
  ELASTICSEARCH_URL: z
    .string()
    .transform((value) => value.split(",").map((part) => part.trim()))
    .pipe(z.array(node).min(1).max(100))
    .optional(),
  // An unpadded base64 pair, as issued by Elasticsearch.
  ELASTICSEARCH_API_KEY: apiKey.optional(),
  ELASTICSEARCH_USERNAME: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u)
    .optional(),
  ELASTICSEARCH_PASSWORD: secret(z.string().regex(/^\P{Cc}+$/u)).optional(),
  ELASTICSEARCH_CA_FILE: path.optional(),
  // Valid characters of index names, with room for the suffix.
  ELASTICSEARCH_INDEX_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/)
    .optional(),
  ELASTICSEARCH_SHARDS: z.coerce.number().int().min(1).max(1024).optional(),
  ELASTICSEARCH_MEMORIES_PER_SHARD: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
  ELASTICSEARCH_REPLICAS: z.coerce.number().int().min(0).max(20).optional(),
  ELASTICSEARCH_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).optional(),
};

type Settings = z.output<z.ZodObject<typeof elasticsearchShape>>;

/** Address and use of the search engine. */
export interface ElasticsearchConfig {
  readonly nodes: readonly string[];
  readonly auth:
    | { readonly apiKey: string }
    | { readonly username: string; readonly password: string }
    | null;
  /** Path of a PEM file with the trusted certificates; null: those of the runtime. */
  readonly caFile: string | null;
  /** Prefix of its index names; also the name of the alias. */
  readonly indexPrefix: string;
  /** Shards of the index; null: keep the current number, initially one. */
  readonly shards: number | null;
  /** An owner with more memories is spread over several shards. */
  readonly memoriesPerShard: number;
  /** Replicas of each shard; null: one if there is a second node. */
  readonly replicas: number | null;
  /** How long a recall waits for it before continuing without it. */
  readonly timeoutMs: number;
}

const DEFAULTS = { indexPrefix: "recollect", memoriesPerShard: 500_000, timeoutMs: 1000 } as const;

/** Throws `ConfigError` if settings contradict each other. */
export function elasticsearchOf(settings: Settings): ElasticsearchConfig | null {
  const nodes = settings.ELASTICSEARCH_URL;
  if (nodes === undefined) {
    requireNone(settings);
    return null;
  }
  if (settings.ELASTICSEARCH_CA_FILE && nodes.every((url) => url.startsWith("http:"))) {
    throw new ConfigError("ELASTICSEARCH_CA_FILE is of no use with an ELASTICSEARCH_URL that is not https.");
  }
  return {
    nodes,
    auth: authOf(settings),
    caFile: settings.ELASTICSEARCH_CA_FILE ?? null,
    indexPrefix: settings.ELASTICSEARCH_INDEX_PREFIX ?? DEFAULTS.indexPrefix,
    shards: settings.ELASTICSEARCH_SHARDS ?? null,
    memoriesPerShard: settings.ELASTICSEARCH_MEMORIES_PER_SHARD ?? DEFAULTS.memoriesPerShard,
    replicas: settings.ELASTICSEARCH_REPLICAS ?? null,
    timeoutMs: settings.ELASTICSEARCH_TIMEOUT_MS ?? DEFAULTS.timeoutMs,
  };
}

/** Refuses the other settings without an address: a forgotten address must not silently disable the search engine. */
function requireNone(settings: Settings): void {
  const given = Object.keys(elasticsearchShape).filter(
    (name) => settings[name as keyof Settings] !== undefined,
  );
  if (given.length === 0) return;
  throw new ConfigError(
    `${given.join(", ")}: set, and ELASTICSEARCH_URL is not. Set it, or remove the others.`,
  );
}

function authOf(settings: Settings): ElasticsearchConfig["auth"] {
  const {
    ELASTICSEARCH_API_KEY: key,
    ELASTICSEARCH_USERNAME: username,
    ELASTICSEARCH_PASSWORD: password,
  } = settings;
  if (key !== undefined) {
    if (username === undefined && password === undefined) return { apiKey: key };
    throw new ConfigError(
      "ELASTICSEARCH_API_KEY and ELASTICSEARCH_USERNAME or _PASSWORD are both set: keep one way of signing in.",
    );
  }
  if (username === undefined && password === undefined) return null;
  if (username !== undefined && password !== undefined) return { username, password };
  const missing = username === undefined ? "ELASTICSEARCH_USERNAME" : "ELASTICSEARCH_PASSWORD";
  throw new ConfigError(`${missing} is missing: a user name and a password go together.`);
}
