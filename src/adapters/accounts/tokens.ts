/** Access and refresh tokens: issued, revoked and read. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { verifyJwsAccessToken } from "better-auth/oauth2";
import { z } from "zod";
import { looksLikeJwt } from "../../core/access/oauth.ts";
import type { Auth } from "./auth.ts";
import type { AnySql } from "./database.ts";
import { askAsClient, type EndpointDependencies, oauthError, readForm } from "./endpoint.ts";
import type { GrantReference } from "./grants.ts";
import { type Places, setResource } from "./places.ts";
import { OAUTH_SCOPES } from "./scopes.ts";

export const TOKEN_PATH = "/oauth2/token";

/** The token endpoint: a code or a refresh token for an access token. Without a live grant there is none. */
export async function token(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { sql, grants, places } = dependencies;
  const form = await readForm(request);
  if (!form) return oauthError(400, "invalid_request", "This takes one form, each parameter once.");
  if (form.has("resource")) setResource(form, places);
  const used = await refreshTokenOf(sql, form.get("refresh_token"));
  const earlier = await issuedFor(sql, form.get("code"));
  const answer = await askAsClient(dependencies, TOKEN_PATH, request, form);
  // A code or a refresh token that comes back after it was used is in two hands. better-auth revokes the code's refresh
  // tokens (RFC 6749, section 4.1.2), or deletes the refresh token's whole family. The grant ends with them, so that
  // access tokens already issued are of no more use either.
  if (earlier && !answer.ok) await grants.revokeFor(earlier.accountId, earlier.clientId);
  if (used?.isRevoked && !(await refreshTokenOf(sql, form.get("refresh_token")))) {
    await grants.revokeFor(used.accountId, used.clientId);
  }
  return answer;
}

interface StoredRefreshToken {
  readonly accountId: string;
  readonly clientId: string;
  readonly isRevoked: boolean;
}

/** The grant that a code was exchanged for already; null for a new or an unknown one. */
async function issuedFor(sql: AnySql, code: string | null) {
  if (code === null) return null;
  const [row] = await sql`
    select "userId" as account_id, "clientId" as client_id from auth."oauthRefreshToken"
    where "authorizationCodeId" = ${hashOf(code)} limit 1`;
  return row ? { accountId: row.account_id as string, clientId: row.client_id as string } : null;
}

/** What is stored of a refresh token, by its hash. */
async function refreshTokenOf(sql: AnySql, secret: string | null): Promise<StoredRefreshToken | null> {
  if (secret === null) return null;
  const [row] = await sql`
    select "userId" as account_id, "clientId" as client_id, revoked is not null as is_revoked
    from auth."oauthRefreshToken" where token = ${hashOf(secret)}`;
  if (!row) return null;
  return {
    accountId: row.account_id as string,
    clientId: row.client_id as string,
    isRevoked: row.is_revoked as boolean,
  };
}

/** As better-auth stores codes and tokens. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

export const REVOKE_PATH = "/oauth2/revoke";

/**
 * Revocation (RFC 7009): either kind of token ends the whole grant and everything issued under it. better-auth checks
 * who the client is; a token of another client, or of nobody, gets the same answer as one that was revoked.
 */
export async function revoke(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { grants } = dependencies;
  const form = await readForm(request);
  const token = form?.get("token");
  if (!form || !token) return oauthError(400, "invalid_request", "This takes one form with a token.");
  const grant = await grantBehind(dependencies, token);
  const answer = await askAsClient(dependencies, REVOKE_PATH, request, form);
  const outcome = answer.status === 200 ? "revoked" : await outcomeOf(answer);
  if (outcome === "rejected") return answer;
  if (outcome === "revoked" && grant !== null && grant.clientId === clientIdIn(request, form)) {
    await grants.revokeFor(grant.accountId, grant.clientId);
  }
  return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
}

async function grantBehind(
  { auth, places, sql }: EndpointDependencies,
  token: string,
): Promise<{ accountId: string; clientId: string } | null> {
  return looksLikeJwt(token) ? readAccessToken(auth, places, token) : refreshTokenOf(sql, token);
}

/**
 * What better-auth's error means once it knows the client. It cannot revoke a signed token; we can, since each names its
 * grant. A token that came back after it was used ends the grant too, and one that does not exist is as good as revoked
 * (RFC 7009, section 2.2).
 */
async function outcomeOf(answer: Response): Promise<"revoked" | "unknown" | "rejected"> {
  if (answer.status !== 400) return "rejected";
  const { error, error_description: description } = (await answer.clone().json()) as Record<string, unknown>;
  if (error === "unsupported_token_type" || description === "refresh token revoked") return "revoked";
  return UNKNOWN_TOKEN.includes(String(description)) ? "unknown" : "rejected";
}

/** better-auth's words for what is no token of its own. */
const UNKNOWN_TOKEN = ["token not found", "Invalid access token", "invalid JWT signature"];

/** The client that has just been authenticated, by whichever method. */
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
  scope: z.string(),
  // A token that is bound to a key would need a proof of possession, which nothing here checks: it is not accepted.
  cnf: z.undefined().optional(),
});

/**
 * Reads an access token that this service made for itself and that has not expired; null for anything else. The keys are
 * read from the database and cached for minutes; another replica's new key is looked up when it first appears.
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

/** True where the token is at fault, and not the database that the keys are in. */
function isOfTheToken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof TypeError || (typeof code === "string" && /^ERR_J(WT|WS|WKS|OSE)/.test(code));
}
