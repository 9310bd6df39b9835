const HSTS_SECONDS = 365 * 24 * 60 * 60;

/** What JSON may do in a browser: nothing. A page sets a policy of its own instead. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every answer of every door: no guessing of types, no framing, nothing loaded, nothing told to or taken by
 * other sites, and no way back to plain HTTP where the service is reached by HTTPS.
 */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const isHttps = new URL(publicUrl).protocol === "https:";
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": NOTHING,
    "cross-origin-resource-policy": "same-origin",
    ...(isHttps ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
}
