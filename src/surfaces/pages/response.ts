import { createHash } from "node:crypto";
import { layout, type PageContext } from "./layout.ts";
import { style } from "./style.ts";
import type { PageReply, RedirectReply } from "./visit.ts";

const styleHash = createHash("sha256").update(style).digest("base64");

/** No script, nothing from elsewhere, no frame around it, and forms that go nowhere but here. */
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** Pages hold what is one person's, and some of it once: nobody keeps them. */
function headersOf({ always, requestId }: Sending, cookies: readonly string[]): Headers {
  const headers = new Headers({
    ...always,
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-request-id": requestId,
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}

/** What an answer needs besides the reply. */
export interface Sending {
  readonly method: string;
  readonly requestId: string;
  /** Headers of every answer of the service. */
  readonly always: Readonly<Record<string, string>>;
  /** `Set-Cookie` values besides the reply's own. */
  readonly cookies: readonly string[];
}

const utf8 = new TextEncoder();

export function pageResponse(page: PageReply, around: PageContext, sending: Sending): Response {
  const headers = headersOf(sending, [...(page.cookies ?? []), ...sending.cookies]);
  const bytes = utf8.encode(layout(page, around).text);
  for (const [name, value] of Object.entries(page.headers ?? {})) headers.set(name, value);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-length", String(bytes.length));
  return new Response(sending.method === "HEAD" ? null : bytes, { status: page.status, headers });
}

/** 303: whatever the method was, the next page is asked for with GET. */
export function redirectResponse(reply: RedirectReply, sending: Sending): Response {
  const headers = headersOf(sending, [...(reply.cookies ?? []), ...sending.cookies]);
  headers.set("location", reply.redirectTo);
  headers.set("content-length", "0");
  return new Response(null, { status: 303, headers });
}
