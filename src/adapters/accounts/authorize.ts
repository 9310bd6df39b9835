/** A browser's way through OAuth: a client's request, the person's consent, and back to the client. */
import { isOfAnApp } from "../../contract/redirect-uri.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Account } from "../../core/access/accounts.ts";
import type { ConsentRequest } from "../../core/access/oauth.ts";
import { DomainError } from "../../core/error.ts";
import { type Auth, sessionOf } from "./auth.ts";
import { ask, type EndpointDependencies, isRepeating, redirect } from "./endpoint.ts";
import { type Places, setResource } from "./places.ts";
import { knownScopes, OFFLINE, scopesToAsk } from "./scopes.ts";

export const AUTHORIZE_PATH = "/oauth2/authorize";

/** Supported parameters. Request objects, OpenID Connect and proofs of possession are not supported. */
const UNDERSTOOD = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "prompt",
  "response_mode",
];

/**
 * The authorization endpoint, which a browser opens with a client's request. It redirects to the sign-in page, to the
 * consent page, or back to the client with a code.
 */
export async function authorize(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { places, grants } = dependencies;
  const given = new URL(request.url).searchParams;
  if (isRepeating(given)) return redirect(`${places.errorPage}?error=invalid_request`);
  const query = normalised(given, places);
  const clientId = query.get("client_id");
  if (clientId !== null) await grants.forgetEnded(clientId);
  const answer = await ask(dependencies, `${AUTHORIZE_PATH}?${query}`, {
    method: "GET",
    headers: { cookie: request.headers.get("cookie") },
  });
  const location = answer.headers.get("location");
  if (location === null) {
    // For a client identified by its document, a missing location means that the document could not be read.
    const error = isPublicId(clientId ?? "") ? "unreadable_client" : "invalid_request";
    return redirect(`${places.errorPage}?error=${error}`);
  }
  if (location.startsWith(`${places.signInPage}?`)) return redirect(toSignIn(query, places));
  // Anyone can register an app's address. Never redirect to it before the person has consented on a page that names it.
  if (isOfAnApp(location)) return redirect(`${places.errorPage}?${errorIn(location)}`);
  return redirect(location);
}

/** Extracts the error meant for the client, so that our error page can show it to the person instead. */
function errorIn(location: string): URLSearchParams {
  const told = new URLSearchParams(location.split(/[?#]/).slice(1).join("&"));
  return new URLSearchParams({ error: told.get("error") ?? "invalid_request" });
}

/**
 * Returns the sign-in address. Afterwards the browser returns with the same request, without any demand for a new
 * sign-in, since one has just happened.
 */
function toSignIn(query: URLSearchParams, places: Places): string {
  const again = new URLSearchParams(query);
  const prompts = (again.get("prompt") ?? "").split(" ").filter((one) => one === "consent");
  if (prompts.length === 0) again.delete("prompt");
  else again.set("prompt", prompts.join(" "));
  const next = `${places.basePath}${AUTHORIZE_PATH}?${again}`;
  return `${places.signInPage}?${new URLSearchParams({ next })}`;
}

/** Normalises a request for better-auth: only existing scopes, and this service as the resource. */
function normalised(given: URLSearchParams, places: Places): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of UNDERSTOOD) {
    for (const value of given.getAll(name)) query.append(name, value);
  }
  const scopes = scopesToAsk(given.get("scope") ?? "");
  if (scopes !== null) query.set("scope", [...scopes, OFFLINE].join(" "));
  setResource(query, places);
  if (mayBeImitated(query)) query.set("prompt", withConsent(query.get("prompt")));
  return query;
}

/**
 * True if another program on the person's machine could impersonate the client. Either its redirect opens whichever app
 * claimed the scheme, or its id is public and its redirect goes to whichever program listens on the port. The person is
 * asked each time.
 */
function mayBeImitated(query: URLSearchParams): boolean {
  const redirectUri = query.get("redirect_uri") ?? "";
  const isImitable = isPublicId(query.get("client_id") ?? "") && !redirectUri.startsWith("https:");
  return isOfAnApp(redirectUri) || isImitable;
}

/** True if a client id is the address of the client's document, which is public. */
export function isPublicId(clientId: string): boolean {
  return /^\s*https:/i.test(clientId);
}

/** Adds `consent` to the prompts and drops `none`, which cannot be combined with others. */
function withConsent(prompt: string | null): string {
  const others = (prompt ?? "").split(" ").filter((one) => !["", "none", "consent"].includes(one));
  return [...others, "consent"].join(" ");
}

const CONSENT_PATH = "/oauth2/consent";

/** Reads the consent page's query; null unless this service signed it recently and the session is the account's. */
export async function readConsent(
  { auth, sql }: EndpointDependencies,
  account: Account,
  query: string,
  headers: Headers,
): Promise<ConsentRequest | null> {
  const asked = new URLSearchParams(query);
  const clientId = asked.get("client_id");
  const redirectUri = asked.get("redirect_uri");
  if (clientId === null || redirectUri === null) return null;
  const session = await sessionOf({ auth, sql }, headers);
  if (session?.user.id !== account.id) return null;
  const client = await signedClient(auth, clientId, query);
  if (!client) return null;
  return {
    clientId,
    clientName: client.client_name || null,
    clientUri: client.client_uri || null,
    redirectUri,
    // No client has been reviewed: each registered itself, or its own document describes it.
    isVerified: false,
    scopes: knownScopes(asked.get("scope") ?? ""),
  };
}

/** Passes the person's decision to better-auth. Rejects with `not_found` if there is nothing left to decide. */
export async function answerConsent(
  dependencies: EndpointDependencies,
  account: Account,
  answer: { query: string; accept: boolean; scopes: readonly Scope[] },
  headers: Headers,
): Promise<{ redirectTo: string }> {
  const { places, grants } = dependencies;
  const asked = await readConsent(dependencies, account, answer.query, headers);
  if (!asked) throw noSuchRequest();
  const scopes = asked.scopes.filter((scope) => answer.scopes.includes(scope));
  const accept = answer.accept && scopes.length > 0;
  const reply = await ask(dependencies, CONSENT_PATH, {
    method: "POST",
    headers: {
      cookie: headers.get("cookie"),
      origin: places.origin,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: JSON.stringify({
      accept,
      oauth_query: answer.query,
      ...(accept && { scope: [...scopes, OFFLINE].join(" ") }),
    }),
  });
  if (reply.status === 400 || reply.status === 401) throw noSuchRequest();
  if (!reply.ok) throw new Error(`The consent was answered with ${reply.status}.`);
  const { url } = (await reply.json()) as { url: string };
  // Store the grant before the client gets the code: a code without a grant is useless.
  if (accept && new URL(url).searchParams.has("code"))
    await grants.consent(account, { clientId: asked.clientId, name: asked.clientName }, scopes);
  return { redirectTo: url };
}

/** Returns the client's self-description; null if the query was not signed by this service, or has expired. */
async function signedClient(
  auth: Auth,
  clientId: string,
  query: string,
): Promise<{ client_name?: string; client_uri?: string } | null> {
  try {
    return await auth.api.getOAuthClientPublicPrelogin({
      body: { client_id: clientId, oauth_query: query },
    });
  } catch (error) {
    const { statusCode } = error as { statusCode?: unknown };
    if (typeof statusCode === "number" && statusCode < 500) return null;
    throw error;
  }
}

function noSuchRequest(): DomainError {
  return new DomainError(
    "not_found",
    "This request is no longer valid. Go back to the application and connect again.",
  );
}
