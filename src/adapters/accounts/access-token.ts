import { verifyJwsAccessToken } from "better-auth/oauth2";
import { z } from "zod";
import type { Auth } from "./auth.ts";
import type { GrantReference } from "./grants.ts";
import type { Places } from "./places.ts";
import { OAUTH_SCOPES } from "./scopes.ts";

/** What an access token says, once it is known to be genuine. */
export interface AccessToken extends GrantReference {
  readonly scopes: readonly string[];
}

const claims = z.object({
  sub: z.string(),
  client_id: z.string(),
  grant: z.string(),
  scope: z.string(),
  // A token bound to a key must come with a proof of it, which nothing here checks: there are none.
  cnf: z.undefined().optional(),
});

/**
 * Reads an access token that this service made for itself and that has not run out; null for anything else. The keys
 * are the database's, remembered for minutes; another replica's new key is looked for when it is first met.
 */
export async function readAccessToken(
  auth: Auth,
  { issuer, resource }: Places,
  token: string,
): Promise<AccessToken | null> {
  const payload = await verifyJwsAccessToken(token, {
    jwksFetch: () => auth.api.getJwks(),
    jwksCacheKey: auth,
    verifyOptions: {
      issuer,
      audience: resource,
      typ: "at+jwt",
      algorithms: ["EdDSA"],
      requiredClaims: ["exp", "iat"],
    },
  }).catch((error) => {
    if (isOfTheToken(error)) return null;
    throw error;
  });
  const read = claims.safeParse(payload);
  if (!read.success) return null;
  const { sub, client_id, grant, scope } = read.data;
  const scopes = scope.split(" ").filter((name) => OAUTH_SCOPES.includes(name));
  return { grantId: grant, accountId: sub, clientId: client_id, scopes };
}

/** True where the token is what is wrong, and not the database that the keys are in. */
function isOfTheToken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof TypeError || (typeof code === "string" && /^ERR_J(WT|WS|WKS|OSE)/.test(code));
}
