/** The page on which a person grants an app access by OAuth, and the page that explains an invalid request. */
import { isAppScheme } from "../../contract/redirect-uri.ts";
import { isLoopback } from "../../core/access/loopback.ts";
import type { ConsentRequest } from "../../core/access/oauth.ts";
import { DomainError } from "../../core/error.ts";
import { type Html, html } from "../http/html.ts";
import { noticePage } from "./error-pages.ts";
import { alert, chosenScopes, fieldOf, scopeChoice, tokenField } from "./form.ts";
import { type PageReply, type Reply, untrusted, WHOLE } from "./page.ts";
import { type BrowserDependencies, type BrowserEndpoint, type SignedInVisit, signedIn } from "./visit.ts";

/** The page to which an OAuth client sends its user. */
export function consentPage({ oauth }: Pick<BrowserDependencies, "oauth">): BrowserEndpoint {
  async function asked(visit: SignedInVisit, query: string | null) {
    if (query === null) return null;
    const request = await oauth.consentRequest(visit.account, query, visit.request.headers);
    const destination = request === null ? null : destinationOf(request.redirectUri);
    return request === null || destination === null ? null : { query, request, destination };
  }

  async function decide(visit: SignedInVisit): Promise<Reply> {
    const state = await asked(visit, fieldOf(visit.form, "query"));
    if (state === null) return noSuchRequest();
    const { query, request } = state;
    const accept = visit.form.get("decision") === "allow";
    const scopes = accept ? chosenScopes(visit.form, request.scopes) : [];
    if (accept && scopes.length === 0)
      return page(visit, { ...state, failure: "Choose at least one thing that it may do, or deny it." });
    const answer = { query, accept, scopes };
    try {
      const { redirectTo } = await oauth.decide(visit.account, answer, visit.request.headers);
      return onward(redirectTo, accept);
    } catch (error) {
      // The request may have expired, or been answered in another tab, while the page was open.
      if (error instanceof DomainError && error.code === "not_found") return noSuchRequest();
      throw error;
    }
  }

  return {
    path: "/oauth/consent",
    get: signedIn(async (visit) => {
      const state = await asked(visit, visit.url.search.slice(1));
      return state === null ? noSuchRequest() : page(visit, state);
    }),
    post: signedIn(decide, ({ form }) => `/oauth/consent?${fieldOf(form, "query") ?? ""}`),
  };
}

interface State {
  readonly query: string;
  readonly request: ConsentRequest;
  readonly destination: Destination;
  readonly failure?: string;
}

function page(visit: SignedInVisit, { query, request, destination, failure }: State): PageReply {
  const name = request.clientName ?? request.clientId;
  const chosen = failure === undefined ? request.scopes : [];
  return {
    status: failure === undefined ? 200 : 422,
    title: failure === undefined ? "Let an app in" : "Error: let an app in",
    body: html`<h1>Let ${untrusted(name)} use your memory?</h1>
    ${alert(failure ?? null)}
    ${!request.isVerified && unverified()}
    <section class="panel" aria-labelledby="asks"><h2 id="asks">Who asks</h2><dl>
      <div><dt>Calls itself</dt><dd>${untrusted(name)}</dd></div>
      ${request.clientUri !== null && html`<div><dt>Its page</dt><dd>${untrusted(request.clientUri)}</dd></div>`}
      <div><dt>Answer goes to</dt><dd><strong>${untrusted(destination.name, WHOLE)}</strong>${place(destination)}</dd></div>
      <div><dt>Whose memory</dt><dd>${untrusted(visit.account.owner.name)} (${visit.account.email})</dd></div>
    </dl></section>
    <form method="post" action="/oauth/consent">
      ${tokenField(visit)}
      <input type="hidden" name="query" value="${query}">
      ${request.scopes.length > 0 ? scopeChoice(request.scopes, chosen) : html`<p>It asks for nothing that this service can grant, so there is nothing to allow.</p>`}
      <div class="actions">
        ${request.scopes.length > 0 && html`<button type="submit" name="decision" value="allow">Allow</button>`}
        <button class="second" type="submit" name="decision" value="deny">Deny</button>
      </div>
    </form>
    <p class="hint">What you allow can be taken back at any time in <a href="/account">your account</a>.</p>`,
  };
}

