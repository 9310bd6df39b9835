import type { Answer } from "./pipeline.ts";

/** Which pages of other sites may call a surface from a browser. */
export interface Cors {
  /** The CORS headers of the answer to this request. */
  headers(request: Request): Record<string, string>;
  /** The answer to a preflight that may pass; null where it may not, or the request is none. `methods`: those allowed. */
  preflight(request: Request, methods: string): Answer | null;
}

/** Requests and headers of a surface that pages of other sites may send and read. */
export interface CorsRules {
  readonly origins: readonly string[];
  /** True where they may call at all. */
  readonly concerns: (request: Request) => boolean;
  readonly requestHeaders: readonly string[];
  readonly answerHeaders: readonly string[];
}

const KEPT_SECONDS = 600;

/**
 * The pages of these origins and no others; none where there are no origins. A page sends its key itself: credentials that
 * a browser adds by itself, such as cookies, are never allowed.
 */
export function createCors({ origins, concerns, requestHeaders, answerHeaders }: CorsRules): Cors {
  const isConcerned = (request: Request) => origins.length > 0 && concerns(request);
  const allowed = (request: Request): string | null => {
    const origin = request.headers.get("origin");
    return origin !== null && origins.includes(origin) && isConcerned(request) ? origin : null;
  };
  return {
    headers(request) {
      if (!isConcerned(request)) return {};
      const origin = allowed(request);
      if (origin === null) return { vary: "Origin" };
      return {
        vary: "Origin",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": answerHeaders.join(", "),
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
          "access-control-allow-headers": requestHeaders.join(", "),
          "access-control-max-age": String(KEPT_SECONDS),
        },
        body: "",
      };
    },
  };
}
