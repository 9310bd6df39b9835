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

/** The vectors of a query: of the whole, and of each of its sentences. All of one dimension. */
export interface QueryVectors {
  readonly whole: Float32Array;
  readonly sentences: readonly Float32Array[];
}

/**
 * Makes the query's vectors. `weightOf` tells how much a word piece says within the scope; an embedder that
 * does not work on pieces ignores it.
 */
export type QueryEmbedding = (weightOf: (piece: number) => number) => QueryVectors;
