import { policyOf, RATE_WINDOW_SECONDS, type RateLimitedBody } from "../../contract/rate-limit.ts";
import { DomainError } from "../../core/error.ts";
import { RateLimited, type RateLimitStatus } from "../../core/limits/rate-limiter.ts";

/** Converts anything thrown to the error that a client sees. Only a `DomainError` keeps its message. */
export function domainErrorOf(cause: unknown, isUnavailable: (error: unknown) => boolean): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnavailable(cause)) {
    return new DomainError(
      "dependency_unavailable",
      "Part of the service is not available. Try again in a few seconds.",
    );
  }
  return new DomainError(
    "internal",
    "Something went wrong on our side. Give the operators the X-Request-Id of this answer: they find the reason by it.",
  );
}

/** The body of an error response, for all surfaces without a format of their own. */
export function errorBody(error: DomainError): Record<string, unknown> {
  const detail = error.code === "validation_failed" ? error.issues : detailOf(error);
  return { detail, code: error.code, ...errorMembers(error) };
}

/** The `detail` of the body. For a 401 the contract requires the code here; the explanation is in `hint`. */
export function detailOf({ code, message }: DomainError): string {
  return code === "invalid_token" ? code : message;
}

/** Additional members of some errors, independent of the body's format. */
export function errorMembers(error: DomainError): Partial<RateLimitedBody> & { readonly hint?: string } {
  if (error.code === "invalid_token") return { hint: error.message };
  if (!(error instanceof RateLimited)) return {};
  const { category, limit, retryAfterSeconds } = error.status;
  return {
    category,
    policy: policyOf(category, limit),
    limit,
    window_seconds: RATE_WINDOW_SECONDS,
    retry_after_seconds: retryAfterSeconds,
  };
}

/** Headers of an error response that all surfaces share. */
export function errorHeaders(error: DomainError): Record<string, string> {
  const wait = retryAfterSecondsOf(error);
  return {
    ...(wait === null ? {} : { "retry-after": String(wait) }),
    ...(error instanceof RateLimited ? rateLimitHeaders(error.status) : {}),
  };
}

/** Default `Retry-After` when a dependency is unavailable. */
const DEPENDENCY_SECONDS = 2;

function retryAfterSecondsOf({ code, retryAfterSeconds }: DomainError): number | null {
  if (retryAfterSeconds !== null) return Math.ceil(retryAfterSeconds);
  return code === "dependency_unavailable" ? DEPENDENCY_SECONDS : null;
}

/** The sender's rate-limit status as response headers; empty if it is unknown. */
export function rateLimitHeaders(status: RateLimitStatus | null): Record<string, string> {
  if (!status) return {};
  return {
    "x-ratelimit-limit": String(status.limit),
    "x-ratelimit-remaining": String(status.remaining),
    "x-ratelimit-reset": String(status.resetsAt),
    "x-ratelimit-policy": policyOf(status.category, status.limit),
  };
}
