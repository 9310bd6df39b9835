import type { PackedTokens, TokenVectors } from "./packed-tokens.ts";

/** A passage of a memory, by its number from 0. */
export interface PassageKey {
  readonly ownerId: string;
  readonly memory: string;
  readonly passage: number;
}

/** Reads the token vectors of passages, in order; null for one that has none yet. */
export type ReadPassages = (passages: readonly PassageKey[]) => Promise<(PackedTokens | null)[]>;

/** What it takes to compare a query with memories piece by piece. All its vectors are of one model. */
export interface TokenModel {
  /** Components of one piece's vector. */
  readonly dimension: number;
  /** The vectors of a query, or of its beginning. Rejects where the model does not answer, or not in time. */
  query(text: string): Promise<TokenVectors>;
  readonly passages: ReadPassages;
}
