import type { ErrorCode, ValidationIssue } from "../contract/error.ts";
import type { Claims } from "./access/credential.ts";

/**
 * A failed rule. `loc` leads from the operation's input to the member that broke it, or is empty for the input as a
 * whole; each surface adds where it carries the member. With `claim`, what the request says of itself broke the rule.
 */
export interface Issue extends ValidationIssue {
  readonly claim?: keyof Claims;
}

/** A refusal, which every surface translates by its code. The message is for people and holds no stored content. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** The failed rules, for `validation_failed` only. */
  readonly issues: readonly Issue[];
  /** How long to wait before a retry; null if that does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { issues?: readonly Issue[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.issues = options.issues ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Creates a `validation_failed` for a member of the input that only the use case could check. */
export function invalid(
  loc: readonly (string | number)[],
  message: string,
  type = "value_error",
): DomainError {
  return new DomainError("validation_failed", message, { issues: [{ loc: [...loc], msg: message, type }] });
}

/** The same for an attribution claim, such as the session. */
export function invalidClaim(claim: keyof Claims, message: string): DomainError {
  const issue = { claim, loc: [], msg: message, type: "value_error" };
  return new DomainError("validation_failed", message, { issues: [issue] });
}

/** Creates a 404, identical for invisible and missing objects, so that ids cannot be probed. */
export function notFound(what = "memory"): DomainError {
  return new DomainError("not_found", `There is no such ${what}, or this credential may not see it.`);
}

/** The error that ends the work of a request whose sender has disconnected. No one reads the answer. */
export function calledOff(): DomainError {
  return new DomainError("validation_failed", "The request is not valid.", {
    issues: [{ loc: [], msg: "was cancelled by its sender", type: "request_called_off" }],
  });
}
