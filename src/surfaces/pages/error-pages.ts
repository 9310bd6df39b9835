/** Pages that say what went wrong, and what to do next. */
import { type ErrorCode, errorCodes } from "../../contract/error.ts";
import type { DomainError } from "../../core/error.ts";
import { errorHeaders } from "../http/error-response.ts";
import { type Html, html } from "../http/html.ts";
import type { PageReply } from "./page.ts";

/** A page of a heading and a few sentences. */
export function noticePage(status: number, heading: string, body: Html): PageReply {
  return { status, title: heading, body: html`<h1>${heading}</h1>${body}` };
}

/** Texts for errors that no page handles itself. */
const WORDS: Partial<Record<ErrorCode, readonly [heading: string, next: string]>> = {
  malformed_host: ["This address cannot be read", "Check the address, and open it again."],
  not_found: [
    "There is nothing here",
    "The address may be incomplete or misspelt, or what was here has ended.",
  ],
  method_not_allowed: [
    "This address cannot be opened directly",
    "It is there for a form or a program. Begin again from the start page.",
  ],
  conflict: ["This was done already", "Somebody else decided in the meantime. Nothing was changed now."],
  role_forbidden: [
    "Your role does not allow this",
    "Ask an owner or admin of the team, or choose less than what you asked for.",
  ],
  payload_too_large: ["That was too large", "The form is larger than this page takes. Send less."],
  unsupported_media_type: ["This form cannot be read", "Send it from the page it belongs to."],
  validation_failed: ["This form cannot be read", "Go back, check what you filled in, and send it again."],
  rate_limited: ["Too many requests", "Wait a little, then try again."],
  overloaded: ["Too much at once", "The service has too much to do just now. Try again in a few seconds."],
  dependency_unavailable: [
    "Not available right now",
    "Part of the service is not available. Try again in a minute.",
  ],
};

/** The page of an error. It reveals no internals, and shows the request id if the fault is the service's. */
export function errorPage(
  error: DomainError,
  requestId: string,
  wayOut: Html = html`<a href="/account">To your account</a>`,
): PageReply {
  if (error.code === "host_not_allowed") return wrongHostPage();
  if (error.code === "origin_not_allowed") return crossOriginPage();
  const { status } = errorCodes[error.code];
  const [heading, next] = WORDS[error.code] ?? [
    "Something went wrong on our side",
    "It was logged. Try again; if it happens again, give the service's operators this id:",
  ];
  return {
    ...noticePage(
      status,
      heading,
      html`<p>${next}</p>${status >= 500 && html`<p>Request <code>${requestId}</code></p>`}
      <p>${wayOut}</p>`,
    ),
    headers: errorHeaders(error),
  };
}

export function wrongMethodPage({
  get,
  post,
}: {
  readonly get?: unknown;
  readonly post?: unknown;
}): PageReply {
  const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : [])].join(", ");
  return {
    ...noticePage(
      405,
      "This address is for a form",
      html`<p>It cannot be opened by itself. Begin again from <a href="/account">your account</a>.</p>`,
    ),
    headers: { allow },
  };
}

/** The page for a request under a foreign host name (DNS rebinding). */
function wrongHostPage(): PageReply {
  return noticePage(
    403,
    "This is not the address of this service",
    html`<p>Open it under its own address. Whoever runs it sets that address as <code>PUBLIC_URL</code>, and further
    names in <code>ALLOWED_HOSTS</code>.</p>`,
  );
}

/** The page for a request sent by another site's page, or by a browser that does not state a form's origin. */
export function crossOriginPage(): PageReply {
  return noticePage(
    403,
    "This form did not come from here",
    html`<p>Nothing was done. If another site brought you here, leave it. Otherwise open
    <a href="/account">your account</a> and begin again.</p>`,
  );
}

/** The page for a form of another session or browser, or a forged one. */
export function staleFormPage(): PageReply {
  return noticePage(
    403,
    "This form is out of date",
    html`<p>Nothing was done. You may have signed in or out since it was opened, or your browser keeps no cookies.
    Open <a href="/account">your account</a> and begin again.</p>`,
  );
}
