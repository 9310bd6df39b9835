import type { QueryEmbedding } from "../../recall/index/query-embedding.ts";
import { passageTexts } from "../../recall/language/passages.ts";

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

/**
 * Returns the vectors of each text's passages, in order: one for a text of usual length. Rejects like `Embedder.embed`.
 */
export async function embedPassages(
  embedder: Pick<Embedder, "embed">,
  texts: readonly string[],
): Promise<Float32Array[][]> {
  const passages = texts.map(passageTexts);
  const vectors = await embedder.embed(passages.flat());
  let end = 0;
  return passages.map(({ length }) => {
    end += length;
    return vectors.slice(end - length, end);
  });
}
