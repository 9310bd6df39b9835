import { z } from "zod";

/** Length of a window. Every window begins on the minute. */
export const RATE_WINDOW_SECONDS = 60;

/**
 * Categories in which requests are counted, the narrowest first. Every request counts in `data`, and in its operation's
 * own category if it has one. `registration` (new agents) and `authentication` (refused credentials) count by network
 * address, the others by credential, or by address if there is no credential.
 */
export const rateCategories = ["authentication", "registration", "write", "read", "data"] as const;
export type LimitCategory = (typeof rateCategories)[number];

/** The body of a 429. */
export const rateLimitedBody = z
  .object({
    detail: z.string().describe("What happened and what to do next"),
    code: z.literal("rate_limited"),
    category: z.enum(rateCategories).describe("The category whose limit is reached"),
    policy: z.string().describe("The category, its window in seconds and its limit: `read;w=60;q=300`"),
    limit: z.int().describe("Requests allowed in each window"),
    window_seconds: z.int(),
    retry_after_seconds: z.int().describe("Seconds until the next window begins"),
  })
  .meta({ id: "RateLimitError" });
export type RateLimitedBody = z.output<typeof rateLimitedBody>;

/** Formats a category for the `X-RateLimit-Policy` header. */
export function policyOf(category: LimitCategory, limit: number): string {
  return `${category};w=${RATE_WINDOW_SECONDS};q=${limit}`;
}
