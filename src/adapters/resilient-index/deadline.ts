import { IndexUnavailable } from "../../core/recall/index-unavailable.ts";

/**
 * What `work` resolves to within that time, or `IndexUnavailable` ("slow"): even where the work does not heed the signal
 * that tells it to stop.
 */
export async function within<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new IndexUnavailable("slow"));
      limit.abort();
    }, timeoutMs);
  });
  try {
    const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal;
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
