import { html } from "../http/html.ts";
import { problemPage } from "./problem.ts";
import type { BrowserEndpoint, PageReply } from "./visit.ts";

export function nothingHere(): PageReply {
  return problemPage(404, "There is nothing here", html`<p><a href="/account">To your account</a></p>`);
}

export function wrongMethod({ get, post }: BrowserEndpoint): PageReply {
  const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : [])].join(", ");
  return {
    ...problemPage(
      405,
      "This address is for a form",
      html`<p>It cannot be opened by itself. Begin again from <a href="/account">your account</a>.</p>`,
    ),
    headers: { allow },
  };
}

/** A browser that was tricked into asking for us under another name. */
export function misdirected(): PageReply {
  return problemPage(
    403,
    "This is not the address of this service",
    html`<p>Open it under its own address. Whoever runs it sets that address as <code>PUBLIC_URL</code>.</p>`,
  );
}

/** A form that another site sent, or a browser that does not say where it was. */
export function foreignForm(): PageReply {
  return problemPage(
    403,
    "This form did not come from here",
    html`<p>Nothing was done. If another site brought you here, leave it. Otherwise open
    <a href="/account">your account</a> and begin again.</p>`,
  );
}

/** A form of another session or browser, or none of ours at all. */
export function staleForm(): PageReply {
  return problemPage(
    403,
    "This form is out of date",
    html`<p>Nothing was done. You may have signed in or out since it was opened, or your browser keeps no cookies.
    Open <a href="/account">your account</a> and begin again.</p>`,
  );
}
