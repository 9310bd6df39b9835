/** Where a browser is about to be sent, as a person reads it. */
export interface Destination {
  /** The host with its port, or the scheme of an app's own links. */
  readonly name: string;
  readonly kind: "site" | "this_device" | "app";
}

/** Schemes that would run or show something instead of leading somewhere. */
const NEVER = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:", "about:", "view-source:"]);

/** The destination of an address; null for what no browser may be sent to. */
export function destinationOf(address: string): Destination | null {
  if (!URL.canParse(address)) return null;
  // Names in other scripts come out as punycode, so that look-alike letters are seen.
  const { protocol, host, hostname } = new URL(address);
  if (NEVER.has(protocol)) return null;
  if (protocol !== "http:" && protocol !== "https:") return { name: protocol, kind: "app" };
  return { name: host, kind: isLoopback(hostname) ? "this_device" : "site" };
}

/** True where a host name stands for the device itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
