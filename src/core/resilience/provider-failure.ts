/** What is said of a provider that does not do what it was asked for: sentences without its address and its answer. */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED|connection refused/i, "it refuses connections"],
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "its host name is not known"],
  [/redirect/i, "it redirects to another address, which is not followed"],
  [/certificate|_CERT\b/i, "its certificate is not trusted"],
  [/\bSSL|\bTLS|EPROTO|corrupt message/i, "no TLS connection could be made"],
];

/** Of a `fetch` that got no response. Each runtime says why in its own words, or in a code. */
export function notReached(provider: string, failure: unknown): string {
  const { code, message, cause } = failure as { code?: unknown; message?: unknown; cause?: unknown };
  const within = (cause ?? {}) as { code?: unknown; message?: unknown };
  const words = [code, message, within.code, within.message].filter((word) => typeof word === "string");
  const why = REASONS.find(([pattern]) => pattern.test(words.join(" ")))?.[1];
  return `${provider} cannot be reached${why === undefined ? "" : `: ${why}`}.`;
}

/** Of a response that is no success. */
export function answeredWith(provider: string, status: number): string {
  return `${provider} answered with status ${status}${hintFor(status)}.`;
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ": check its API key";
  if (status === 404) return ": check its address and its model";
  return status === 429 ? ": it takes fewer requests than it was sent" : "";
}