function unverified(): Html {
  return html`<div class="warning"><p><strong>Nobody has verified this app.</strong></p>
    <p>It can call itself whatever it likes. Allow it only if you started this yourself, just now, and the place below
    that your answer goes to is the one you expect.</p></div>`;
}

function place({ kind }: Destination): Html {
  if (kind === "this_device") return html`<p class="hint">A program on the device this browser runs on.</p>`;
  if (kind === "app") return html`<p class="hint">Whichever app on this device opens such links.</p>`;
  return html`<p class="hint">A web site.</p>`;
}

function noSuchRequest(): PageReply {
  return noticePage(
    404,
    "This request cannot be answered any more",
    html`<p>It is not complete, has expired, or was made for somebody else. Start again in the app that sent you here.</p>
    <p><a href="/account">To your account</a></p>`,
  );
}

/**
 * A page that forwards to the app automatically. A redirect would not work: `form-action` blocks redirects that leave
 * this origin, and the directive cannot list the addresses of all apps.
 */
function onward(redirectTo: string, isAllowed: boolean): PageReply {
  const destination = destinationOf(redirectTo);
  if (destination === null) return noSuchRequest();
  return {
    status: 200,
    title: isAllowed ? "Allowed" : "Denied",
    head: html`<meta http-equiv="refresh" content="0; url=${redirectTo}">`,
    body: html`<h1>${isAllowed ? "Allowed" : "Denied"}</h1>
    <p>You are on your way to <strong>${untrusted(destination.name, WHOLE)}</strong>. If nothing happens:</p>
    <p><a class="button" href="${redirectTo}">Continue</a></p>
    <p class="hint">If an app opened, you can close this page.</p>`,
  };
}

/** The address a browser will be sent to, in a readable form. */
export interface Destination {
  /** The host with its port, or the scheme of an app's URI. */
  readonly name: string;
  readonly kind: "site" | "this_device" | "app";
}

/** Returns the destination of an address; null if a browser must not be sent there. */
export function destinationOf(address: string): Destination | null {
  if (!URL.canParse(address)) return null;
  // Non-ASCII names are shown as punycode, which reveals look-alike letters.
  const { protocol, host, hostname } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:")
    return isAppScheme(protocol.slice(0, -1)) ? { name: protocol, kind: "app" } : null;
  return { name: host, kind: isLoopback(hostname) ? "this_device" : "site" };
}

/**
 * The page for an invalid request that has no trustworthy address to send an error to. Anyone can craft a link to it,
 * so it repeats nothing from the request and explains only known errors.
 */
export function oauthErrorPage(): BrowserEndpoint {
  return {
    path: "/oauth/error",
    get: ({ url }) => {
      const error = url.searchParams.get("error") ?? "";
      return noticePage(
        400,
        "The app could not be let in",
        html`<p>${Object.hasOwn(REASONS, error) ? REASONS[error] : "What it asked for could not be understood."}</p>
        <p>${Object.hasOwn(ADVICE, error) ? ADVICE[error] : "Start again in the app; if that does not help, tell its makers."}</p>
        <p><a href="/account">To your account</a></p>`,
      );
    },
  };
}

const ADVICE: Readonly<Record<string, string>> = {
  // Apps keep their client id, and few notice by themselves that it was deleted.
  invalid_client:
    "To connect again, have the app forget this server: sign out of it there, or remove the server and add it again. Then connect, and the app registers anew.",
  unreadable_client:
    "If this service has no access to the internet, have the app register instead, if it offers that, or give it a key. Otherwise try again.",
};

const REASONS: Readonly<Record<string, string>> = {
  invalid_client:
    "This service does not know the app. The app was connected before this service's data was replaced, or nobody used it for a month.",
  unreadable_client:
    "The app describes itself in a document at an address of its own, and this service could not read it.",
  invalid_redirect: "The app named a return address that is not its own.",
  invalid_redirect_uri: "The app named a return address that is not its own.",
  invalid_scope: "The app asked for something that this service cannot grant.",
  invalid_target: "The app asked to be let in somewhere else.",
  unsupported_response_type: "The app asked in a way that is not offered here.",
  access_denied: "Access was refused.",
  temporarily_unavailable: "Too much of this came from your network just now. Wait a minute.",
};
