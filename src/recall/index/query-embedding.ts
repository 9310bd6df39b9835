/** The vectors of a query: of the whole, and of each of its sentences. All have the same dimension. */
export interface QueryVectors {
  readonly whole: Float32Array;
  readonly sentences: readonly Float32Array[];
}

/**
 * Computes the query's vectors. `weightOf`: how informative a word piece is in the scope. Embedders that do not work on
 * pieces ignore it.
 */
export type QueryEmbedding = (weightOf: (piece: number) => number) => QueryVectors;
