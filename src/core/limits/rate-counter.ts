/** What has been counted in the window that a hit fell into. */
export interface Counted {
  /** For each key, in the order they were given: the hits of this window up to and including this one. */
  readonly counts: readonly number[];
  /** The end of the window, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Until then, by the clock that the windows go by. */
  readonly millisecondsLeft: number;
}

/** Hits in fixed windows of a minute, shared by all that must count together. */
export interface RateCounter {
  /**
   * Counts one hit under each of the keys. Of the hits under one key in one window each is told another number, from 1
   * on without a gap, however many come at once. Rejects where the counts cannot be reached.
   */
  hit(keys: readonly string[]): Promise<Counted>;
}
