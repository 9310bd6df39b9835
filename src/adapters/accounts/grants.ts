import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { type Scope, scopeNamed } from "../../contract/scope.ts";
import type { Account } from "../../core/access/accounts.ts";
import { type Credential, TOKEN_PREFIXES } from "../../core/access/credential.ts";
import type { Grant } from "../../core/access/oauth.ts";
import { type AnySql, audit, ownerIn, type Sql } from "./database.ts";
import type { Authorization } from "./refresh-tokens.ts";

/**
 * Grants: access that a person gave to a client. Each is a row of `tokens`, so that it is listed, limited and revoked
 * like any credential.
 */
export interface Grants {
  /** Returns the id of the live grant of an account and client, or null. */
  idOf(accountId: string, clientId: string): Promise<string | null>;
  /** Returns the credential of a live grant, with all consented scopes; null if it has ended. */
  find(of: GrantReference): Promise<Credential | null>;
  /** Creates the grant, or sets the scopes of the live one. */
  consent(account: Account, client: ConsentedClient, scopes: readonly Scope[]): Promise<void>;
  list(account: Account): Promise<Grant[]>;
  /**
   * Ends one of the account's grants, with its refresh tokens and consent. Returns false if there is no such live
   * grant.
   */
  revoke(account: Account, grantId: string): Promise<boolean>;
  /**
   * Ends one authorization with all its tokens, but no other of the same client. The grant ends with its last usable
   * authorization.
   */
  endAuthorization(of: Authorization): Promise<void>;
  /** Deletes consents to the client whose grant has ended by other means, so that the person is asked again. */
  forgetEnded(clientId: string): Promise<void>;
}

export interface GrantReference extends Authorization {
  readonly grantId: string;
}

interface ConsentedClient {
  readonly clientId: string;
  readonly name: string | null;
}

/** Rejects with `quota_exceeded` if the owner has as many valid credentials as it may. */
export type RequireRoom = (ownerId: string) => Promise<void>;

const SECRET_BYTES = 32;
const NAME_CHARACTERS_MAX = 200;

export function createGrants(sql: Sql, requireRoom: RequireRoom): Grants {
  return {
    async idOf(accountId, clientId) {
      const [row] = await sql`
        select t.id from tokens t join auth.sign_ins s on s.user_id = t.account_id and s.owner_id = t.owner_id
        where t.account_id = ${accountId} and t.client_id = ${clientId} and t.kind = 'oauth' and t.revoked_at is null`;
      return (row?.id as string | undefined) ?? null;
    },
    find: (reference) => find(sql, reference),
    consent: (account, client, scopes) =>
      sql.begin((tx) => consent(tx, account, client, { scopes, requireRoom })).then(() => {}),
    async list(account) {
      const rows = await sql`
        select id, client_id, name, scopes, created_at, last_used_at from tokens
        where account_id = ${account.id} and kind = 'oauth' and revoked_at is null order by created_at desc, id`;
      return rows.map(toGrant);
    },
    revoke: (account, grantId) =>
      sql.begin(async (transaction) => {
        const [row] = await transaction`
          select client_id from tokens
          where id::text = ${grantId} and account_id = ${account.id} and revoked_at is null`;
        return row ? end(transaction, account.id, row.client_id as string) : false;
      }),
    async endAuthorization(of) {
      await sql.begin((transaction) => endAuthorization(transaction, of));
    },
    async forgetEnded(clientId) {
      await sql`
        delete from auth."oauthConsent" c where c."clientId" = ${clientId} and not exists (
          select from tokens t
          where t.account_id = c."userId" and t.client_id = c."clientId" and t.revoked_at is null)`;
    },
  };
}

/** Reads a grant's current state. Its last use is recorded once a minute, not on each request. */
async function find(
  sql: Sql,
  { grantId, accountId, clientId, authorizationId }: GrantReference,
): Promise<Credential | null> {
  const [row] = await sql`
    select t.id, t.scopes, o.id as owner_id, o.kind as owner_kind, o.name as owner_name,
      t.last_used_at is null or t.last_used_at < now() - interval '1 minute' as is_use_due
    from tokens t
    join auth.sign_ins s on s.user_id = t.account_id and s.owner_id = t.owner_id
    join owners o on o.id = t.owner_id
    where t.id::text = ${grantId} and t.account_id = ${accountId} and t.client_id = ${clientId}
      and t.kind = 'oauth' and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      -- Each authorization keeps its refresh tokens, used or not, until it ends.
      and (${authorizationId}::text is null or exists (
        select from auth."oauthRefreshToken" r
        where r."authorizationCodeId" = ${authorizationId} and r."userId" = t.account_id and r."clientId" = t.client_id))`;
  if (!row) return null;
  if (row.is_use_due) await sql`update tokens set last_used_at = now() where id = ${row.id}`;
  return {
    tokenId: row.id as string,
    kind: "oauth",
    owner: ownerIn(row),
    scopes: scopesIn(row),
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    agentId: null,
    onlyFor: null,
  };
}

