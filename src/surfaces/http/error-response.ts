import { policyOf, RATE_WINDOW_SECONDS, type RateLimitedBody } from "../../contract/rate-limit.ts";
import { DomainError } from "../../core/error.ts";
import { RateLimited, type RateLimitStatus } from "../../core/limits/rate-limiter.ts";

/** The error that a client sees for anything thrown. Only a `DomainError` shows its own message. */
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

/** The body of an error response, the same at every surface that has no format of its own. */
export function errorBody(error: DomainError): Record<string, unknown> {
  const detail = error.code === "validation_failed" ? error.issues : detailOf(error);
  return { detail, code: error.code, ...errorMembers(error) };
}

/** The `detail` of the body. A 401 has its code there, as the contract says; its `hint` has the help. */
export function detailOf({ code, message }: DomainError): string {
  return code === "invalid_token" ? code : message;
}

/** Further members of some errors, whatever the rest of the body looks like. */
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

/** The headers of an error response that are the same at every surface. */
export function errorHeaders(error: DomainError): Record<string, string> {
  const wait = retryAfterSecondsOf(error);
  return {
    ...(wait === null ? {} : { "retry-after": String(wait) }),
    ...(error instanceof RateLimited ? rateLimitHeaders(error.status) : {}),
  };
}

/** How long a client waits for a dependency where the error does not say. */
const DEPENDENCY_SECONDS = 2;

function retryAfterSecondsOf({ code, retryAfterSeconds }: DomainError): number | null {
  if (retryAfterSeconds !== null) return Math.ceil(retryAfterSeconds);
  return code === "dependency_unavailable" ? DEPENDENCY_SECONDS : null;
}

/** The sender's rate-limit status as headers of the answer; none where it is not known. */
export function rateLimitHeaders(status: RateLimitStatus | null): Record<string, string> {
  if (!status) return {};
  return {
    "x-ratelimit-limit": String(status.limit),
    "x-ratelimit-remaining": String(status.remaining),
    "x-ratelimit-reset": String(status.resetsAt),
    "x-ratelimit-policy": policyOf(status.category, status.limit),
  };
}
