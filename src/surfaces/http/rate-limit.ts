import { policyOf, RATE_WINDOW_SECONDS, type RateLimitedBody } from "../../contract/rate-limit.ts";
import type { RateLimitStatus } from "../../core/limits/rate-limiter.ts";

/** How the requester stands, as headers of its answer; none where that is not known. */
export function rateLimitHeaders(status: RateLimitStatus | null): Record<string, string> {
  if (!status) return {};
  return {
    "x-ratelimit-limit": String(status.limit),
    "x-ratelimit-remaining": String(status.remaining),
    "x-ratelimit-reset": String(status.resetsAt),
    "x-ratelimit-policy": policyOf(status.category, status.limit),
  };
}

/** What the body of a refusal says besides its detail and code. */
export function rateLimitMembers(status: RateLimitStatus): Omit<RateLimitedBody, "detail" | "code"> {
  return {
    category: status.category,
    policy: policyOf(status.category, status.limit),
    limit: status.limit,
    window_seconds: RATE_WINDOW_SECONDS,
    retry_after_seconds: status.retryAfterSeconds,
  };
}
