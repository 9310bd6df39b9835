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
