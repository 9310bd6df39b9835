import type { Answer } from "./pipeline.ts";

/** CORS policy of a surface. */
export interface Cors {
  headers(request: Request): Record<string, string>;
  /**
   * Answers an allowed preflight; null if it is not allowed or the request is not a preflight. `methods`: the allowed
   * methods.
   */
  preflight(request: Request, methods: string): Answer | null;
}

/** Requests, and request and response headers, that a surface opens to other origins. */
export interface CorsRules {
  readonly origins: readonly string[];
  /** True if the request may be cross-origin at all. */
  readonly concerns: (request: Request) => boolean;
  readonly requestHeaders: readonly string[];
  readonly answerHeaders: readonly string[];
}

const KEPT_SECONDS = 600;

/**
 * Allows exactly these origins. A page must send its key itself: credentials that a browser adds automatically, such as
 * cookies, are never allowed.
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
