import { policyOf, RATE_WINDOW_SECONDS, type RateLimitedBody } from "../../contract/rate-limit.ts";
import type { Standing } from "../../core/limits/standing.ts";

/** How the requester stands, as headers of its answer; none where that is not known. */
export function rateLimitHeaders(standing: Standing | null): Record<string, string> {
  if (!standing) return {};
  return {
    "x-ratelimit-limit": String(standing.limit),
    "x-ratelimit-remaining": String(standing.remaining),
    "x-ratelimit-reset": String(standing.resetsAt),
    "x-ratelimit-policy": policyOf(standing.category, standing.limit),
  };
}

/** What the body of a refusal says besides its detail and code. */
export function rateLimitMembers(standing: Standing): Omit<RateLimitedBody, "detail" | "code"> {
  return {
    category: standing.category,
    policy: policyOf(standing.category, standing.limit),
    limit: standing.limit,
    window_seconds: RATE_WINDOW_SECONDS,
    retry_after_seconds: standing.retryAfterSeconds,
  };
}
