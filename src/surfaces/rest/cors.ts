import { CLAIM_HEADERS } from "../http/admission.ts";
import type { Answer } from "../http/pipeline.ts";

/** Which pages of other sites may call the API from a browser. */
export interface Cors {
  /** What the answer to this request says of it. */
  headers(request: Request): Record<string, string>;
  /** The answer to a preflight that may pass; null where it may not, or the request is none. `methods`: those allowed. */
  preflight(request: Request, methods: string): Answer | null;
}

/** True for what is below /v1. */
export function isOfApi({ url }: Request): boolean {
  // Without parsing the URL, which every request would pay for.
  return url.startsWith("/v1/", url.indexOf("/", url.indexOf("//") + 2));
}

const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "X-API-Key",
  "X-Request-Id",
  ...Object.values(CLAIM_HEADERS),
].join(", ");

const ANSWER_HEADERS = [
  "ETag",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Policy",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Recollect-Ignored",
  "X-Request-Id",
].join(", ");

const KEPT_SECONDS = 600;

/**
 * The pages of these origins and no others, below /v1 and nowhere else; none where there are no origins. A page sends
 * its key itself: credentials that a browser adds by itself, such as cookies, are never allowed.
 */
export function createCors(origins: readonly string[]): Cors {
  const concerns = (request: Request) => origins.length > 0 && isOfApi(request);
  const allowed = (request: Request): string | null => {
    const origin = request.headers.get("origin");
    return origin !== null && origins.includes(origin) && concerns(request) ? origin : null;
  };
  return {
    headers(request) {
      if (!concerns(request)) return {};
      const origin = allowed(request);
      if (origin === null) return { vary: "Origin" };
      return {
        vary: "Origin",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": ANSWER_HEADERS,
      };
    },
    preflight(request, methods) {
      const isPreflight =
        request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      if (!isPreflight || allowed(request) === null) return null;
      return {
        status: 204,
        headers: {
          "access-control-allow-methods": methods,
          "access-control-allow-headers": REQUEST_HEADERS,
          "access-control-max-age": String(KEPT_SECONDS),
        },
        body: "",
      };
    },
  };
}
