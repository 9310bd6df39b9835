/** A body up to this size is in the runtime's buffers already. */
const BUFFERED_BYTES = 64 * 1024;
/** What is taken in of a body that nobody wants, and how long that may take. */
const DRAINED_BYTES_MAX = 4 * 1024 * 1024;
const DRAINED_MS_MAX = 1000;

/**
 * Takes in what was not read of a request's body. A connection that is answered and closed with data on the way is reset
 * by some runtimes, and the client sees a broken connection instead of its 401 or 413.
 */
export async function drain(request: Request): Promise<void> {
  const announced = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!request.body || request.bodyUsed || request.body.locked || announced <= BUFFERED_BYTES) return;
  const reader = request.body.getReader();
  const deadline = setTimeout(() => void reader.cancel().catch(() => {}), DRAINED_MS_MAX);
  try {
    for (let bytes = 0; bytes < DRAINED_BYTES_MAX; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client went away: there is nobody to answer.
  } finally {
    clearTimeout(deadline);
  }
}
