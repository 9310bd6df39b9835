import type { Credential } from "../../core/access/credential.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import { notFound } from "../../core/error.ts";
import type { Attempts } from "./attempts.ts";
import type { Auth } from "./auth.ts";
import type { Sql } from "./database.ts";
import type { EndpointDependencies } from "./endpoint.ts";
import { createGrantCache } from "./grant-cache.ts";
import type { Grants } from "./grants.ts";
import { looksLikeJwt } from "./jwt-form.ts";
import { allowsOAuth, type Places } from "./places.ts";

export interface OAuthServerDependencies {
  readonly sql: Sql;
  readonly auth: () => Promise<Auth>;
  readonly grants: Grants;
  readonly attempts: Attempts;
  readonly places: Places;
}

/** The port on better-auth. What the first request of OAuth needs is loaded with it, and not at the start. */
export function createOAuthServer(dependencies: OAuthServerDependencies): OAuthServer {
  const { grants, places } = dependencies;
  const cache = createGrantCache(grants);
  const isOffered = allowsOAuth(places);
  const ready = async (): Promise<EndpointDependencies> => ({
    ...dependencies,
    auth: await dependencies.auth(),
  });
  const parts = () => Promise.all([ready(), import("./oauth-parts.ts")]);

  return {
    isOffered,
    async handle(request, address) {
      if (!isOffered) return new Response(null, { status: 404 });
      const [endpoint, { answer }] = await parts();
      const response = await answer(endpoint, request, address);
      // A grant may just have ended here; other replicas find out within the half second that they remember it.
      if (request.method === "POST") cache.clear();
      return response;
    },
    async authenticate(accessToken) {
      if (!isOffered || !looksLikeJwt(accessToken)) return null;
      const [{ auth }, { readAccessToken }] = await parts();
      const token = await readAccessToken(auth, places, accessToken);
      const credential = token && (await cache.find(token));
      return credential && within(credential, token.scopes);
    },
    async consentRequest(account, query, headers) {
      if (!isOffered) return null;
      const [endpoint, { readConsent }] = await parts();
      return readConsent(endpoint, account, query, headers);
    },
    async decide(account, answer, headers) {
      if (!isOffered) throw notFound("request");
      const [endpoint, { answerConsent }] = await parts();
      const decided = await answerConsent(endpoint, account, answer, headers);
      cache.clear();
      return decided;
    },
    grants: (account) => grants.list(account),
    async revoke(account, grantId) {
      const isRevoked = await grants.revoke(account, grantId);
      cache.clear();
      return isRevoked;
    },
  };
}

/** A token may have fewer scopes than its grant, and never more. */
function within(credential: Credential, scopes: readonly string[]): Credential {
  return { ...credential, scopes: credential.scopes.filter((scope) => scopes.includes(scope)) };
}
