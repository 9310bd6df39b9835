import { type Outcome, readAnswer } from "./answer.ts";
import { createDeadline } from "./deadline.ts";
import { RecollectError } from "./error.ts";
import { backOff, pause } from "./pause.ts";
import type { PreparedRequest } from "./request.ts";

/** What is needed of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests reach the service. */
export interface Transport {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** Headers that say who asks; made anew for each attempt, since tokens are renewed. */
  readonly credentials: () => Promise<Readonly<Record<string, string>>>;
}

/** How long, and how often, a request is tried. */
export interface Patience {
  /** For one attempt, the reading of its answer included. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** The bound of the first pause; that of the next is twice as much. */
  readonly backOffMs: number;
  /** A longer wait than this is not waited for: the error says how long it would be. */
  readonly retryAfterMaxMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** No pause of our own is longer. */
export const BACK_OFF_MAX_MS = 10_000;

/**
 * Sends a request until it is answered, cannot succeed, or has been tried as often as it may. Rejects with a
 * `RecollectError`, or with the reason of the signal.
 */
export async function send(
  transport: Transport,
  request: PreparedRequest,
  patience: Patience,
): Promise<unknown> {
  let isFateUnknown = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(transport, request, patience);
    if (outcome.isDone) return outcome.answer;
    const isFirstRunning = isFateUnknown && request.kind === "keyed" && outcome.error.code === "conflict";
    if (outcome.mayBeDone && request.kind !== "read") isFateUnknown = true;
    const wait = waitFor(outcome.error, attempt, patience);
    const mayRepeat = (outcome.isTemporary || isFirstRunning) && (request.kind !== "once" || !isFateUnknown);
    if (!mayRepeat || attempt > patience.retries || wait === null) {
      throw finalError(outcome.error, isFateUnknown, attempt);
    }
    await pause(wait, patience.signal);
  }
}

async function attemptOnce(
  transport: Transport,
  request: PreparedRequest,
  patience: Patience,
): Promise<Outcome> {
  const { signal, timeoutMs } = patience;
  signal?.throwIfAborted();
  const headers = { ...(await transport.credentials()), ...request.headers };
  const { method, path, body } = request;
  const deadline = createDeadline(timeoutMs, signal);
  const { fetch, baseUrl } = transport;
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: deadline.signal,
      // Elsewhere nobody is to be told the key.
      redirect: "manual",
    });
    const outcome = await readAnswer(response);
    signal?.throwIfAborted();
    return deadline.isOver() && !outcome.isDone ? unanswered(null, true) : outcome;
  } catch (cause) {
    signal?.throwIfAborted();
    return unanswered(cause, deadline.isOver());
  } finally {
    deadline.end();
  }
}

function unanswered(cause: unknown, isLate: boolean): Outcome {
  const message = isLate ? "There was no answer in time." : "The connection could not be made, or broke.";
  const code = isLate ? "timed_out" : "connection_failed";
  return {
    isDone: false,
    error: new RecollectError(message, { code, cause }),
    isTemporary: true,
    mayBeDone: true,
  };
}

/** null where the service asks for more patience than there is. */
function waitFor({ retryAfterMs }: RecollectError, attempt: number, patience: Patience): number | null {
  const own = backOff(attempt, patience.backOffMs, BACK_OFF_MAX_MS);
  if (retryAfterMs === null) return own;
  return retryAfterMs > patience.retryAfterMaxMs ? null : retryAfterMs + own;
}

function finalError(error: RecollectError, isOutcomeUnknown: boolean, attempts: number): RecollectError {
  const { message, code, status, issues, requestId, retryAfterMs, cause } = error;
  return new RecollectError(message, {
    code,
    status,
    issues,
    requestId,
    retryAfterMs,
    isOutcomeUnknown,
    attempts,
    cause,
  });
}
