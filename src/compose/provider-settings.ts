import { z } from "zod";
import { apiKey, baseUrl, ConfigError, model } from "./setting-kinds.ts";

/** Values of `EMBEDDING_PROVIDER`. */
const provider = z.enum(["builtin", "openai"]);
const dimensions = z.coerce.number().int().min(1).max(8192);

export const embeddingShape = {
  EMBEDDING_PROVIDER: provider.default("builtin"),
  EMBEDDING_BASE_URL: baseUrl.optional(),
  EMBEDDING_MODEL: model.optional(),
  EMBEDDING_API_KEY: apiKey.optional(),
  EMBEDDING_DIMENSIONS: dimensions.optional(),
  EMBEDDING_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(1500),
  EMBEDDING_PREVIOUS_PROVIDER: provider.optional(),
  EMBEDDING_PREVIOUS_BASE_URL: baseUrl.optional(),
  EMBEDDING_PREVIOUS_MODEL: model.optional(),
  EMBEDDING_PREVIOUS_API_KEY: apiKey.optional(),
  EMBEDDING_PREVIOUS_DIMENSIONS: dimensions.optional(),
};

type EmbeddingSettings = z.output<z.ZodObject<typeof embeddingShape>>;
type Prefix = "EMBEDDING" | "EMBEDDING_PREVIOUS";

/** An embedding model and its address. */
export type EmbedderConfig =
  | { readonly provider: "builtin" }
  | {
      readonly provider: "openai";
      /** Without a trailing slash; `/embeddings` is appended. */
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKey: string | null;
      readonly dimensions: number;
    };

export interface EmbeddingConfig {
  readonly current: EmbedderConfig;
  /** Used by queries until the vectors of the current embedder are made. */
  readonly previous: EmbedderConfig | null;
  /** How long a query waits for its vector before continuing without it. */
  readonly timeoutMs: number;
}

const OPENAI = "https://api.openai.com/v1";

/** Throws `ConfigError` if settings are missing or contradict each other. */
export function embeddingOf(settings: EmbeddingSettings): EmbeddingConfig {
  const current = embedderOf(settings, "EMBEDDING", settings.EMBEDDING_PROVIDER);
  const previous = previousOf(settings);
  if (previous !== null && generationOf(previous) === generationOf(current)) {
    throw new ConfigError("EMBEDDING_PREVIOUS_* names the model that EMBEDDING_* names: remove it.");
  }
  return { current, previous, timeoutMs: settings.EMBEDDING_TIMEOUT_MS };
}

function previousOf(settings: EmbeddingSettings): EmbedderConfig | null {
  const named = settings.EMBEDDING_PREVIOUS_PROVIDER;
  if (named !== undefined) return embedderOf(settings, "EMBEDDING_PREVIOUS", named);
  const [given] = membersOf(settings, "EMBEDDING_PREVIOUS");
  if (given === undefined) return null;
  throw new ConfigError(
    `${given} is set, and EMBEDDING_PREVIOUS_PROVIDER is not: set it, or remove the others.`,
  );
}

function embedderOf(
  settings: EmbeddingSettings,
  prefix: Prefix,
  named: z.output<typeof provider>,
): EmbedderConfig {
  if (named === "builtin") {
    const [given] = membersOf(settings, prefix);
    if (given === undefined) return { provider: "builtin" };
    throw new ConfigError(
      `${given} is set, but ${prefix}_PROVIDER=builtin does not use it: remove one of them.`,
    );
  }
  const modelName = settings[`${prefix}_MODEL`];
  const dimensionCount = settings[`${prefix}_DIMENSIONS`];
  if (modelName === undefined || dimensionCount === undefined) {
    throw new ConfigError(`${prefix}_PROVIDER=openai needs ${prefix}_MODEL and ${prefix}_DIMENSIONS.`);
  }
  return {
    provider: "openai",
    baseUrl: (settings[`${prefix}_BASE_URL`] ?? OPENAI).replace(/\/+$/, ""),
    model: modelName,
    apiKey: settings[`${prefix}_API_KEY`] ?? null,
    dimensions: dimensionCount,
  };
}

function membersOf(settings: EmbeddingSettings, prefix: Prefix): string[] {
  const names = ["BASE_URL", "MODEL", "API_KEY", "DIMENSIONS"] as const;
  return names.map((name) => `${prefix}_${name}` as const).filter((name) => settings[name] !== undefined);
}

function generationOf(embedder: EmbedderConfig): string {
  return embedder.provider === "builtin" ? "" : `${embedder.model} ${embedder.dimensions}`;
}

export const rerankShape = {
  RERANK_PROVIDER: z.enum(["none", "tei", "cohere"]).default("none"),
  RERANK_BASE_URL: baseUrl.optional(),
  RERANK_MODEL: model.optional(),
  RERANK_API_KEY: apiKey.optional(),
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(1500),
  RERANK_CANDIDATES: z.coerce.number().int().min(2).max(200).default(50),
};

type RerankSettings = z.output<z.ZodObject<typeof rerankShape>>;

export interface RerankConfig {
  /** `tei`: text-embeddings-inference, which serves one model. `cohere`: the API of Cohere, Jina, vLLM and infinity. */
  readonly provider: "tei" | "cohere";
  /** Without a trailing slash; `/rerank` is appended. */
  readonly baseUrl: string;
  readonly model: string | null;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly candidatesMax: number;
}

/**
 * Returns null for recall without a reranker. Throws `ConfigError` if settings are missing or contradict each other.
 */
export function rerankOf(settings: RerankSettings): RerankConfig | null {
  const { RERANK_PROVIDER: provider, RERANK_BASE_URL: base, RERANK_MODEL: named } = settings;
  if (provider === "none") return unused(settings);
  // No default address: texts of memories are sent there, so the operator must choose it.
  if (base === undefined) throw new ConfigError(`RERANK_PROVIDER=${provider} needs RERANK_BASE_URL.`);
  if (provider === "cohere" && named === undefined)
    throw new ConfigError("RERANK_PROVIDER=cohere needs RERANK_MODEL.");
  if (provider === "tei" && named !== undefined)
    throw new ConfigError("RERANK_MODEL is set, and RERANK_PROVIDER=tei has no use for it: remove it.");
  return {
    provider,
    baseUrl: base.replace(/\/+$/, ""),
    model: named ?? null,
    apiKey: settings.RERANK_API_KEY ?? null,
    timeoutMs: settings.RERANK_TIMEOUT_MS,
    candidatesMax: settings.RERANK_CANDIDATES,
  };
}

function unused(settings: RerankSettings): null {
  const names = ["RERANK_BASE_URL", "RERANK_MODEL", "RERANK_API_KEY"] as const;
  const given = names.find((name) => settings[name] !== undefined);
  if (given === undefined) return null;
  throw new ConfigError(`${given} is set, and RERANK_PROVIDER is not: set it, or remove the others.`);
}
