import { createHash } from "node:crypto";
import { setResource } from "./authorize.ts";
import type { AnySql } from "./database.ts";
import { askAsClient, type EndpointDependencies } from "./endpoint.ts";
import { oauthError } from "./oauth-answer.ts";
import { readForm } from "./request-body.ts";

export const TOKEN_PATH = "/oauth2/token";

/** The token endpoint: a code or a refresh token for an access token. Without a grant that stands there is none. */
export async function token(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { sql, grants, places } = dependencies;
  const form = await readForm(request);
  if (!form) return oauthError(400, "invalid_request", "This takes one form, each parameter once.");
  if (form.has("resource")) setResource(form, places);
  const used = await refreshTokenOf(sql, form.get("refresh_token"));
  const earlier = await issuedFor(sql, form.get("code"));
  const answer = await askAsClient(dependencies, TOKEN_PATH, request, form);
  // The same with a code, of which better-auth revokes the refresh tokens (RFC 6749, section 4.1.2).
  if (earlier && !answer.ok) await grants.revokeFor(earlier.accountId, earlier.clientId);
  // A refresh token that was used before means that somebody else has it: better-auth deletes all of its family, and
  // the grant ends with them, so that the access tokens that are out are of no more use either.
  if (used?.isRevoked && !(await refreshTokenOf(sql, form.get("refresh_token")))) {
    await grants.revokeFor(used.accountId, used.clientId);
  }
  return answer;
}

export interface StoredRefreshToken {
  readonly accountId: string;
  readonly clientId: string;
  readonly isRevoked: boolean;
}

/** Whom a code was exchanged for already; null for one that was not, or that is none. */
async function issuedFor(sql: AnySql, code: string | null) {
  if (code === null) return null;
  const [row] = await sql`
    select "userId" as account_id, "clientId" as client_id from auth."oauthRefreshToken"
    where "authorizationCodeId" = ${hashOf(code)} limit 1`;
  return row ? { accountId: row.account_id as string, clientId: row.client_id as string } : null;
}

/** What is stored of a refresh token, by its hash. */
export async function refreshTokenOf(sql: AnySql, secret: string | null): Promise<StoredRefreshToken | null> {
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
