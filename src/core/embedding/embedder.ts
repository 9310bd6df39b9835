import type { QueryEmbedding } from "../../recall/index/query-embedding.ts";

/** The provider and model that made a vector. Vectors of different generations are never compared. */
export interface EmbeddingGeneration {
  readonly provider: string;
  readonly model: string;
  readonly dimension: number;
}

/**
 * Turns text into L2-normalised vectors. A write never fails because an embedder is unavailable: it is embedded later.
 */
export interface Embedder {
  readonly generation: EmbeddingGeneration;
  /** True if embedding is immediate and cannot fail, so that a write may embed in its own request. */
  readonly inProcess: boolean;
  /**
   * Returns one vector for each text, in order. Rejects with `dependency_unavailable` if the provider is unavailable.
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Prepares a query: the whole text, and its sentences. Rejects like `embed`. */
  query(whole: string, sentences: readonly string[]): Promise<QueryEmbedding>;
}
