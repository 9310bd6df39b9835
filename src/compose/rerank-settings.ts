import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { apiKey, baseUrl, model } from "./provider-settings.ts";

/** The settings of the reranker. */
export const rerankShape = {
  RERANK_PROVIDER: z.enum(["none", "tei", "cohere"]).default("none"),
  RERANK_BASE_URL: baseUrl.optional(),
  RERANK_MODEL: model.optional(),
  RERANK_API_KEY: apiKey.optional(),
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(1500),
  RERANK_CANDIDATES: z.coerce.number().int().min(2).max(200).default(50),
};

type Settings = z.output<z.ZodObject<typeof rerankShape>>;

/** A reranker, how it is reached, and what it is asked. */
export interface RerankConfig {
  /** `tei`: text-embeddings-inference, which serves one model. `cohere`: what Cohere, Jina, vLLM and infinity speak. */
  readonly provider: "tei" | "cohere";
  /** Without a slash at the end; `/rerank` follows. */
  readonly baseUrl: string;
  readonly model: string | null;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly candidatesMax: number;
}

/** Null: recall without one. `ConfigError` where settings are missing or contradict each other. */
export function rerankOf(settings: Settings): RerankConfig | null {
  const { RERANK_PROVIDER: provider, RERANK_BASE_URL: base, RERANK_MODEL: named } = settings;
  if (provider === "none") return unused(settings);
  // Texts of memories go there: nothing but the operator's own word says where.
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

function unused(settings: Settings): null {
  const names = ["RERANK_BASE_URL", "RERANK_MODEL", "RERANK_API_KEY"] as const;
  const given = names.find((name) => settings[name] !== undefined);
  if (given === undefined) return null;
  throw new ConfigError(`${given} is set, and RERANK_PROVIDER is not: set it, or remove the others.`);
}
