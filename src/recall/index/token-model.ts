import type { PackedTokens, TokenVectors } from "./packed-tokens.ts";

/** Identifies a passage of a memory by its index from 0. */
export interface PassageKey {
  readonly ownerId: string;
  readonly memory: string;
  readonly passage: number;
}

/** Reads the token vectors of passages, in order; null for a passage that has none yet. */
export type ReadPassages = (passages: readonly PassageKey[]) => Promise<(PackedTokens | null)[]>;

/** Interface for comparing a query with memories piece by piece. All vectors are from one model. */
export interface TokenModel {
  /** Components of a piece's vector. */
  readonly dimension: number;
  /** The vectors of a query, or of its beginning. Rejects if the model does not answer in time. */
  query(text: string): Promise<TokenVectors>;
  readonly passages: ReadPassages;
}
