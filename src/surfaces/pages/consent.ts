import type { ConsentRequest } from "../../core/access/oauth.ts";
import { DomainError } from "../../core/error.ts";
import { type Html, html } from "../http/html.ts";
import type { BrowserDependencies } from "./deps.ts";
import { type Destination, destinationOf } from "./destination.ts";
import { alert } from "./fields.ts";
import { fieldOf } from "./form.ts";
import { tokenField } from "./layout.ts";
import { problemPage } from "./problem.ts";
import { said } from "./said.ts";
import { chosenScopes, scopeChoice } from "./scope-choice.ts";
import { signedIn } from "./signed-in.ts";
import type { BrowserEndpoint, PageReply, Reply, SignedInVisit } from "./visit.ts";

/** Where a client that wants to come in by OAuth sends its user. */
export function consentPage({ oauth }: Pick<BrowserDependencies, "oauth">): BrowserEndpoint {
  async function asked(visit: SignedInVisit, query: string | null) {
    if (query === null) return null;
    const request = await oauth.consentRequest(visit.account, query, visit.request.headers);
    const destination = request === null ? null : destinationOf(request.redirectUri);
    return request === null || destination === null ? null : { query, request, destination };
  }

  async function decide(visit: SignedInVisit): Promise<Reply> {
    const state = await asked(visit, fieldOf(visit.form, "query"));
    if (state === null) return gone();
    const { query, request } = state;
    const accept = visit.form.get("decision") === "allow";
    const scopes = accept ? chosenScopes(visit.form, request.scopes) : [];
    if (accept && scopes.length === 0)
      return page(visit, { ...state, refused: "Choose at least one thing that it may do, or deny it." });
    const answer = { query, accept, scopes };
    try {
      const { redirectTo } = await oauth.decide(visit.account, answer, visit.request.headers);
      return onward(redirectTo, accept);
    } catch (error) {
      // It may have run out, or been answered in another tab, while it was looked at.
      if (error instanceof DomainError && error.code === "not_found") return gone();
      throw error;
    }
  }

  return {
    path: "/oauth/consent",
    get: signedIn(async (visit) => {
      const state = await asked(visit, visit.url.search.slice(1));
      return state === null ? gone() : page(visit, state);
    }),
    post: signedIn(decide, ({ form }) => `/oauth/consent?${fieldOf(form, "query") ?? ""}`),
  };
}

interface State {
  readonly query: string;
  readonly request: ConsentRequest;
  readonly destination: Destination;
  readonly refused?: string;
}

function page(visit: SignedInVisit, { query, request, destination, refused }: State): PageReply {
  const name = request.clientName ?? request.clientId;
  const chosen = refused === undefined ? request.scopes : [];
  return {
    status: refused === undefined ? 200 : 422,
    title: refused === undefined ? "Let an app in" : "Error: let an app in",
    body: html`<h1>Let ${said(name)} use your memory?</h1>
    ${alert(refused ?? null)}
    ${!request.isVerified && unverified()}
    <section class="panel" aria-labelledby="asks"><h2 id="asks">Who asks</h2><dl>
      <div><dt>Calls itself</dt><dd>${said(name)}</dd></div>
      ${request.clientUri !== null && html`<div><dt>Its page</dt><dd>${said(request.clientUri)}</dd></div>`}
      <div><dt>Answer goes to</dt><dd><strong>${destination.name}</strong>${place(destination)}</dd></div>
      <div><dt>Whose memory</dt><dd>${said(visit.account.owner.name)} (${visit.account.email})</dd></div>
    </dl></section>
    <form method="post" action="/oauth/consent">
      ${tokenField(visit)}
      <input type="hidden" name="query" value="${query}">
      ${request.scopes.length > 0 ? scopeChoice(request.scopes, chosen) : html`<p>It asks for no right that there is here, so there is nothing to allow.</p>`}
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

function gone(): PageReply {
  return problemPage(
    404,
    "This request cannot be answered any more",
    html`<p>It is not complete, has expired, or was made for somebody else. Start again in the app that sent you here.</p>
    <p><a href="/account">To your account</a></p>`,
  );
}

/**
 * A page that leads on by itself. A redirect would not do: `form-action` stops it where it leaves this origin, and the
 * addresses of apps cannot all be named in that directive.
 */
function onward(redirectTo: string, isAllowed: boolean): PageReply {
  const destination = destinationOf(redirectTo);
  if (destination === null) return gone();
  return {
    status: 200,
    title: isAllowed ? "Allowed" : "Denied",
    head: html`<meta http-equiv="refresh" content="0; url=${redirectTo}">`,
    body: html`<h1>${isAllowed ? "Allowed" : "Denied"}</h1>
    <p>You are on your way to <strong>${destination.name}</strong>. If nothing happens:</p>
    <p><a class="button" href="${redirectTo}">Continue</a></p>
    <p class="hint">If an app opened, you can close this page.</p>`,
  };
}
