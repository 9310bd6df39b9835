import { SERVICE_NAME } from "../../contract/service.ts";
import { Html, html } from "../http/html.ts";
import { style } from "./style.ts";
import type { PageReply, Visit } from "./visit.ts";

/** What a page shows around itself. */
export type PageContext = Pick<Visit, "account" | "formToken">;

/** A page as it is sent. */
export function layout(page: PageReply, visit: PageContext): Html {
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
  ${visit.account && signedIn(visit.account.email, visit)}
</div></header>
<main id="content" tabindex="-1"${page.isWide ? html` class="wide"` : ""}>
${page.body}
</main>
</body>
</html>
`;
}

function signedIn(email: string, visit: Pick<Visit, "formToken">): Html {
  return html`<form class="session" method="post" action="/sign-out">
    ${tokenField(visit)}
    <span class="who"><span class="unseen">Signed in as </span>${email}</span>
    <button class="quiet" type="submit">Sign out</button>
  </form>`;
}

/** What every form carries. */
export function tokenField({ formToken }: Pick<Visit, "formToken">): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">`;
}
