import type { Scope } from "../../contract/scope.ts";
import type { Account } from "../../core/access/accounts.ts";
import type { ConsentRequest } from "../../core/access/oauth.ts";
import { DomainError } from "../../core/error.ts";
import { ask, type EndpointDependencies } from "./endpoint.ts";
import { knownScopes, OFFLINE } from "./scopes.ts";
import { sessionOf } from "./session.ts";

const CONSENT_PATH = "/oauth2/consent";

/** What a consent page's query asks the account; null unless this service signed it, lately, and the session is the account's. */
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
    // Nobody has looked at any client: each registered itself, or its own document describes it.
    isVerified: false,
    scopes: knownScopes(asked.get("scope") ?? ""),
  };
}

/** Gives the answer to the client. `not_found` where there is nothing to answer any more. */
export async function answerConsent(
  dependencies: EndpointDependencies,
  account: Account,
  answer: { query: string; accept: boolean; scopes: readonly Scope[] },
  headers: Headers,
): Promise<{ redirectTo: string }> {
  const { places, grants } = dependencies;
  const asked = await readConsent(dependencies, account, answer.query, headers);
  if (!asked) throw gone();
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
  if (reply.status === 400 || reply.status === 401) throw gone();
  if (!reply.ok) throw new Error(`The consent was answered with ${reply.status}.`);
  const { url } = (await reply.json()) as { url: string };
  // Before the client hears of it: a code without a grant is worth nothing.
  if (accept && new URL(url).searchParams.has("code"))
    await grants.consent(account, { clientId: asked.clientId, name: asked.clientName }, scopes);
  return { redirectTo: url };
}

/** The client as it describes itself; null where the query is not what this service signed, or has run out. */
async function signedClient(
  auth: EndpointDependencies["auth"],
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

function gone(): DomainError {
  return new DomainError(
    "not_found",
    "This request is no longer valid. Go back to the application and connect again.",
  );
}
