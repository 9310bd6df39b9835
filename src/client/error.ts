import type { ErrorCode, ValidationIssue } from "./contract.ts";

/**
 * Failures before the service answers: no connection or a broken one, no answer in time, or an answer
 * that is not the service's, such as a proxy's page.
 */
export type ClientErrorCode = "connection_failed" | "timed_out" | "unexpected_answer";

/** A later version of the service may answer codes that this one does not know. */
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

/** Why a request failed. Decide by `code`; the message is for people. An aborted request rejects with its signal's reason. */
export class RecollectError extends Error {
  override readonly name: string = "RecollectError";
  readonly code: RecollectErrorCode;
  /** The HTTP status; null where there was none. */
  readonly status: number | null;
  /** For `validation_failed`: each broken rule, and its place. */
  readonly issues: readonly ValidationIssue[];
  /** Id by which the service's operator finds the request. */
  readonly requestId: string | null;
  /** The page on which the service says what the code means and what to do about it; null where it named none. */
  readonly help: string | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;
  /** True where a write may have been carried out though it failed: look before you do it again with a new key. */
  readonly isOutcomeUnknown: boolean;
  /** How often it was tried. */
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

/** Whether something thrown is an error of this client; with codes, whether it is one of these. */
export function isRecollectError(
  error: unknown,
  ...codes: readonly RecollectErrorCode[]
): error is RecollectError {
  // By name, so that an error of another copy of this package counts as well.
  const isOurs = error instanceof Error && error.name === "RecollectError" && "code" in error;
  return isOurs && (codes.length === 0 || codes.includes(error.code as RecollectErrorCode));
}
