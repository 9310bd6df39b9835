/** Something that is done again and again, as long as the service runs. */
export interface Worker {
  /** Finishes the round that is running, which may end early, then stops. */
  stop(): Promise<void>;
}

/**
 * Does rounds until it is stopped, with a pause after each that had not all it could take. A round that fails is
 * reported and tried again after the pause.
 */
export function startLoop(
  round: (isStopping: () => boolean) => Promise<{ readonly isMoreWaiting: boolean }>,
  pauseMs: number,
  report: (error: unknown) => void,
): Worker {
  const pause = createPause();
  let isStopping = false;

  async function run(): Promise<void> {
    while (!isStopping) {
      const { isMoreWaiting } = await round(() => isStopping).catch(reported);
      if (!isMoreWaiting) await pause.wait(pauseMs);
    }
  }

  function reported(error: unknown): { isMoreWaiting: boolean } {
    if (!isStopping) report(error);
    return { isMoreWaiting: false };
  }

  const running = run();
  return {
    stop() {
      isStopping = true;
      pause.end();
      return running;
    },
  };
}

/** Waiting that can be cut short. After `end` nothing waits any more. */
export interface Pause {
  wait(ms: number): Promise<void>;
  /** Ends the waiting that goes on. */
  wake(): void;
  end(): void;
}

export function createPause(): Pause {
  let isEnded = false;
  let wake = () => {};
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (isEnded) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
    end() {
      isEnded = true;
      wake();
    },
  };
}
