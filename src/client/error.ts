import type { ErrorCode, ValidationIssue } from "./contract.ts";

/**
 * Failures before the service answers: no connection or a broken one, no answer in time, or an answer
 * that is not the service's, such as a proxy's page.
 */
export type ClientErrorCode = "connection_failed" | "timed_out" | "unexpected_answer";

/** Open-ended, since later versions of the service may have other codes. */
export type RecollectErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

export interface RecollectErrorDetails {
  readonly code: RecollectErrorCode;
  readonly status?: number | null;
  readonly issues?: readonly ValidationIssue[];
  readonly requestId?: string | null;
  readonly help?: string | null;
  readonly retryAfterMs?: number | null;
  readonly isOutcomeUnknown?: boolean;
  readonly attempts?: number;
  readonly cause?: unknown;
}

/**
 * A failed request. Branch on `code`; the message is for people. An aborted request rejects with its signal's reason
 * instead.
 */
export class RecollectError extends Error {
  override readonly name: string = "RecollectError";
  readonly code: RecollectErrorCode;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** For `validation_failed`: each broken rule, and its place. */
  readonly issues: readonly ValidationIssue[];
  /** The id by which the service's operator can find the request. */
  readonly requestId: string | null;
  /** The page that explains the code and what to do about it; null if the service named none. */
  readonly help: string | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;
  /** True if a write may have been carried out although it failed. Check before you repeat it with a new key. */
  readonly isOutcomeUnknown: boolean;
  /** Number of attempts made. */
  readonly attempts: number;

  constructor(message: string, details: RecollectErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.issues = details.issues ?? [];
    this.requestId = details.requestId ?? null;
    this.help = details.help ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.isOutcomeUnknown = details.isOutcomeUnknown ?? false;
    this.attempts = details.attempts ?? 1;
  }
}

/** Whether a thrown value is an error of this client and, if codes are given, has one of them. */
export function isRecollectError(
  error: unknown,
  ...codes: readonly RecollectErrorCode[]
): error is RecollectError {
  // By name, so that errors of another copy of this package are recognised too.
  const isOurs = error instanceof Error && error.name === "RecollectError" && "code" in error;
  return isOurs && (codes.length === 0 || codes.includes(error.code as RecollectErrorCode));
}
