import { type Failed, type Outcome, readAnswer } from "./answer.ts";
import { createDeadline } from "./deadline.ts";
import { RecollectError } from "./error.ts";
import { backOff, pause, unlessAborted } from "./pause.ts";
import type { PreparedRequest } from "./request.ts";

/** The subset of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests reach the service. */
export interface Transport {
  /** The service's origin for messages, which contains no secret. */
  readonly origin: string;
  /**
   * Adds authentication and attribution headers. Called for each attempt, since tokens are renewed. Throws a TypeError
   * for a value that a header cannot carry.
   */
  readonly headersWith: (own: Readonly<Record<string, string>>) => Promise<Headers>;
  /** Sends a request to a path of the service. Does not follow redirects, which could leak the key. */
  readonly fetch: Fetch;
}

/** Timeouts and retries of a request. */
export interface Patience {
  /** For one attempt, including reading its answer. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Upper bound of the first pause. Doubles each time. */
  readonly backOffMs: number;
  /** The longest `Retry-After` to wait for. For a longer one, the request fails, and the error has the time. */
  readonly retryAfterMaxMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The longest backoff without `Retry-After`. */
const BACK_OFF_MAX_MS = 10_000;

/**
 * Sends a request until it is answered, cannot succeed, or has used up its retries. Rejects with a `RecollectError`, or
 * with the reason of the signal.
 */
export async function send(
  transport: Transport,
  request: PreparedRequest,
  patience: Patience,
): Promise<unknown> {
  const { signal } = patience;
  let isOutcomeUnknown = false;
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const outcome = await unlessAborted(attemptOnce(transport, request, patience), signal);
    if (outcome.isDone) return outcome.answer;
    const { message, details, isTemporary, mayBeDone } = outcome;
    const isFirstRunning = isOutcomeUnknown && request.kind === "keyed" && details.code === "conflict";
    if (mayBeDone && request.kind !== "read") isOutcomeUnknown = true;
    const wait = waitFor(details.retryAfterMs, attempts, patience);
    const mayRepeat = (isTemporary || isFirstRunning) && (request.kind !== "once" || !isOutcomeUnknown);
    if (!mayRepeat || attempts > patience.retries || wait === null) {
      throw new RecollectError(message, { ...details, isOutcomeUnknown, attempts });
    }
    await pause(wait, signal);
  }
}

async function attemptOnce(
  transport: Transport,
  { method, path, body, headers: own }: PreparedRequest,
  { signal, timeoutMs }: Patience,
): Promise<Outcome> {
  const headers = await transport.headersWith(own);
  const deadline = createDeadline(timeoutMs, signal);
  try {
    const response = await transport.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: deadline.signal,
    });
    const outcome = await readAnswer(response);
    return deadline.isOver() && !outcome.isDone ? unanswered(transport, null, true) : outcome;
  } catch (cause) {
    return unanswered(transport, cause, deadline.isOver());
  } finally {
    deadline.end();
  }
}

function unanswered({ origin }: Transport, cause: unknown, isLate: boolean): Failed {
  return {
    isDone: false,
    message: isLate
      ? `There was no answer from ${origin} in time.`
      : `The connection to ${origin} could not be made, or broke.`,
    details: { code: isLate ? "timed_out" : "connection_failed", cause },
    isTemporary: true,
    // True even for a refused connection: Deno resends a request by itself and reports only the second failure,
    // although the service may have processed the first.
    mayBeDone: true,
  };
}

/** Returns the wait before the next attempt; null if the service asks for a longer one than allowed. */
function waitFor(
  retryAfterMs: number | null | undefined,
  attempt: number,
  patience: Patience,
): number | null {
  const own = backOff(attempt, patience.backOffMs, BACK_OFF_MAX_MS);
  if (retryAfterMs == null) return own;
  return retryAfterMs > patience.retryAfterMaxMs ? null : retryAfterMs + own;
}
