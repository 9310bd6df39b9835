/** Refresh tokens: each is exchanged for its one successor. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import type { AnySql, Sql } from "./database.ts";

export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** A token sent again within this time is a retry after a lost answer, or a race between windows of a client. */
const REPEAT_SECONDS = 30;

/** An authorization: one authorization code and all tokens that followed from it. */
export interface Authorization {
  readonly accountId: string;
  readonly clientId: string;
  /** The hash of its code. */
  readonly authorizationId: string | null;
}

export interface StoredRefreshToken extends Authorization {
  readonly scopes: readonly string[];
  readonly resources: readonly string[] | null;
  readonly sessionId: string | null;
  readonly authTime: Date | null;
  readonly expiresAt: Date;
}

/** Outcome of an exchange. `ended`: the grant was revoked meanwhile. */
export type Exchange =
  | { readonly kind: "exchanged"; readonly successor: string }
  | { readonly kind: "reused" }
  | { readonly kind: "ended" };

export interface RefreshTokens {
  /** Returns null for an unknown token. An exchanged token is found until its authorization ends. */
  find(token: string): Promise<StoredRefreshToken | null>;
  /** Returns the authorization for which a code was exchanged; null for an unused or unknown code. */
  ofCode(code: string): Promise<Authorization | null>;
  /** Exchanges a token for its successor: the same one each time within `REPEAT_SECONDS`, and `reused` from then on. */
  exchange(token: string): Promise<Exchange>;
}

export function createRefreshTokens(sql: Sql, secret: () => Promise<string>): RefreshTokens {
  return {
    find: (token) => find(sql, token),
    async ofCode(code) {
      const authorizationId = hashOf(code);
      const [row] = await sql`
        select "userId" as account_id, "clientId" as client_id from auth."oauthRefreshToken"
        where "authorizationCodeId" = ${authorizationId} limit 1`;
      if (!row) return null;
      return {
        accountId: row.account_id as string,
        clientId: row.client_id as string,
        authorizationId,
      };
    },
    async exchange(token) {
      const successor = successorOf(token, await secret());
      return sql.begin((transaction) => exchange(transaction, token, successor));
    },
  };
}

/** Hashes as better-auth does for codes and tokens. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Derives the successor with the service's secret, so that an answer can be repeated without being stored. */
function successorOf(token: string, secret: string): string {
  return createHmac("sha256", secret).update(`successor of refresh token ${token}`).digest("base64url");
}

async function find(sql: AnySql, token: string): Promise<StoredRefreshToken | null> {
  const [row] = await sql`
    select "userId" as account_id, "clientId" as client_id, "authorizationCodeId" as authorization_id, scopes,
      resources, "sessionId" as session_id, "authTime" as auth_time, "expiresAt" as expires_at
    from auth."oauthRefreshToken" where token = ${hashOf(token)}`;
  if (!row) return null;
  return {
    accountId: row.account_id as string,
    clientId: row.client_id as string,
    authorizationId: row.authorization_id as string | null,
    scopes: row.scopes as string[],
    resources: row.resources as string[] | null,
    sessionId: row.session_id as string | null,
    authTime: row.auth_time as Date | null,
    expiresAt: row.expires_at as Date,
  };
}

async function exchange(sql: AnySql, token: string, successor: string): Promise<Exchange> {
  const stored = await find(sql, token);
  // Locks the grant's row first, as revocation does. A revocation then either sees the successor, or comes first.
  const [grant] = stored
    ? await sql`
        select id from tokens
        where account_id = ${stored.accountId} and client_id = ${stored.clientId} and revoked_at is null
        for no key update`
    : [];
  const [row] = await sql`
    select revoked is not null as is_used,
      coalesce("rotatedAt" > now() - make_interval(secs => ${REPEAT_SECONDS}), false) as is_recent
    from auth."oauthRefreshToken" where token = ${hashOf(token)}`;
  if (!grant || !row) return { kind: "ended" };
  if (row.is_used && !row.is_recent) return { kind: "reused" };
  await sql`
    update auth."oauthRefreshToken" set revoked = now(), "rotatedAt" = now()
    where token = ${hashOf(token)} and revoked is null`;
  await sql`
    insert into auth."oauthRefreshToken" (id, token, "clientId", "sessionId", "userId", "referenceId",
      "authorizationCodeId", "authTime", scopes, resources, "createdAt", "expiresAt")
    select ${randomUUID()}, ${hashOf(successor)}, "clientId", "sessionId", "userId", "referenceId",
      "authorizationCodeId", "authTime", scopes, resources, now(), now() + make_interval(secs => ${REFRESH_TOKEN_SECONDS})
    from auth."oauthRefreshToken" where token = ${hashOf(token)}
    on conflict (token) do nothing`;
  return { kind: "exchanged", successor };
}
