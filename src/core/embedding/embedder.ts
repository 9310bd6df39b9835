import type { QueryEmbedding } from "../../recall/index/query-embedding.ts";

/** The provider and model that made a vector. Vectors of different generations are never compared. */
export interface EmbeddingGeneration {
  readonly provider: string;
  readonly model: string;
  readonly dimension: number;
}

/** Turns text into L2-normalised vectors. A write never fails because an embedder is away: it embeds later. */
export interface Embedder {
  readonly generation: EmbeddingGeneration;
  /** True where embedding is immediate and cannot fail, so that a write may embed in its own request. */
  readonly inProcess: boolean;
  /** One vector for each text, in order. Rejects with `dependency_unavailable` where the provider is away. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Prepares a query: its whole text, and its sentences. Rejects like `embed`. */
  query(whole: string, sentences: readonly string[]): Promise<QueryEmbedding>;
}
