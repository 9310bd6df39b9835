import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { type Scope, scopeNamed, scopes } from "../../../contract/scope.ts";
import { type Owner, TOKEN_PREFIXES } from "../../../core/access/credential.ts";
import type {
  CredentialStore,
  IssuedCredential,
  ListedCredential,
  ManagedCredentials,
  NewCredential,
  RotatedCredential,
  Rotation,
} from "../../../core/access/credential-store.ts";
import { requireRotatable } from "../../../core/access/key-rotation.ts";
import { BoundedCache } from "../../../core/cache.ts";
import { invalidToken } from "../../../core/caller.ts";
import { notFound } from "../../../core/error.ts";
import {
  STORAGE_LIMITS,
  type StorageLimits,
  tooManyCredentials,
} from "../../../core/limits/storage-limits.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { fromRow, type Row, toRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";

/** Maximum number of credentials listed per owner, more than anyone reads. */
const LISTED_MAX = 1000;

export function createCredentialStore(
  sql: Sql,
  { ownerCredentialsMax }: Pick<StorageLimits, "ownerCredentialsMax"> = STORAGE_LIMITS,
): CredentialStore {
  const cache = createCredentialCache((hash) => lookUp(sql, hash));
  const requireRoom = (ownerId: string) => requireRoomForCredential(sql, ownerId, ownerCredentialsMax);
  return {
    authenticate: (secret) => cache.get(hashOf(secret)),
    forgetCached: () => cache.clear(),
    ensureOwner: (kind, name) => ensureOwner(sql, kind, name),
    requireRoom,
    async issue(credential, requestId) {
      await requireRoom(credential.ownerId);
      return sql.begin((tx) => issueCredential(tx, credential, requestId)) as Promise<IssuedCredential>;
    },
    async list() {
      const rows = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id order by t.created_at desc, t.id`;
      return rows.map(toListed);
    },
    async listOf(ownerId) {
      const rows = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where t.owner_id = ${ownerId} order by t.created_at desc, t.id limit ${LISTED_MAX}`;
      return rows.map(toListed);
    },
    async find(tokenId) {
      const [row] = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id where t.id::text = ${tokenId}`;
      return row ? toListed(row) : null;
    },
    async revoke(tokenId) {
      const isKnown = await retried(() => sql.begin((tx) => revokeCredential(tx, tokenId)));
      cache.clear();
      return isKnown;
    },
    async rotate(tokenId, rotation) {
      const rotated = await retried(() => sql.begin((tx) => rotateKey(tx, tokenId, rotation)));
      cache.clear();
      return rotated;
    },
    issueFirst: (credential) => issueFirst(sql, credential),
    bootstrap: (secret) => bootstrap(sql, secret),
    hasAny: () => hasAny(sql),
  };
}

/**
 * Reads one row by its hash. The last use is recorded once a minute, not with each request. If it cannot be recorded,
 * the token has just been revoked and is refused: a repeated rotation revokes an unused token, and must never revoke
 * one that was accepted.
 */
async function lookUp(sql: Sql, hash: string): Promise<ListedCredential | null> {
  const [row] = await sql`
    select ${listedColumns(sql)}, t.last_used_at is null or t.last_used_at < now() - interval '1 minute' as is_use_due
    from tokens t join owners o on o.id = t.owner_id
    where t.hash = decode(${hash}, 'hex') and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`;
  if (!row) return null;
  const { is_use_due, ...listed } = row;
  if (is_use_due) {
    const noted = await sql`
      update tokens set last_used_at = now() where id = ${listed.token_id} and revoked_at is null`;
    if (noted.count === 0) return null;
  }
  return toListed(listed);
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

/** The lock serialises servers that start together, so that only one of them issues the first credential. */
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
    // Serialises replicas that start together.
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

const SECRET_BYTES = 32;
/** Enough to recognise a key by, far too little to guess it. */
const HINT_CHARACTERS = 12;

/** Only the hash of a secret is stored. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * Throws `quota_exceeded` if the owner already has the maximum number of valid credentials. Sessions, unbound agents
 * and keys that a rotation has replaced do not count. Concurrent requests may each pass.
 */
export async function requireRoomForCredential(sql: AnySql, ownerId: string, max: number): Promise<void> {
  const [row] = await sql`
    select count(*)::int as valid from tokens
    where owner_id = ${ownerId} and kind not in ('session', 'agent_temporary') and only_for is null
      and revoked_at is null and replaced_at is null and (expires_at is null or expires_at > now())`;
  if ((row?.valid as number) >= max) throw tooManyCredentials(max);
}

/** Generates a secret, and stores its hash with its permissions. */
export async function issueCredential(
  sql: AnySql,
  credential: NewCredential,
  requestId: string | null = null,
): Promise<{ credential: ListedCredential; secret: string }> {
  const secret = TOKEN_PREFIXES[credential.kind] + randomBytes(SECRET_BYTES).toString("base64url");
  return { credential: await storeCredential(sql, credential, secret, requestId), secret };
}

/** Stores the permissions of a given secret, with an audit line. */
async function storeCredential(
  sql: AnySql,
  credential: NewCredential,
  secret: string,
  requestId: string | null = null,
): Promise<ListedCredential> {
  const { kind, name, ownerId, scopes, agentId, expiresAt, toolSet, space } = credential;
  const { issuedBy = null } = credential;
  if (issuedBy !== null) await requireIssuer(sql, issuedBy);
  const row = {
    ...toRow({ id: uuidv7(), kind, name, ownerId, scopes, agentId, expiresAt, toolSet, issuedBy }),
    hash: Buffer.from(hashOf(secret), "hex"),
    hint: secret.slice(0, HINT_CHARACTERS),
    // All members of the space are stored: one that was missing would not restrict anything.
    ...toRow(space),
  };
  const [stored] = await sql`
    with t as (
      insert into tokens ${sql(row)} returning *
    ), audited as (
      insert into audit_log (owner_id, operation, token_id, agent_id, request_id)
      select owner_id, 'issue_credential', coalesce(${issuedBy}, id), agent_id, ${requestId} from t
    )
    select ${listedColumns(sql)} from t join owners o on o.id = t.owner_id`;
  return toListed(stored as Row);
}

/** Locks the issuer's row, so that a revocation at the same time waits and then finds the new token. */
async function requireIssuer(sql: AnySql, tokenId: string): Promise<void> {
  const [issuer] = await sql`select from tokens where id = ${tokenId} and revoked_at is null for share`;
  if (!issuer) throw invalidToken();
}

export function createManagedCredentials(sql: Sql): ManagedCredentials {
  return {
    async list(user) {
      const rows = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where ${isManaged(sql, user)} order by t.created_at desc, t.id limit ${LISTED_MAX}`;
      return rows.map(toListed);
    },
    async find(user, tokenId) {
      const [row] = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where t.id = ${tokenId} and ${isManaged(sql, user)}`;
      return row ? toListed(row) : null;
    },
  };
}

/**
 * Condition over `tokens t`: valid, not limited to one last operation, not a session, and owned by the user or by a
 * team that the user manages.
 */
function isManaged(sql: Sql, { id }: Owner): Fragment {
  return sql`t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) and t.only_for is null
    and t.kind <> 'session'
    and t.owner_id in (
      select ${id}::uuid union all
      select team_id from team_members where user_id = ${id} and role in ('owner', 'admin')
    )`;
}

/** The columns of a credential, over `tokens t join owners o on o.id = t.owner_id`. */
export function listedColumns(sql: AnySql): Fragment {
  return sql`t.id as token_id, t.kind, t.owner_id as "owner.id", o.kind as "owner.kind", o.name as "owner.name",
    o.application_id as "owner.application_id", t.scopes,
    t.team_id as "space.team_id", t.projects as "space.projects", t.path_prefix as "space.path_prefix",
    t.buckets as "space.buckets", t.tool_set, t.agent_id, t.only_for, t.name, t.hint, t.created_at, t.expires_at,
    t.revoked_at, t.last_used_at`;
}

/** A row of `listedColumns`. */
export function toListed(row: Row): ListedCredential {
  const credential = fromRow<ListedCredential>(row);
  return {
    ...credential,
    owner: toOwner(credential.owner),
    scopes: credential.scopes.flatMap((name) => scopeNamed(name) ?? []),
  };
}

/** Only an end user has an application. */
function toOwner({ applicationId, ...owner }: Owner): Owner {
  return applicationId == null ? owner : { ...owner, applicationId };
}

/**
 * Revokes a token. If it is an agent's formal token, or the temporary token of an agent that is not bound yet, the
 * agent and all its other tokens are revoked too: nothing could properly use or renew them any more. Returns false if
 * there is no such token.
 */
async function revokeCredential(sql: TransactionSql, tokenId: string): Promise<boolean> {
  const [token] = await sql`select id, agent_id from tokens where id::text = ${tokenId}`;
  if (!token) return false;
  // Locks the agent before its tokens, as everywhere.
  if (token.agent_id !== null) await sql`select from agents where id = ${token.agent_id} for update`;
  const ended = await sql`
    update tokens set revoked_at = now() where id = ${token.id} and revoked_at is null
    returning agent_id, account_id, kind, kind in ('agent_temporary', 'agent_formal') and only_for is null
      and (expires_at is null or expires_at > now()) as is_life_of_agent`;
  if (ended.length === 0) return true;
  await sql`
    insert into audit_log (owner_id, operation, token_id, agent_id)
    select owner_id, 'revoke_credential', id, agent_id from tokens where id = ${token.id}`;
  // Ends the account's sessions too: the next request of one would create another credential.
  if (ended[0]?.kind === "session")
    await sql`delete from auth.session where "userId" = ${ended[0].account_id}`;
  if (ended[0]?.is_life_of_agent) await revokeAgentOf(sql, token.agent_id as string);
  return true;
}

/** See `KeyRotator.rotate`. Locks the former key's row, so that concurrent rotations run one after the other. */
async function rotateKey(
  sql: TransactionSql,
  tokenId: string,
  rotation: Rotation,
): Promise<RotatedCredential> {
  const [found] = await sql`
    select ${listedColumns(sql)}, t.replaced_by,
      t.revoked_at is not null or (t.replaced_at is null and t.expires_at <= now()) as has_ended
    from tokens t join owners o on o.id = t.owner_id where t.id::text = ${tokenId} for update of t`;
  if (!found) throw notFound("key");
  const { replaced_by, has_ended, ...former } = found;
  const [successor] = await sql`
    select id, expires_at, last_used_at is not null as is_used, revoked_at is not null as is_revoked
    from tokens where id = ${replaced_by} for update`;
  const credential = toListed(former);
  requireRotatable({
    kind: credential.kind,
    isBootstrap: isBootstrapKey(credential),
    hasEnded: has_ended === true,
    successor: successor ? fromRow(successor) : null,
  });
  const ending = successor ?? former;
  const expiresAt =
    rotation.expiresAt === undefined ? (ending.expires_at as number | null) : rotation.expiresAt;
  if (successor) await sql`update tokens set revoked_at = now() where id = ${successor.id}`;
  const issued = await issueCredential(
    sql,
    { ...credential, ownerId: credential.owner.id, expiresAt },
    rotation.requestId,
  );
  const [replaced] = await sql`
    with replaced as (
      update tokens set replaced_by = ${issued.credential.tokenId}, replaced_at = coalesce(replaced_at, now()),
        expires_at = case when replaced_at is null then least(expires_at, now() + ${rotation.overlapMs} * interval '1 ms')
          else expires_at end
      where id = ${credential.tokenId} returning owner_id, id, expires_at
    ), audited as (
      insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
      select owner_id, 'rotate_credential', id, ${credential.agentId}, ${rotation.requestId ?? null},
             jsonb_build_object('replaced_by', ${issued.credential.tokenId}::text)
      from replaced
    )
    select expires_at from replaced`;
  return { ...issued, previousId: credential.tokenId, previousValidUntil: replaced?.expires_at as number };
}

function isBootstrapKey({ kind, name, owner }: ListedCredential): boolean {
  return (
    kind === "api_key" && owner.kind === "user" && owner.name === BOOTSTRAP_OWNER && name === BOOTSTRAP_NAME
  );
}

async function revokeAgentOf(sql: TransactionSql, agentId: string): Promise<void> {
  await sql`
    with ended as (
      update agents set status = 'revoked', ended_at = now(), confirmation_hash = null
      where id = ${agentId} and status in ('pending', 'awaiting_confirmation', 'bound')
      returning id, coalesce(approved_by, quarantine_id) as owner_id
    )
    insert into audit_log (owner_id, operation, agent_id) select owner_id, 'agent_revoke', id from ended`;
  await sql`update tokens set revoked_at = now() where agent_id = ${agentId} and revoked_at is null`;
}

/** Short enough that a revocation on another replica takes effect within a second. */
const KEPT_MS = 500;
const CACHED_BYTES_MAX = 16 * 1024 * 1024;

interface Entry {
  readonly credential: ListedCredential;
  readonly until: number;
}

/** Caches valid credentials for half a second, so that a burst of requests queries the database once. */
function createCredentialCache(lookUp: (hash: string) => Promise<ListedCredential | null>) {
  const entries = new BoundedCache<string, Entry>({
    name: "credentials",
    bytesMax: CACHED_BYTES_MAX,
    bytesOf: ({ credential }) => 1000 + 2 * JSON.stringify(credential.space).length,
  });
  // Lookups in progress, at most as many as requests.
  const lookedUp = new Map<string, Promise<ListedCredential | null>>();
  let generation = 0;

  async function find(hash: string): Promise<ListedCredential | null> {
    const [until, asked] = [performance.now() + KEPT_MS, generation];
    const credential = await lookUp(hash);
    // Unknown secrets and failures are not cached: a new key works at once, and anonymous clients cannot fill the
    // cache.
    if (credential && asked === generation) entries.set(hash, { credential, until });
    return credential;
  }

  return {
    get(hash: string): Promise<ListedCredential | null> {
      const known = entries.get(hash);
      if (known && known.until > performance.now()) return Promise.resolve(unexpired(known.credential));
      entries.delete(hash);
      const looking = lookedUp.get(hash) ?? find(hash);
      lookedUp.set(hash, looking);
      const forget = () => lookedUp.get(hash) === looking && lookedUp.delete(hash);
      looking.then(forget, forget);
      return looking;
    },
    clear(): void {
      generation += 1;
      entries.clear();
      lookedUp.clear();
    },
  };
}

function unexpired(credential: ListedCredential | null): ListedCredential | null {
  const isExpired = credential?.expiresAt != null && credential.expiresAt <= Date.now();
  return isExpired ? null : credential;
}
