import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { apiKey, baseUrl, model } from "./provider-settings.ts";

/** `EMBEDDING_PROVIDER=`: the providers there are. */
const provider = z.enum(["builtin", "openai"]);
const dimensions = z.coerce.number().int().min(1).max(8192);

/** The settings of the embedder, and of the one before it. */
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

type Settings = z.output<z.ZodObject<typeof embeddingShape>>;
type Prefix = "EMBEDDING" | "EMBEDDING_PREVIOUS";

/** An embedding model and how it is reached. */
export type EmbedderConfig =
  | { readonly provider: "builtin" }
  | {
      readonly provider: "openai";
      /** Without a slash at the end; `/embeddings` follows. */
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKey: string | null;
      readonly dimensions: number;
    };

export interface EmbeddingConfig {
  readonly current: EmbedderConfig;
  /** Used by queries until the vectors of the current one are made. */
  readonly previous: EmbedderConfig | null;
  /** How long a query waits for its vector before it goes on without. */
  readonly timeoutMs: number;
}

const OPENAI = "https://api.openai.com/v1";

/** `ConfigError` where settings are missing or contradict each other. */
export function embeddingOf(settings: Settings): EmbeddingConfig {
  const current = embedderOf(settings, "EMBEDDING", settings.EMBEDDING_PROVIDER);
  const previous = previousOf(settings);
  if (previous !== null && generationOf(previous) === generationOf(current)) {
    throw new ConfigError("EMBEDDING_PREVIOUS_* names the model that EMBEDDING_* names: remove it.");
  }
  return { current, previous, timeoutMs: settings.EMBEDDING_TIMEOUT_MS };
}

function previousOf(settings: Settings): EmbedderConfig | null {
  const named = settings.EMBEDDING_PREVIOUS_PROVIDER;
  if (named !== undefined) return embedderOf(settings, "EMBEDDING_PREVIOUS", named);
  const [given] = membersOf(settings, "EMBEDDING_PREVIOUS");
  if (given === undefined) return null;
  throw new ConfigError(
    `${given} is set, and EMBEDDING_PREVIOUS_PROVIDER is not: set it, or remove the others.`,
  );
}

function embedderOf(settings: Settings, prefix: Prefix, named: z.output<typeof provider>): EmbedderConfig {
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

function membersOf(settings: Settings, prefix: Prefix): string[] {
  const names = ["BASE_URL", "MODEL", "API_KEY", "DIMENSIONS"] as const;
  return names.map((name) => `${prefix}_${name}` as const).filter((name) => settings[name] !== undefined);
}

function generationOf(embedder: EmbedderConfig): string {
  return embedder.provider === "builtin" ? "" : `${embedder.model} ${embedder.dimensions}`;
}
