import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { type Scope, scopeNamed, scopes } from "../../contract/scope.ts";
import type { Owner, TokenKind } from "../../core/credential/credential.ts";
import type {
  CredentialStore,
  ListedCredential,
  NewCredential,
} from "../../core/credential/credential-store.ts";
import type { AnySql, Sql } from "./client.ts";
import { createCredentialCache } from "./credential-cache.ts";

/** Prefixes by kind, so that secret scanners and people recognise them. */
const PREFIXES: Readonly<Record<TokenKind, string>> = {
  api_key: "rcl_key_",
  oauth: "rcl_oauth_",
  agent_temporary: "rcl_tmp_",
  agent_formal: "rcl_agent_",
  skill: "rcl_skill_",
};
const SECRET_BYTES = 32;
/** Enough to recognise a key by, far too little to guess it. */
const HINT_CHARACTERS = 12;

export function createCredentialStore(sql: Sql): CredentialStore {
  const cache = createCredentialCache((hash) => lookUp(sql, hash));
  return {
    authenticate: (secret) => cache.get(hashOf(secret)),
    ensureOwner: (kind, name) => ensureOwner(sql, kind, name),
    async issue(credential) {
      const secret = PREFIXES[credential.kind] + randomBytes(SECRET_BYTES).toString("base64url");
      return { credential: await insert(sql, credential, secret), secret };
    },
    async list() {
      const rows = await sql`select t.*, o.kind as owner_kind, o.name as owner_name
        from tokens t join owners o on o.id = t.owner_id order by t.created_at desc, t.id`;
      return rows.map(toListed);
    },
    async revoke(tokenId) {
      const rows = await sql`
        update tokens set revoked_at = coalesce(revoked_at, now()) where id::text = ${tokenId} returning id`;
      cache.clear();
      return rows.length > 0;
    },
    bootstrap: (secret) => bootstrap(sql, secret),
    async hasAny() {
      const [row] = await sql`select exists (select from tokens) as has_any`;
      return Boolean(row?.has_any);
    },
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** One row by its hash; the last use is noted once a minute, not with each request. */
async function lookUp(sql: Sql, hash: string): Promise<ListedCredential | null> {
  const [row] = await sql`
    select t.*, o.kind as owner_kind, o.name as owner_name, t.last_used_at is null
        or t.last_used_at < now() - interval '1 minute' as is_use_due
    from tokens t join owners o on o.id = t.owner_id
    where t.hash = decode(${hash}, 'hex') and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`;
  if (!row) return null;
  if (row.is_use_due) await sql`update tokens set last_used_at = now() where id = ${row.id}`;
  return toListed(row);
}

async function ensureOwner(sql: AnySql, kind: Owner["kind"], name: string): Promise<Owner> {
  await sql`insert into owners (id, kind, name) values (${uuidv7()}, ${kind}, ${name}) on conflict do nothing`;
  const [row] = await sql`select id from owners where kind = ${kind} and name = ${name}`;
  return { id: row?.id as string, kind, name };
}

async function insert(sql: AnySql, credential: NewCredential, secret: string): Promise<ListedCredential> {
  const { projects, pathPrefix, buckets } = credential.space;
  const [row] = await sql`
    with t as (
      insert into tokens (id, kind, hash, hint, name, owner_id, scopes, projects, path_prefix, buckets, expires_at)
      values (${uuidv7()}, ${credential.kind}, decode(${hashOf(secret)}, 'hex'), ${secret.slice(0, HINT_CHARACTERS)},
              ${credential.name}, ${credential.ownerId}, ${credential.scopes as string[]}, ${projects as string[] | null},
              ${pathPrefix}, ${buckets as string[] | null}, ${credential.expiresAt})
      returning *
    ), audited as (
      insert into audit_log (owner_id, operation, token_id) select owner_id, 'issue_credential', id from t
    )
    select t.*, o.kind as owner_kind, o.name as owner_name from t join owners o on o.id = t.owner_id`;
  return toListed(row as Record<string, unknown>);
}

const BOOTSTRAP_OWNER = "local";
const BOOTSTRAP_NAME = "bootstrap";

async function bootstrap(sql: Sql, secret: string): Promise<void> {
  await sql.begin(async (transaction) => {
    // Replicas that start together do this one after the other.
    await transaction`lock table tokens in share row exclusive mode`;
    const owner = await ensureOwner(transaction, "user", BOOTSTRAP_OWNER);
    await transaction`
      update tokens set revoked_at = coalesce(revoked_at, now()) where owner_id = ${owner.id} and name = ${BOOTSTRAP_NAME}
        and hash <> decode(${hashOf(secret)}, 'hex')`;
    const [known] = await transaction`select id from tokens where hash = decode(${hashOf(secret)}, 'hex')`;
    if (known) return;
    const everything = Object.keys(scopes) as Scope[];
    const space = { projects: null, pathPrefix: null, buckets: null };
    const credential = {
      kind: "api_key",
      ownerId: owner.id,
      name: BOOTSTRAP_NAME,
      scopes: everything,
      space,
      expiresAt: null,
    } as const;
    await insert(transaction, credential, secret);
  });
}

function toListed(row: Record<string, unknown>): ListedCredential {
  return {
    tokenId: row.id as string,
    kind: row.kind as TokenKind,
    owner: {
      id: row.owner_id as string,
      kind: row.owner_kind as Owner["kind"],
      name: row.owner_name as string,
    },
    scopes: (row.scopes as string[]).flatMap((name) => scopeNamed(name) ?? []),
    space: {
      projects: row.projects as string[] | null,
      pathPrefix: row.path_prefix as string | null,
      buckets: row.buckets as string[] | null,
    },
    agentId: row.agent_id as string | null,
    name: row.name as string | null,
    hint: row.hint as string,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    revokedAt: row.revoked_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
  };
}
