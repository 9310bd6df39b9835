import type { ErrorCode, ValidationIssue } from "../contract/error.ts";

/** A refusal that every door translates from its code. The message is for people and holds no stored content. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** The failed rules, for `validation_failed` only. */
  readonly issues: readonly ValidationIssue[];
  /** How long to wait before trying again, where that helps. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { issues?: readonly ValidationIssue[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.issues = options.issues ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** A `validation_failed` for one member that only the use case could judge. */
export function invalid(
  loc: readonly (string | number)[],
  message: string,
  type = "value_error",
): DomainError {
  return new DomainError("validation_failed", message, { issues: [{ loc: [...loc], msg: message, type }] });
}

/** What the caller may not see and what does not exist are the same: 404, so that ids cannot be probed. */
export function notFound(what = "memory"): DomainError {
  return new DomainError("not_found", `There is no such ${what}, or this credential may not see it.`);
}
