import { type ErrorCode, errorCodes } from "../../contract/error.ts";
import type { DomainError } from "../../core/error.ts";
import { type Html, html } from "../http/html.ts";
import type { PageReply } from "./visit.ts";

/** A page that says what went wrong and what to do next. */
export function problemPage(status: number, heading: string, body: Html): PageReply {
  return { status, title: heading, body: html`<h1>${heading}</h1>${body}` };
}

/** What a person reads of the refusals that no page has words of its own for. */
const WORDS: Partial<Record<ErrorCode, readonly [heading: string, next: string]>> = {
  not_found: ["There is nothing here", "It may have ended, or the address is not complete."],
  conflict: ["This was done already", "Somebody else decided in the meantime. Nothing was changed now."],
  role_forbidden: [
    "Your role does not allow this",
    "Ask an owner or admin of the team, or choose less than what you asked for.",
  ],
  payload_too_large: ["That was too much", "The form is larger than this page takes. Send less."],
  unsupported_media_type: ["This form cannot be read", "Send it from the page it belongs to."],
  validation_failed: ["This form cannot be read", "Go back, check what you filled in, and send it again."],
  rate_limited: ["Too many requests", "Wait a little, then try again."],
  dependency_unavailable: [
    "Not available right now",
    "A part of the service is away. Try again in a minute.",
  ],
};

/** The page of a refusal. */
export function refusalPage(error: DomainError, requestId: string): PageReply {
  const { status } = errorCodes[error.code];
  const [heading, next] = WORDS[error.code] ?? [
    "Something went wrong on our side",
    "It was noted. Try again; if it happens again, tell the service's operators this number:",
  ];
  const wait = error.retryAfterSeconds ?? (error.code === "dependency_unavailable" ? 2 : null);
  return {
    ...problemPage(
      status,
      heading,
      html`<p>${next}</p>${status >= 500 && html`<p>Request <code>${requestId}</code></p>`}
      <p><a href="/account">To your account</a></p>`,
    ),
    ...(wait === null ? {} : { headers: { "retry-after": String(Math.ceil(wait)) } }),
  };
}
