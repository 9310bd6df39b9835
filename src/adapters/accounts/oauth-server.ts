import type { Credential } from "../../core/access/credential.ts";
import { looksLikeJwt, type OAuthServer } from "../../core/access/oauth.ts";
import { notFound } from "../../core/error.ts";
import type { Auth } from "./auth.ts";
import type { Sql } from "./database.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { createGrantCache } from "./grants.ts";
import { allowsOAuth } from "./places.ts";

interface OAuthServerDependencies extends Omit<EndpointDependencies, "sql" | "auth"> {
  readonly sql: Sql;
  readonly auth: () => Promise<Auth>;
}

/** Implements the port with better-auth. Its modules are loaded on the first OAuth request, not at the start. */
export function createOAuthServer(dependencies: OAuthServerDependencies): OAuthServer {
  const { grants, places, documents } = dependencies;
  const cache = createGrantCache(grants);
  const isOffered = allowsOAuth(places);
  const ready = async (): Promise<EndpointDependencies> => ({
    ...dependencies,
    auth: await dependencies.auth(),
  });

  return {
    isOffered,
    async handle(request, address) {
      if (!isOffered) return new Response(null, { status: 404 });
      const [endpoint, { answer }] = await Promise.all([ready(), import("./oauth-endpoints.ts")]);
      const response = await answer(endpoint, request, address);
      // The request may have ended a grant. Other replicas notice when their cache expires, within half a second.
      if (request.method === "POST") cache.clear();
      return response;
    },
    async authenticate(accessToken) {
      // Other kinds of key may get here, and must not load better-auth.
      if (!isOffered || !looksLikeJwt(accessToken)) return null;
      const [{ auth }, { readAccessToken }] = await Promise.all([ready(), import("./tokens.ts")]);
      const token = await readAccessToken(auth, places, accessToken);
      const credential = token && (await cache.find(token));
      return credential && narrowed(credential, token.scopes);
    },
    async consentRequest(account, query, headers) {
      if (!isOffered) return null;
      const [endpoint, { readConsent }] = await Promise.all([ready(), import("./authorize.ts")]);
      const asked = await documents.for(account.id, () => readConsent(endpoint, account, query, headers));
      return asked.result;
    },
    async decide(account, answer, headers) {
      if (!isOffered) throw notFound("request");
      const [endpoint, { answerConsent }] = await Promise.all([ready(), import("./authorize.ts")]);
      const decided = await documents.for(account.id, () =>
        answerConsent(endpoint, account, answer, headers),
      );
      cache.clear();
      return decided.result;
    },
    grants: (account) => grants.list(account),
    async revoke(account, grantId) {
      const isRevoked = await grants.revoke(account, grantId);
      cache.clear();
      return isRevoked;
    },
  };
}

/** Narrows the credential: a token may have fewer scopes than its grant, never more. */
function narrowed(credential: Credential, scopes: readonly string[]): Credential {
  return { ...credential, scopes: credential.scopes.filter((scope) => scopes.includes(scope)) };
}
