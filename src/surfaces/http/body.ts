import { DomainError } from "../../core/error.ts";

/** The largest request body that is read. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** The body, `payload_too_large` beyond the cap. Never holds more than that, whatever the client announced. */
export async function readBytes(request: Request, bytesMax = BODY_BYTES_MAX): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return new Uint8Array();
  const bytes = await (announced === null ? readStream(request.body, bytesMax) : readWhole(request));
  if (bytes.length > bytesMax) throw tooLarge(bytesMax);
  return bytes;
}

function tooLarge(bytesMax: number): DomainError {
  return new DomainError("payload_too_large", `The request body is larger than ${bytesMax} bytes.`);
}

/** An announced length is one the runtime holds the client to. */
async function readWhole(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    throw cutShort(cause);
  }
}

async function readStream(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw cutShort(cause);
    });
    if (done) break;
    length += value.length;
    if (length > bytesMax) {
      await dropRest(reader);
      throw tooLarge(bytesMax);
    }
    chunks.push(value);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The client went away in the middle: its own doing, so no fault of ours to be logged. */
function cutShort(cause: unknown): DomainError {
  return new DomainError("validation_failed", "The request is not valid.", {
    issues: [{ loc: ["body"], msg: "ended before it was complete", type: "body_incomplete" }],
    cause,
  });
}

/** A body up to this size is in the runtime's buffers already. */
const BUFFERED_BYTES = 64 * 1024;
/** How long a response waits for a body that nobody wants, and how long that is still taken in behind it. */
const DRAINED_MS_MAX = 1000;
const DROPPED_MS_MAX = 30_000;

/**
 * Takes in what was not read of a request's body. A connection that is answered and closed with data on the way is reset
 * by some runtimes, and the client sees a broken connection instead of its 401 or 413.
 */
export async function drain(request: Request): Promise<void> {
  const announced = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!request.body || request.bodyUsed || request.body.locked || announced <= BUFFERED_BYTES) return;
  await dropRest(request.body.getReader());
}

/**
 * Reads on and keeps nothing; resolves early where that takes long, and goes on. Node stops reading from the connection of
 * a body that is cancelled, but leaves it open: the client's next request on it would never be answered.
 */
async function dropRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let response: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    response = setTimeout(resolve, DRAINED_MS_MAX);
  });
  const end = setTimeout(() => void reader.cancel().catch(() => {}), DROPPED_MS_MAX);
  const dropped = async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // The client went away: there is nobody to answer.
    } finally {
      clearTimeout(end);
    }
  };
  await Promise.race([dropped(), waited]);
  clearTimeout(response);
}
