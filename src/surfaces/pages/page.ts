/** Pages: replies of handlers, safe texts, the layout and the response. */
import { createHash } from "node:crypto";
import { NOT_IN_LINE } from "../../contract/own-words.ts";
import { SERVICE_NAME } from "../../contract/service.ts";
import type { Account } from "../../core/access/accounts.ts";
import { Html, html } from "../http/html.ts";
import type { Answer } from "../http/pipeline.ts";
import { tokenField } from "./form.ts";
import { style } from "./style.ts";

export interface PageReply {
  readonly status: number;
  readonly title: string;
  /** The contents of `<main>`. */
  readonly body: Html;
  /** Additions to `<head>`. */
  readonly head?: Html;
  /** True for pages with lists. Pages with a single question are narrow. */
  readonly isWide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** A redirect to another page of this service, by GET. */
export interface RedirectReply {
  readonly redirectTo: string;
  readonly cookies?: readonly string[];
  /** True if a session began or ended, which invalidates forms made before. */
  readonly isOtherSession?: boolean;
}

export type Reply = PageReply | RedirectReply;

/** Facts about the visitor that the layout shows. */
export interface PageContext {
  /** The signed-in account, if any. */
  readonly account: Account | null;
  /** The `form_token` of every form of this visit. */
  readonly formToken: string;
}

/** Longer than any real name. Longer texts are truncated, or they would push our own words off the screen. */
const NAME_CHARACTERS_MAX = 200;
/** No truncation, for texts whose end matters, such as hosts. */
export const WHOLE = Number.POSITIVE_INFINITY;

/**
 * Makes untrusted text safe to show: invisible characters become `�`, text direction is isolated, and long texts are
 * truncated.
 */
export function untrusted(words: string, charactersMax = NAME_CHARACTERS_MAX): Html {
  const characters = [...words.slice(0, 2 * charactersMax + 2)];
  const isLong = characters.length > charactersMax || words.length > 2 * charactersMax + 2;
  const shown = isLong ? `${characters.slice(0, charactersMax).join("")}…` : words;
  return html`<bdi class="said">${shown.replaceAll(NOT_IN_LINE, "\ufffd")}</bdi>`;
}

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
  // The past is counted in full units; the future to the nearest minute, so that ten minutes are ten.
  const span = at <= now ? at - now : Math.round((at - now) / MINUTE_MS) * MINUTE_MS;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(span) >= ms) return relative.format(Math.trunc(span / ms), unit);
  }
  return at <= now ? "less than a minute ago" : "in less than a minute";
}

function layout(page: PageReply, context: PageContext): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · ${SERVICE_NAME}</title>
${page.head}
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><div class="bar">
  <a class="name" href="/account">${SERVICE_NAME}</a>
  ${context.account && signOutForm(context.account.email, context)}
</div></header>
<main id="content" tabindex="-1"${page.isWide ? html` class="wide"` : ""}>
${page.body}
</main>
</body>
</html>
`;
}

function signOutForm(email: string, context: PageContext): Html {
  return html`<form class="session" method="post" action="/sign-out">
    ${tokenField(context)}
    <span class="who"><span class="unseen">Signed in as </span>${email}</span>
    <button class="quiet" type="submit">Sign out</button>
  </form>`;
}

/** Converts a reply to an answer, with the request's `Set-Cookie` values in addition to its own. */
export function answerOf(
  reply: Reply,
  context: { readonly page: PageContext; readonly cookies: readonly string[] },
): Answer {
  const cookies = [...(reply.cookies ?? []), ...context.cookies];
  // 303 makes the browser use GET for the next page, whatever the method was.
  if ("redirectTo" in reply)
    return { status: 303, headers: { location: reply.redirectTo }, body: "", cookies };
  return {
    status: reply.status,
    headers: { ...reply.headers, "content-type": "text/html; charset=utf-8" },
    body: layout(reply, context.page).text,
    cookies,
  };
}

const styleHash = createHash("sha256").update(style).digest("base64");

/** No scripts, no external resources, no framing, and forms only to this origin. */
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * Headers of every page, overriding the common ones. Pages show private data, and some secrets only once, so no cache
 * may store them.
 */
export const PAGE_HEADERS = { "content-security-policy": POLICY, "cache-control": "no-store" };
