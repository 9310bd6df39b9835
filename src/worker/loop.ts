/** Background work that runs until the service stops. */
export interface Worker {
  /** Lets the current round finish, which may end early, and stops. */
  stop(): Promise<void>;
}

export interface Loop extends Worker {
  /** Starts another round at once, or right after the current one. */
  wake(): void;
}

/** What follows a round: a pause in milliseconds, no pause, or the end of the loop. */
export type Next = number | "at once" | "never";

export interface LoopOptions {
  readonly pauseMs: number;
  /** Maximum pause after repeated failures. Default: `pauseMs`, which means no backoff. */
  readonly retryMsMax?: number;
  /** False if the first round is due after a pause. Default: true. */
  readonly startsAtOnce?: boolean;
  /** Called with a failure, but at most once a minute until a round succeeds. */
  readonly report: (error: unknown) => void;
}

/** A failure that repeats is one line a minute in the log. */
const REPORT_EVERY_MS = 60_000;

/**
 * Runs rounds one after the other, with a pause after each (default: `pauseMs`). A failed round is reported and
 * retried. `signal` aborts when the loop stops.
 */
export function startLoop(
  // biome-ignore lint/suspicious/noConfusingVoidType: a round that has nothing to say ends without a value.
  round: (signal: AbortSignal) => Promise<Next | void>,
  { pauseMs, retryMsMax = pauseMs, startsAtOnce = true, report }: LoopOptions,
): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = createPause();
  let isWoken = false;
  let failures = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    if (!startsAtOnce) await pause.wait(pauseMs);
    while (!signal.aborted) {
      isWoken = false;
      const next = await round(signal).then(succeeded, failed);
      if (next === "never") return;
      if (next !== "at once" && !isWoken) await pause.wait(next);
    }
  }

  // biome-ignore lint/suspicious/noConfusingVoidType: see above.
  function succeeded(next: Next | void): Next {
    failures = 0;
    reportedAt = Number.NEGATIVE_INFINITY;
    return next ?? pauseMs;
  }

  function failed(error: unknown): number {
    if (!signal.aborted && performance.now() - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = performance.now();
      report(error);
    }
    failures += 1;
    // Servers that failed together must not come back together.
    const jitter = retryMsMax > pauseMs ? 0.5 + Math.random() : 1;
    return Math.min(retryMsMax, pauseMs * 2 ** failures) * jitter;
  }

  const running = run();
  return {
    wake() {
      isWoken = true;
      pause.wake();
    },
    stop() {
      stopping.abort();
      pause.end();
      return running;
    },
  };
}

/** An interruptible wait. After `end` all waits resolve at once. */
export interface Pause {
  wait(ms: number): Promise<void>;
  /** Ends the current wait. */
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
