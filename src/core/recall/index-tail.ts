import type { IndexDocument } from "./index-document.ts";

/**
 * What a search engine does not show yet of some owners' memories. It must be read before the engine is searched: a
 * change that the engine shows in between is then in both, and no change is in neither.
 */
export interface IndexTail {
  /**
   * Everything that is pending of these owners, up to `limit` documents, with vectors of the embedding generation that
   * is searched.
   */
  read(ownerIds: readonly string[], limit: number, embeddingGeneration: number): Promise<Tail>;
}

/** Changes that the engine is not known to show. */
export interface Tail {
  /** The memories that are new or changed, as the record has them now. */
  readonly documents: readonly IndexDocument[];
  /**
   * Every memory of these owners with a pending change, removed and moved ones and those beyond the limit included, up to 20,000:
   * what the engine says of them must not be believed.
   */
  readonly ids: readonly string[];
  /** By owner, how many pending memories are beyond the limit. Owners without any may be left out. */
  readonly missing: ReadonlyMap<string, number>;
}
