import { DomainError } from "../../core/error.ts";

/** The largest request body that is read. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** How long a body may take to arrive. Needed because Deno has no limit of its own. */
const READ_MS_MAX = 60_000;

/**
 * Reads the body. Throws `payload_too_large` above the cap, and `validation_failed` if the body is cut short or takes
 * longer than a minute. Never holds more than the cap, whatever the client announced.
 */
export async function readBytes(request: Request, bytesMax = BODY_BYTES_MAX): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return new Uint8Array();
  const bytes = await inTime(
    request,
    announced === null ? readStream(request, bytesMax) : readWhole(request),
  );
  if (bytes.length > bytesMax) throw tooLarge(bytesMax);
  return bytes;
}

function tooLarge(bytesMax: number): DomainError {
  return new DomainError("payload_too_large", `The request body is larger than ${bytesMax} bytes.`);
}

/** Requests whose body was not read completely, because it was too large or took too long. */
const begun = new WeakMap<Request, "large" | "late">();

async function inTime<T>(request: Request, reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      begun.set(request, "late");
      reject(incomplete("did not arrive within a minute"));
    }, READ_MS_MAX);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The runtime enforces an announced length, so the body cannot exceed it. */
async function readWhole(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    throw cutShort(cause);
  }
}

async function readStream(request: Request, bytesMax: number): Promise<Uint8Array> {
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw cutShort(cause);
    });
    if (done) break;
    length += value.length;
    if (length > bytesMax) {
      begun.set(request, "large");
      reader.releaseLock();
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

/** The client disconnected midway. This is not our fault and must not be logged as one. */
function cutShort(cause: unknown): DomainError {
  return incomplete("ended before it was complete", cause);
}

function incomplete(msg: string, cause?: unknown): DomainError {
  const issues = [{ loc: ["body"], msg, type: "body_incomplete" }];
  return new DomainError("validation_failed", "The request is not valid.", { issues, cause });
}

/** A body up to this size is already in the runtime's buffers. */
const BUFFERED_BYTES = 64 * 1024;
/**
 * How long a response waits while its request's unread body is drained, and how long draining may continue after the
 * response.
 */
const DRAINED_MS_MAX = 1000;
const DROPPED_MS_MAX = 30_000;
/** How many bodies may be draining after their responses: from one network address, and in total. */
const DROPPED_MAX_OF_ONE = 16;
const DROPPED_MAX = 256;

/** Number of bodies still draining after their responses, by the peer's address. */
const dropping = new Map<string, number>();

/**
 * Drains the unread rest of a request's body. Some runtimes reset a connection that is closed while data is still
 * arriving, so that the client sees a broken connection instead of its 401 or 413. Returns false if the rest will not
 * be read; the connection then ends with the response.
 */
export async function drain(request: Request): Promise<boolean> {
  const announced = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  const left = begun.get(request);
  if (left === "late") return false;
  const isRead = request.bodyUsed && left === undefined;
  if (!request.body || isRead || request.body.locked || announced <= BUFFERED_BYTES) return true;
  return dropRest(request.body.getReader(), (request as { ip?: string | null }).ip ?? "");
}

/**
 * Reads and discards the rest. If that takes long, resolves early and continues in the background, unless too many
 * bodies already do. Cancelling the body is not enough: Node then stops reading from the connection but leaves it open,
 * and the client's next request on it would never be answered.
 */
async function dropRest(reader: ReadableStreamDefaultReader<Uint8Array>, peer: string): Promise<boolean> {
  let response: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<false>((resolve) => {
    response = setTimeout(resolve, DRAINED_MS_MAX, false);
  });
  const cancel = () => void reader.cancel().catch(() => {});
  const dropped = (async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // The client disconnected; there is no one to answer.
    }
    return true as const;
  })();
  const isDone = await Promise.race([dropped, waited]);
  clearTimeout(response);
  if (isDone) return true;
  const ofPeer = dropping.get(peer) ?? 0;
  const ofAll = [...dropping.values()].reduce((sum, count) => sum + count, 0);
  if (ofPeer >= DROPPED_MAX_OF_ONE || ofAll >= DROPPED_MAX) {
    cancel();
    return false;
  }
  dropping.set(peer, ofPeer + 1);
  const end = setTimeout(cancel, DROPPED_MS_MAX);
  void dropped.then(() => {
    clearTimeout(end);
    const left = (dropping.get(peer) ?? 1) - 1;
    if (left > 0) dropping.set(peer, left);
    else dropping.delete(peer);
  });
  return true;
}
