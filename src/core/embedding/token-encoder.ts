import type { TokenVectors } from "../../recall/index/packed-tokens.ts";

/** The model that made token vectors. Those of different generations are never compared. */
export interface TokenGeneration {
  readonly model: string;
  /** Components of one piece's vector. */
  readonly dimension: number;
}

/**
 * Turns texts into a vector for each word piece, which says what the piece means where it stands: for late interaction, that
 * is comparing a query with a memory piece by piece. The same text always has the same vectors, whatever it is sent with.
 */
export interface TokenEncoder {
  readonly generation: TokenGeneration;
  /**
   * The vectors of each text, in order, up to as many as a long passage has; none for a text without a word that the model
   * knows. Takes milliseconds for each sentence, one text after another, and lets queries go first. Rejects where the model
   * can no longer be run.
   */
  encode(texts: readonly string[]): Promise<TokenVectors[]>;
  /** The vectors of a query, or of its first 128 pieces or so. Rejects like `encode`. */
  encodeQuery(text: string): Promise<TokenVectors>;
  /** Ends the model's thread. What waits, or comes later, is rejected. */
  close(): Promise<void>;
}
