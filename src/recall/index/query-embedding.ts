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
