import type { QueryVectors } from "../../recall/index/query-embedding.ts";
import type { EmbeddingGeneration } from "./embedder.ts";

/** A text's multilingual vector, and its language. */
export interface MultilingualText {
  /** L2-normalised; zeros for a text in a script that the encoder was not made for. */
  readonly vector: Float32Array;
  /** ISO 639-1 code. null if the text is too short, or its language unclear. */
  readonly language: string | null;
}

/**
 * Encodes texts of many languages so that texts that mean the same are near, whatever their languages. It runs in a
 * thread of its own; queries go before texts. Calls reject if the model can no longer run.
 */
export interface MultilingualEncoder {
  readonly generation: EmbeddingGeneration;
  /** Returns vector and language of each text, in order. 6 to 10 ms for a passage. */
  encode(texts: readonly string[]): Promise<MultilingualText[]>;
  /** Returns the language of a query as in `MultilingualText`, in a tenth of a millisecond. */
  languageOf(text: string): string | null;
  /** Returns the vectors of a query: of the whole, and of each of its sentences. 2 ms for a question. */
  encodeQuery(whole: string, sentences: readonly string[]): Promise<QueryVectors>;
  /** Ends the thread. Pending and later calls are rejected. */
  close(): Promise<void>;
}
