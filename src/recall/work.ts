/** Controls when long work yields the CPU. */
export interface Pace {
  /**
   * Returns undefined while the work may continue. Otherwise returns a promise that resolves when it may continue, or
   * rejects if the result is no longer wanted.
   */
  pause(): Promise<void> | undefined;
}

/** For work that does not need to yield. */
export const UNPACED: Pace = { pause: () => undefined };

/** Long work in steps: a generator that yields wherever a pause is possible, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs the work, and asks `pace` for a pause after each step. Rejects if the work or the pause does. */
export async function inTurns<T>(work: Steps<T>, pace: Pace): Promise<T> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      const turn = pace.pause();
      if (turn !== undefined) await turn;
    }
  } finally {
    // Lets aborted work clean up.
    work.return(undefined as T);
  }
}

/** Runs the work without pauses. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
