/** How work that takes the processor for long lets others have their turn. */
export interface Pace {
  /**
   * Undefined while this stretch of work may go on; else a promise that resolves when it is its turn again, or rejects
   * because nobody waits for the result any more.
   */
  pause(): Promise<void> | undefined;
}

/** For work that nobody waits beside. */
export const UNPACED: Pace = { pause: () => undefined };
