/** The longest delay of timers; a longer one fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Calls back after the delay, at most 24 days, also for `Infinity`. */
export function startTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, Math.min(ms, TIMER_MAX_MS));
}

/** Returns the result of the work, or rejects with the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
  });
}

/** Resolves after the delay, or rejects with the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = startTimer(resolve, ms);
  });
  try {
    await unlessAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the wait before the next attempt: random up to a bound that doubles, so that many clients do not retry at
 * once.
 */
export function backOff(attempt: number, baseMs: number, maxMs: number): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
}

/** Parses `Retry-After`, in seconds or as a date, to milliseconds; null if it is absent or unreadable. */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null || text.trim() === "") return null;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
