import { isOfAnApp } from "./app-address.ts";
import { DOCUMENTS_PER_ADDRESS } from "./attempts.ts";
import { ask, type EndpointDependencies } from "./endpoint.ts";
import { redirect } from "./oauth-answer.ts";
import { isThisResource, type Places } from "./places.ts";
import { isRepeating } from "./request-body.ts";
import { OFFLINE, scopesToAsk } from "./scopes.ts";

export const AUTHORIZE_PATH = "/oauth2/authorize";

/** The parameters that are understood; a request object, and what belongs to identities and proofs, is not. */
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
 * The authorization endpoint, where a browser comes with a client's wish. The browser goes on to the sign-in page, the
 * consent page, or with a code back to the client.
 */
export async function authorize(
  dependencies: EndpointDependencies,
  request: Request,
  address: string | null,
): Promise<Response> {
  const { places, grants, attempts } = dependencies;
  const given = new URL(request.url).searchParams;
  if (isRepeating(given)) return redirect(`${places.errorPage}?error=invalid_request`);
  const query = normalised(given, places);
  const clientId = query.get("client_id");
  if (clientId !== null && isPublicId(clientId) && address !== null) {
    const limited = await attempts.count(DOCUMENTS_PER_ADDRESS, address);
    if (limited) return redirect(`${places.errorPage}?error=temporarily_unavailable`);
  }
  if (clientId !== null) await grants.forgetEnded(clientId);
  const answer = await ask(dependencies, `${AUTHORIZE_PATH}?${query}`, {
    method: "GET",
    headers: { cookie: request.headers.get("cookie") },
  });
  const location = answer.headers.get("location");
  if (location === null) return redirect(`${places.errorPage}?error=invalid_request`);
  if (location.startsWith(`${places.signInPage}?`)) return redirect(toSignIn(query, places));
  // Anybody can register an app's address: what opens there, a person has decided on a page that says so.
  if (isOfAnApp(location)) return redirect(`${places.errorPage}?${errorIn(location)}`);
  return redirect(location);
}

/** What a client would be told, for the page that tells the person instead. */
function errorIn(location: string): URLSearchParams {
  const told = new URLSearchParams(location.split(/[?#]/).slice(1).join("&"));
  return new URLSearchParams({ error: told.get("error") ?? "invalid_request" });
}

/**
 * Where the browser signs in first. It comes back to this endpoint with the same wish, except that it has just signed
 * in, if that was part of it.
 */
function toSignIn(query: URLSearchParams, places: Places): string {
  const again = new URLSearchParams(query);
  const prompts = (again.get("prompt") ?? "").split(" ").filter((one) => one === "consent");
  if (prompts.length === 0) again.delete("prompt");
  else again.set("prompt", prompts.join(" "));
  const next = `${places.basePath}${AUTHORIZE_PATH}?${again}`;
  return `${places.signInPage}?${new URLSearchParams({ next })}`;
}

/** The wish in the form that better-auth takes: with scopes there are, and for this service. */
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

/** Every form of this service's name is the one that tokens are for. Another resource stays, to be refused. */
export function setResource(parameters: URLSearchParams, places: Places): void {
  const named = parameters.getAll("resource");
  if (named.every((resource) => isThisResource(places, resource)))
    parameters.set("resource", places.resource);
}

/**
 * True for a client that another program on the person's machine can pass for. Its answer goes to whichever app has
 * taken the scheme; or its id is public, and its answer goes to whichever program listens there. The person is asked
 * each time.
 */
function mayBeImitated(query: URLSearchParams): boolean {
  const redirectUri = query.get("redirect_uri") ?? "";
  const isImitable = isPublicId(query.get("client_id") ?? "") && !redirectUri.startsWith("https:");
  return isOfAnApp(redirectUri) || isImitable;
}

/** True for an id that is the address of the client's document, which anybody can read. */
function isPublicId(clientId: string): boolean {
  return /^\s*https:/i.test(clientId);
}

/** The prompts with consent among them. `none`, which stands alone, cannot be had. */
function withConsent(prompt: string | null): string {
  const others = (prompt ?? "").split(" ").filter((one) => !["", "none", "consent"].includes(one));
  return [...others, "consent"].join(" ");
}