async function consent(
  sql: AnySql,
  account: Account,
  { clientId, name }: ConsentedClient,
  { scopes, requireRoom }: { readonly scopes: readonly Scope[]; readonly requireRoom: RequireRoom },
): Promise<void> {
  const [known] = await sql`
    select from tokens where account_id = ${account.id} and client_id = ${clientId} and revoked_at is null`;
  if (!known) await requireRoom(account.owner.id);
  const id = uuidv7();
  const label = (name ?? clientId).slice(0, NAME_CHARACTERS_MAX);
  const [row] = await sql`
    insert into tokens (id, kind, hash, hint, name, owner_id, scopes, account_id, client_id)
    values (${id}, 'oauth', ${unguessableHash()}, ${TOKEN_PREFIXES.oauth}, ${label}, ${account.owner.id}, ${scopes as string[]},
            ${account.id}, ${clientId})
    on conflict (account_id, client_id) where account_id is not null and revoked_at is null
      do update set scopes = excluded.scopes, name = excluded.name
    returning id`;
  // Tokens left by an ended grant must not become valid with a new one.
  if (row?.id === id) await deleteRefreshTokens(sql, account.id, clientId);
  await audit(sql, "oauth_consent", account.owner.id, row?.id as string);
}

async function end(sql: AnySql, accountId: string, clientId: string): Promise<boolean> {
  const rows = await sql`
    update tokens set revoked_at = now()
    where account_id = ${accountId} and client_id = ${clientId} and revoked_at is null returning id, owner_id`;
  await deleteRefreshTokens(sql, accountId, clientId);
  await sql`delete from auth."oauthConsent" where "userId" = ${accountId} and "clientId" = ${clientId}`;
  for (const row of rows) await audit(sql, "oauth_revoke", row.owner_id as string, row.id as string);
  return rows.length > 0;
}

async function endAuthorization(
  sql: AnySql,
  { accountId, clientId, authorizationId }: Authorization,
): Promise<void> {
  // Locks the grant before its tokens are read, as an exchange does.
  const [grant] = await sql`
    select id, owner_id from tokens
    where account_id = ${accountId} and client_id = ${clientId} and revoked_at is null for no key update`;
  await sql`
    delete from auth."oauthRefreshToken"
    where "userId" = ${accountId} and "clientId" = ${clientId} and "authorizationCodeId" = ${authorizationId}`;
  const [other] = await sql`
    select from auth."oauthRefreshToken"
    where "userId" = ${accountId} and "clientId" = ${clientId} and "authorizationCodeId" is distinct from ${authorizationId}
      and revoked is null and "expiresAt" > now() limit 1`;
  // A token from before tokens named their authorization counts as all of them.
  if (authorizationId === null || !other) await end(sql, accountId, clientId);
  else if (grant) await audit(sql, "oauth_revoke", grant.owner_id as string, grant.id as string);
}

async function deleteRefreshTokens(sql: AnySql, accountId: string, clientId: string): Promise<void> {
  await sql`delete from auth."oauthRefreshToken" where "userId" = ${accountId} and "clientId" = ${clientId}`;
}

/** A grant has no secret, so its hash is of random bytes that are discarded. */
function unguessableHash() {
  return createHash("sha256").update(randomBytes(SECRET_BYTES)).digest();
}

function toGrant(row: Record<string, unknown>): Grant {
  return {
    id: row.id as string,
    clientId: row.client_id as string,
    clientName: row.name === row.client_id ? null : (row.name as string | null),
    scopes: scopesIn(row),
    createdAt: (row.created_at as Date).getTime(),
    lastUsedAt: (row.last_used_at as Date | null)?.getTime() ?? null,
  };
}

function scopesIn(row: Record<string, unknown>): Scope[] {
  return (row.scopes as string[]).flatMap((name) => scopeNamed(name) ?? []);
}

/** Short enough that a revocation on another replica takes effect within a second. */
const CACHED_MS = 500;
const CACHE_ENTRIES_MAX = 10_000;

interface CacheEntry {
  readonly credential: Promise<Credential | null>;
  readonly until: number;
}

/** Remembers live grants for half a second, so that a burst of requests asks the database once. */
export function createGrantCache(grants: Pick<Grants, "find">) {
  const entries = new Map<string, CacheEntry>();

  return {
    async find(reference: GrantReference): Promise<Credential | null> {
      const { grantId, accountId, clientId, authorizationId } = reference;
      const key = JSON.stringify([grantId, accountId, clientId, authorizationId]);
      const known = entries.get(key);
      if (known && known.until > performance.now()) return known.credential;
      if (entries.size >= CACHE_ENTRIES_MAX) entries.clear();
      const credential = grants.find(reference);
      entries.set(key, { credential, until: performance.now() + CACHED_MS });
      const found = await credential.catch((error) => {
        entries.delete(key);
        throw error;
      });
      if (!found) entries.delete(key);
      return found;
    },
    clear(): void {
      entries.clear();
    },
  };
}

/** Maximum number of clients without a grant to keep, newest first, since anyone may register one. */
export const UNUSED_CLIENTS_MAX = 2000;

/**
 * Deletes clients that never had a grant after a month, so that anonymous clients cannot fill the database. A client
 * described by its own document is read again when it returns; a registered one must register again.
 */
export async function deleteUnusedClients(sql: AnySql): Promise<void> {
  await sql`
    delete from auth."oauthClient" c where ${cameAt(sql)} < now() - interval '30 days'
      and not exists (select from tokens t where t.client_id = c."clientId")`;
  await sql`
    delete from auth."oauthClient" where id in (
      select c.id from auth."oauthClient" c
      where not exists (select from tokens t where t.client_id = c."clientId")
      order by ${cameAt(sql)} desc offset ${UNUSED_CLIENTS_MAX}
    )`;
}

/** When a client registered here, or was imported. */
const cameAt = (sql: AnySql) => sql`coalesce(c."updatedAt", c."createdAt")`;
