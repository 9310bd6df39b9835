import type { OwnerSpread } from "./owner-spread.ts";

/** An index of the search engine that, together with the tail, holds every acknowledged change. */
export interface ServingIndex {
  /** Its own name, not an alias: what is searched must be what this says of it. */
  readonly index: string;
  /** The number of the embedding generation whose vectors it holds. */
  readonly embeddingGeneration: number;
  readonly spread: OwnerSpread;
}

/** This server's knowledge of the search engine's index. */
export interface SearchIndexState {
  /**
   * The index to search, or null: none is complete, or nobody has looked for a while. Read it before the tail, and the
   * tail before the search: what has left the tail by then is in the index.
   */
  current(): ServingIndex | null;
  /** Why there is none, in a few words without content; null where there is one. */
  reason(): string | null;
  /** To be called when the engine reports the index missing: it is not used again before it has been found again. */
  suspect(): void;
}

/** The same, for the keeper that looks for the index. */
export interface WatchedIndexState extends SearchIndexState {
  found(serving: ServingIndex): void;
  /** `reason` is shown to callers and operators: no content. */
  lost(reason: string): void;
  /** `listener` is called with each suspicion. */
  whenSuspected(listener: () => void): void;
}

/** How long a finding is trusted. An index that was replaced is written for much longer. */
const FOUND_FOR_MS = 15_000;

/** `now` only rises, in milliseconds. */
export function createSearchIndexState(now: () => number): WatchedIndexState {
  let onSuspect = () => {};
  let serving: ServingIndex | null = null;
  let reason = "the index was not looked at yet";
  let foundAt = Number.NEGATIVE_INFINITY;
  const current = () => (serving !== null && now() - foundAt <= FOUND_FOR_MS ? serving : null);
  return {
    current,
    reason() {
      if (current() !== null) return null;
      return serving === null ? reason : "the engine did not answer lately";
    },
    suspect() {
      serving = null;
      reason = "the index is being looked for";
      onSuspect();
    },
    found(found) {
      serving = found;
      foundAt = now();
    },
    lost(why) {
      serving = null;
      reason = why;
    },
    whenSuspected(listener) {
      onSuspect = listener;
    },
  };
}
