import { type Html, html } from "../http/html.ts";

const MINUTE_MS = 60_000;
const UNITS = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** An instant as "3 minutes ago (21 November 2026 at 12:04 UTC)"; the server does not know the reader's time zone. */
export function when(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${fromNow(at, now)} (${absolute.format(at)} UTC)</time>`;
}

/** An instant as "3 minutes ago". */
export function ago(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${fromNow(at, now)}</time>`;
}

function fromNow(at: number, now: number): string {
  // What was is counted in full units; what is to come, to the nearest minute, so that ten minutes are ten.
  const span = at <= now ? at - now : Math.round((at - now) / MINUTE_MS) * MINUTE_MS;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(span) >= ms) return relative.format(Math.trunc(span / ms), unit);
  }
  return at <= now ? "less than a minute ago" : "in less than a minute";
}
