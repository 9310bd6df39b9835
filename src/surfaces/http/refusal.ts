import { DomainError } from "../../core/error.ts";
import { RateLimited } from "../../core/limits/rate-limiter.ts";
import { rateLimitHeaders, rateLimitMembers } from "./rate-limit.ts";

/** How long a client waits where the refusal does not say. */
const RETRY_AFTER_SECONDS = 2;

/** The body of a refusal, the same at every door. */
export function refusalBody(error: DomainError): Record<string, unknown> {
  const detail = error.code === "validation_failed" ? error.issues : error.message;
  return { detail, code: error.code, ...refusalMembers(error) };
}

/** What some refusals say besides, whatever the rest of the body looks like. */
export function refusalMembers(error: DomainError): Record<string, unknown> {
  return error instanceof RateLimited ? rateLimitMembers(error.status) : {};
}

/** The headers of a refusal that are the same at every door. */
export function refusalHeaders(error: DomainError): Record<string, string> {
  const wait =
    error.retryAfterSeconds ?? (error.code === "dependency_unavailable" ? RETRY_AFTER_SECONDS : null);
  return {
    ...(wait === null ? {} : { "retry-after": String(Math.ceil(wait)) }),
    ...(error instanceof RateLimited ? rateLimitHeaders(error.status) : {}),
  };
}

/** What a client is told of anything that was thrown: nothing of what is inside, unless it is a refusal. */
export function domainErrorOf(cause: unknown, isUnavailable: (error: unknown) => boolean): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnavailable(cause)) {
    return new DomainError(
      "dependency_unavailable",
      "A part of the service is not available: try again soon.",
    );
  }
  return new DomainError(
    "internal",
    "The service failed. Its operators find what happened by the X-Request-Id.",
  );
}
