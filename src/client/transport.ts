import { type Failed, type Outcome, readAnswer } from "./answer.ts";
import { createDeadline } from "./deadline.ts";
import { RecollectError } from "./error.ts";
import { backOff, pause, unlessAborted } from "./pause.ts";
import type { PreparedRequest } from "./request.ts";

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests reach the service. */
export interface Transport {
  /** The service's, for messages: of its address what holds no secret. */
  readonly origin: string;
  /**
   * These headers, and those that say who asks; made anew for each attempt, since tokens are renewed. TypeError for what no
   * header carries.
   */
  readonly headersWith: (own: Readonly<Record<string, string>>) => Promise<Headers>;
  /** Sends to a path of the service, and follows no redirection: elsewhere nobody is to be told the key. */
  readonly fetch: Fetch;
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
const BACK_OFF_MAX_MS = 10_000;

/**
 * Sends a request until it is answered, cannot succeed, or has been tried as often as it may. Rejects with a
 * `RecollectError`, or with the reason of the signal.
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
    // Also where the runtime says that the connection was refused: Deno sends a request again by itself, and where the service
    // died of the first one, it tells of the second alone.
    mayBeDone: true,
  };
}

/** null where the service asks for more patience than there is. */
function waitFor(
  retryAfterMs: number | null | undefined,
  attempt: number,
  patience: Patience,
): number | null {
  const own = backOff(attempt, patience.backOffMs, BACK_OFF_MAX_MS);
  if (retryAfterMs == null) return own;
  return retryAfterMs > patience.retryAfterMaxMs ? null : retryAfterMs + own;
}
