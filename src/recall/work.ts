/** How long work lets others have their turn on the processor. */
export interface Pace {
  /**
   * Undefined while this stretch of work may go on; else a promise that resolves when it is its turn again, or rejects
   * because nobody waits for the result any more.
   */
  pause(): Promise<void> | undefined;
}

/** For work that nobody waits beside. */
export const UNPACED: Pace = { pause: () => undefined };

/** Long work in steps: it yields wherever others may have their turn, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work, and asks `pace` for a pause after each step. Rejects like the work, and like the pause. */
export async function inTurns<T>(work: Steps<T>, pace: Pace): Promise<T> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      const turn = pace.pause();
      if (turn !== undefined) await turn;
    }
  } finally {
    // Work that is called off cleans up after itself.
    work.return(undefined as T);
  }
}

/** Does the work without a pause. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
