/** Messages about a failing provider, without its address or its answer. */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED|connection refused/i, "it refuses connections"],
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "its host name is not known"],
  [/redirect/i, "it redirects to another address, which is not followed"],
  [/certificate|_CERT\b/i, "its certificate is not trusted"],
  [/\bSSL|\bTLS|EPROTO|corrupt message/i, "no TLS connection could be made"],
];

/** Describes a `fetch` without a response. Each runtime gives the reason in its own words, or as a code. */
export function notReached(provider: string, failure: unknown): string {
  const { code, message, cause } = failure as { code?: unknown; message?: unknown; cause?: unknown };
  const within = (cause ?? {}) as { code?: unknown; message?: unknown };
  const words = [code, message, within.code, within.message].filter((word) => typeof word === "string");
  const why = REASONS.find(([pattern]) => pattern.test(words.join(" ")))?.[1];
  return `${provider} cannot be reached${why === undefined ? "" : `: ${why}`}.`;
}

/** Describes an unsuccessful response. */
export function answeredWith(provider: string, status: number): string {
  return `${provider} answered with status ${status}${hintFor(status)}.`;
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ": check its API key";
  if (status === 404) return ": check its address and its model";
  return status === 429 ? ": it takes fewer requests than it was sent" : "";
}

/** Parses `Retry-After`, in seconds or as a date, to milliseconds; null if absent. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
