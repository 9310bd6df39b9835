/** Access and refresh tokens: issued, revoked and read. */
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { verifyJwsAccessToken } from "better-auth/oauth2";
import { z } from "zod";
import { looksLikeJwt } from "../../core/access/oauth.ts";
import type { Auth } from "./auth.ts";
import { isPublicId } from "./authorize.ts";
import { askAsClient, type EndpointDependencies, json, oauthError, readForm } from "./endpoint.ts";
import type { GrantReference } from "./grants.ts";
import { type Places, setResource } from "./places.ts";
import { REFRESH_GRANT } from "./refresh-grant.ts";
import type { Authorization } from "./refresh-tokens.ts";
import { OAUTH_SCOPES, OFFLINE } from "./scopes.ts";

export const TOKEN_PATH = "/oauth2/token";

/** The token endpoint: exchanges a code or a refresh token for an access token. Requires a live grant. */
export async function token(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return oauthError(400, "invalid_request", "This takes one form, each parameter once.");
  const unknown = await refuseUnknownClient(dependencies, request, form);
  if (unknown) return unknown;
  if (form.has("resource")) setResource(form, dependencies.places);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(dependencies, request, form);
    case "refresh_token":
      return refresh(dependencies, request, form);
    case null:
      return oauthError(400, "invalid_request", "grant_type is required.");
    default:
      return oauthError(400, "unsupported_grant_type", "Use authorization_code or refresh_token.");
  }
}

async function exchangeCode(
  dependencies: EndpointDependencies,
  request: Request,
  form: URLSearchParams,
): Promise<Response> {
  const { grants, refreshTokens } = dependencies;
  const code = form.get("code");
  const earlier = code === null ? null : await refreshTokens.ofCode(code);
  const answer = await askAsClient(dependencies, TOKEN_PATH, request, form);
  // A reused code has leaked (RFC 6749, section 4.1.2), so everything issued from it ends.
  if (earlier && !answer.ok) await grants.endAuthorization(earlier);
  return answer;
}

/**
 * better-auth authenticates the client and makes the access token, which is returned only if the refresh token can be
 * exchanged. A crash before the exchange leaves the refresh token unchanged; after it, a repeated request gets the same
 * answer (`refresh-tokens.ts`).
 */
async function refresh(
  dependencies: EndpointDependencies,
  request: Request,
  form: URLSearchParams,
): Promise<Response> {
  const { grants, refreshTokens } = dependencies;
  const token = form.get("refresh_token") ?? "";
  form.set("grant_type", REFRESH_GRANT);
  const answer = await askAsClient(dependencies, TOKEN_PATH, request, form);
  if (!answer.ok) return answer;
  const stored = await refreshTokens.find(token);
  const exchange = await refreshTokens.exchange(token);
  if (exchange.kind === "exchanged") {
    const { scope, ...issued } = (await answer.json()) as { scope: string };
    const scopes = [...scope.split(" "), OFFLINE].filter((name) => name !== "");
    return json({ ...issued, refresh_token: exchange.successor, scope: scopes.join(" ") }, 200);
  }
  // A refresh token that is reused late has leaked (RFC 9700, section 4.14.2).
  if (exchange.kind === "reused" && stored) await grants.endAuthorization(stored);
  return oauthError(400, "invalid_grant", "This refresh token is no longer valid. Connect again.");
}

/** Returns `invalid_client` for an unknown client id, on which clients register again automatically. */
async function refuseUnknownClient(
  { sql }: EndpointDependencies,
  request: Request,
  form: URLSearchParams,
): Promise<Response | null> {
  const clientId = clientIdIn(request, form);
  // Without an id, better-auth reports what is missing. It also resolves an id that is an address, and reads its
  // document.
  if (clientId === null || isPublicId(clientId)) return null;
  const [known] = await sql`select from auth."oauthClient" where "clientId" = ${clientId}`;
  if (known) return null;
  const challenge = request.headers.has("authorization") ? { "www-authenticate": "Basic" } : {};
  return oauthError(401, "invalid_client", "This client is not registered here. Register again.", challenge);
}

export const REVOKE_PATH = "/oauth2/revoke";

/**
 * Revocation (RFC 7009): either kind of token ends its authorization with everything issued under it. better-auth only
 * authenticates the client, by a token that does not exist: its own revocation can end other authorizations as well.
 * Tokens of other clients, and unknown tokens, get the same answer as revoked ones.
 */
export async function revoke(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { grants } = dependencies;
  const form = await readForm(request);
  const token = form?.get("token");
  if (!form || !token) return oauthError(400, "invalid_request", "This takes one form with a token.");
  const unknown = await refuseUnknownClient(dependencies, request, form);
  if (unknown) return unknown;
  const clientId = clientIdIn(request, form);
  form.set("token", randomUUID());
  form.set("token_type_hint", "refresh_token");
  const answer = await askAsClient(dependencies, REVOKE_PATH, request, form);
  if (!(await isTokenNotFound(answer))) return answer;
  const authorization = await authorizationBehind(dependencies, token);
  if (authorization && authorization.clientId === clientId) await grants.endAuthorization(authorization);
  return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
}

async function authorizationBehind(
  { auth, places, refreshTokens }: EndpointDependencies,
  token: string,
): Promise<Authorization | null> {
  return looksLikeJwt(token) ? readAccessToken(auth, places, token) : refreshTokens.find(token);
}

/** True for better-auth's answer after it has authenticated the client and not found the token. */
async function isTokenNotFound(answer: Response): Promise<boolean> {
  if (answer.status !== 400) return false;
  const { error_description: description } = (await answer.clone().json()) as Record<string, unknown>;
  return description === "token not found";
}

/** Returns the id of the authenticated client, whatever the method. */
function clientIdIn(request: Request, form: URLSearchParams): string | null {
  const basic = /^basic +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic !== undefined) return basicUser(basic);
  return form.get("client_id") ?? subjectOf(form.get("client_assertion"));
}

function basicUser(encoded: string): string | null {
  try {
    const [user = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return decodeURIComponent(user.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function subjectOf(assertion: string | null): string | null {
  try {
    const payload = Buffer.from(assertion?.split(".")[1] ?? "", "base64url").toString("utf8");
    return (JSON.parse(payload) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}

/** The contents of a genuine access token. */
interface AccessToken extends GrantReference {
  readonly scopes: readonly string[];
}

const claims = z.object({
  sub: z.string(),
  client_id: z.string(),
  grant: z.string(),
  // Missing in tokens from before this member.
  authorization: z.string().nullable().default(null),
  scope: z.string(),
  // A token bound to a key needs a proof of possession, which is not supported, so it is refused.
  cnf: z.undefined().optional(),
});

/**
 * Verifies an access token issued by and for this service, unexpired; null for anything else. Keys are read from the
 * database and cached for minutes; another replica's new key is looked up when it first appears.
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
  const { sub, client_id, grant, authorization, scope } = read.data;
  const scopes = scope.split(" ").filter((name) => OAUTH_SCOPES.includes(name));
  return { grantId: grant, accountId: sub, clientId: client_id, authorizationId: authorization, scopes };
}

/** True if the token is at fault, not the database with the keys. */
function isOfTheToken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof TypeError || (typeof code === "string" && /^ERR_J(WT|WS|WKS|OSE)/.test(code));
}
