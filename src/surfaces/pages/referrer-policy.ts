import { isLoopback } from "./destination.ts";

/**
 * What the pages tell of themselves to where their links and forms lead. Nothing, where the browser says by
 * `Sec-Fetch-Site` that a form is ours; over plain http beyond this device it does not, and without a referrer not even
 * an origin: there the service itself is told, and still nobody else.
 */
export function referrerPolicyFor(publicUrl: string): "no-referrer" | "same-origin" {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname) ? "no-referrer" : "same-origin";
}
