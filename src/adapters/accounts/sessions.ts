/** Sessions of an account, and the credential that all of them share. */
import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { type Scope, scopes } from "../../contract/scope.ts";
import type { Account, Session } from "../../core/access/accounts.ts";
import { type Credential, TOKEN_PREFIXES } from "../../core/access/credential.ts";
import { audit, type Sql } from "./database.ts";

const SECRET_BYTES = 32;

/** Scopes of a person in a browser: all. Roles in teams are read on every request. */
const EVERY_SCOPE = Object.keys(scopes) as Scope[];

/**
 * Returns the account's credential, creating it on first use. Its last use is recorded once a minute, not on each
 * request. Like a grant it has no secret: its hash is of discarded random bytes, so that it can be used only through a
 * session.
 */
export async function credentialOf(sql: Sql, { id, owner }: Account): Promise<Credential> {
  const [known] = await sql`
    select id, last_used_at is null or last_used_at < now() - interval '1 minute' as is_use_due from tokens
    where account_id = ${id} and kind = 'session' and revoked_at is null`;
  if (known?.is_use_due) await sql`update tokens set last_used_at = now() where id = ${known.id}`;
  const tokenId = known ? (known.id as string) : await issue(sql, { id, owner });
  return {
    tokenId,
    kind: "session",
    owner,
    scopes: EVERY_SCOPE,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    agentId: null,
    onlyFor: null,
  };
}

async function issue(sql: Sql, { id, owner }: Pick<Account, "id" | "owner">): Promise<string> {
  const hash = createHash("sha256").update(randomBytes(SECRET_BYTES)).digest();
  // Of concurrent first requests, one creates it.
  const [row] = await sql`
    insert into tokens (id, kind, hash, hint, name, owner_id, scopes, account_id, last_used_at)
    values (${uuidv7()}, 'session', ${hash}, ${TOKEN_PREFIXES.session}, 'signed in', ${owner.id},
            ${EVERY_SCOPE as string[]}, ${id}, now())
    on conflict (account_id) where kind = 'session' and revoked_at is null
      do update set last_used_at = excluded.last_used_at
    returning id`;
  return row?.id as string;
}

export async function sessionsOf(sql: Sql, account: Account): Promise<Session[]> {
  const rows = await sql`
    select id, "createdAt" as started_at, "expiresAt" as expires_at from auth.session
    where "userId" = ${account.id} and "expiresAt" > now() order by "createdAt" desc, id`;
  return rows.map((row) => ({
    id: row.id as string,
    startedAt: (row.started_at as Date).getTime(),
    expiresAt: (row.expires_at as Date).getTime(),
  }));
}

export async function endSession(sql: Sql, account: Account, sessionId: string): Promise<boolean> {
  const ended =
    await sql`delete from auth.session where id = ${sessionId} and "userId" = ${account.id} returning id`;
  if (ended.length > 0) await audit(sql, "session_ended", account.owner.id);
  return ended.length > 0;
}
