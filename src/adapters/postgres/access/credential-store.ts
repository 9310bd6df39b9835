import { uuidv7 } from "uuidv7";
import { type Scope, scopes } from "../../../contract/scope.ts";
import type { Owner } from "../../../core/access/credential.ts";
import type {
  CredentialStore,
  ListedCredential,
  NewCredential,
} from "../../../core/access/credential-store.ts";
import type { AnySql, Sql } from "../database/client.ts";
import { retried } from "../database/retry.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { hashOf, issueCredential, storeCredential, toListed } from "./issue-credential.ts";
import { revokeCredential } from "./revoke-credential.ts";

export function createCredentialStore(sql: Sql): CredentialStore {
  const cache = createCredentialCache((hash) => lookUp(sql, hash));
  return {
    authenticate: (secret) => cache.get(hashOf(secret)),
    forgetCached: () => cache.clear(),
    ensureOwner: (kind, name) => ensureOwner(sql, kind, name),
    issue: (credential) => issueCredential(sql, credential),
    async list() {
      const rows = await sql`select t.*, o.kind as owner_kind, o.name as owner_name
        from tokens t join owners o on o.id = t.owner_id order by t.created_at desc, t.id`;
      return rows.map(toListed);
    },
    async revoke(tokenId) {
      const isKnown = await retried(() => sql.begin((tx) => revokeCredential(tx, tokenId)));
      cache.clear();
      return isKnown;
    },
    issueFirst: (credential) => issueFirst(sql, credential),
    bootstrap: (secret) => bootstrap(sql, secret),
    hasAny: () => hasAny(sql),
  };
}

/**
 * One row by its hash; the last use is noted once a minute, not with each request. The first use is noted or the token has
 * just ended: a rotation that is repeated ends the token that nobody has used, and must not end one that was let in.
 */
async function lookUp(sql: Sql, hash: string): Promise<ListedCredential | null> {
  const [row] = await sql`
    select t.*, o.kind as owner_kind, o.name as owner_name, t.last_used_at is null
        or t.last_used_at < now() - interval '1 minute' as is_use_due
    from tokens t join owners o on o.id = t.owner_id
    where t.hash = decode(${hash}, 'hex') and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`;
  if (!row) return null;
  if (row.is_use_due) {
    const noted =
      await sql`update tokens set last_used_at = now() where id = ${row.id} and revoked_at is null`;
    if (noted.count === 0) return null;
  }
  return toListed(row);
}

async function ensureOwner(sql: AnySql, kind: Owner["kind"], name: string): Promise<Owner> {
  await sql`insert into owners (id, kind, name) values (${uuidv7()}, ${kind}, ${name}) on conflict do nothing`;
  const [row] = await sql`select id from owners where kind = ${kind} and name = ${name}`;
  return { id: row?.id as string, kind, name };
}

async function hasAny(sql: AnySql): Promise<boolean> {
  const [row] = await sql`select exists (select from tokens) as has_any`;
  return Boolean(row?.has_any);
}

/** Servers that start together ask one after the other, so that one of them is the first. */
async function issueFirst(sql: Sql, credential: NewCredential) {
  return sql.begin(async (transaction) => {
    await transaction`lock table tokens in share row exclusive mode`;
    return (await hasAny(transaction)) ? null : issueCredential(transaction, credential);
  });
}

const BOOTSTRAP_OWNER = "local";
const BOOTSTRAP_NAME = "bootstrap";

async function bootstrap(sql: Sql, secret: string): Promise<void> {
  await sql.begin(async (transaction) => {
    // Replicas that start together do this one after the other.
    await transaction`lock table tokens in share row exclusive mode`;
    const owner = await ensureOwner(transaction, "user", BOOTSTRAP_OWNER);
    await transaction`
      with ended as (
        update tokens set revoked_at = now() where owner_id = ${owner.id} and name = ${BOOTSTRAP_NAME}
          and hash <> decode(${hashOf(secret)}, 'hex') and revoked_at is null returning owner_id, id
      )
      insert into audit_log (owner_id, operation, token_id) select owner_id, 'revoke_credential', id from ended`;
    const [known] = await transaction`select id from tokens where hash = decode(${hashOf(secret)}, 'hex')`;
    if (known) return;
    const everything = Object.keys(scopes) as Scope[];
    const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
    const credential = {
      kind: "api_key",
      ownerId: owner.id,
      name: BOOTSTRAP_NAME,
      scopes: everything,
      space,
      expiresAt: null,
    } as const;
    await storeCredential(transaction, credential, secret);
  });
}
