import type { OwnerSpread } from "./owner-spread.ts";

/** An index of the search engine that, together with the tail, holds every acknowledged change. */
export interface ServingIndex {
  /** The name of the index itself, not an alias, so that it cannot change under a search. */
  readonly index: string;
  readonly embeddingGeneration: number;
  readonly spread: OwnerSpread;
}

/** This server's knowledge of the search engine's index. */
export interface SearchIndexState {
  /**
   * The index to search; null if none is complete or the last check is too old. Read it before the tail, and the tail
   * before the search: changes that have left the tail by then are in the index.
   */
  current(): ServingIndex | null;
  /** Why there is no index, in a few words without content; null if there is one. */
  reason(): string | null;
  /** Call it when the engine reports the index as missing. The index is not used until a check finds it again. */
  suspect(): void;
}

/** The same, for the code that checks the index. */
export interface WatchedIndexState extends SearchIndexState {
  found(serving: ServingIndex): void;
  /** `reason` is shown to callers and operators: no content. */
  lost(reason: string): void;
  /** Sets the listener that `suspect` calls. */
  whenSuspected(listener: () => void): void;
}

/** How long a check is trusted. An index that was replaced is written for much longer. */
const FOUND_FOR_MS = 15_000;

/** `now`: a monotonic clock in milliseconds. */
export function createSearchIndexState(now: () => number): WatchedIndexState {
  let onSuspect = () => {};
  let serving: ServingIndex | null = null;
  let reason = "the index was not checked yet";
  let foundAt = Number.NEGATIVE_INFINITY;
  const current = () => (serving !== null && now() - foundAt <= FOUND_FOR_MS ? serving : null);
  return {
    current,
    reason() {
      if (current() !== null) return null;
      return serving === null ? reason : "the engine has not answered recently";
    },
    suspect() {
      serving = null;
      reason = "the index is being checked";
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
