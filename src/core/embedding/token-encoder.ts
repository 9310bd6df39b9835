import type { TokenVectors } from "../../recall/index/packed-tokens.ts";

/** The model that made token vectors. Vectors of different generations are never compared. */
export interface TokenGeneration {
  readonly model: string;
  /** Number of components of a piece's vector. */
  readonly dimension: number;
}

/**
 * Encodes texts as one contextual vector per word piece, for late interaction: comparing a query with a memory piece by
 * piece. A text's vectors do not depend on the other texts in the call.
 */
export interface TokenEncoder {
  readonly generation: TokenGeneration;
  /**
   * Returns the vectors of each text, in order, up to the length of a long passage; none for a text without known
   * words. Takes milliseconds per sentence, one text after another; queries go first. Rejects if the model can no
   * longer run.
   */
  encode(texts: readonly string[]): Promise<TokenVectors[]>;
  /** Returns the vectors of a query, of about its first 128 pieces. Rejects like `encode`. */
  encodeQuery(text: string): Promise<TokenVectors>;
  /** Ends the model's thread. Pending and later calls are rejected. */
  close(): Promise<void>;
}
