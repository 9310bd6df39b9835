import { startTimer } from "./pause.ts";

/** A signal that follows another, and also aborts after a time without a restart. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time ran out, as opposed to the other signal. */
  readonly isOver: () => boolean;
  /** Restarts the time. */
  readonly restart: () => void;
  /** Stops the time until `restart`. */
  readonly stop: () => void;
  /** Releases the timer and the other signal. */
  readonly end: () => void;
}

export function createDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const follow = () => controller.abort(outer?.reason);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = startTimer(() => {
      isOver = true;
      controller.abort(new DOMException("There was no answer in time.", "TimeoutError"));
    }, ms);
  };
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  restart();
  return {
    signal: controller.signal,
    isOver: () => isOver,
    restart,
    stop,
    end() {
      stop();
      outer?.removeEventListener("abort", follow);
    },
  };
}

/** For a store or a retriever that a person waits for: ten seconds at most. A repeated write is one write. */
export const BRIEF_PATIENCE = { timeoutMs: 5000, retries: 1 } as const;

/** Runs work that is aborted after a timeout, or by an outer signal. */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = createDeadline(ms, outer);
  try {
    return await attempt(deadline.signal);
  } finally {
    deadline.end();
  }
}
