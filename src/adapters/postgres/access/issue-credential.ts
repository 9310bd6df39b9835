import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { scopeNamed } from "../../../contract/scope.ts";
import type { Owner, TokenKind } from "../../../core/access/credential.ts";
import type { ListedCredential, NewCredential } from "../../../core/access/credential-store.ts";
import type { AnySql } from "../database/client.ts";

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

/** What is kept of a secret. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Makes a secret and stores its hash with what it may do. */
export async function issueCredential(
  sql: AnySql,
  credential: NewCredential,
  requestId: string | null = null,
): Promise<{ credential: ListedCredential; secret: string }> {
  const secret = PREFIXES[credential.kind] + randomBytes(SECRET_BYTES).toString("base64url");
  return { credential: await storeCredential(sql, credential, secret, requestId), secret };
}

/** Stores what a given secret may do, with its audit line. */
export async function storeCredential(
  sql: AnySql,
  credential: NewCredential,
  secret: string,
  requestId: string | null = null,
): Promise<ListedCredential> {
  const { kind, name, ownerId, expiresAt, agentId = null } = credential;
  const { teamId, projects, pathPrefix, buckets } = credential.space;
  const [row] = await sql`
    with t as (
      insert into tokens (id, kind, hash, hint, name, owner_id, scopes, team_id, projects, path_prefix, buckets, agent_id, expires_at)
      values (${uuidv7()}, ${kind}, decode(${hashOf(secret)}, 'hex'), ${secret.slice(0, HINT_CHARACTERS)}, ${name},
              ${ownerId}, ${credential.scopes as string[]}, ${teamId}, ${projects as string[] | null}, ${pathPrefix},
              ${buckets as string[] | null}, ${agentId}, ${expiresAt})
      returning *
    ), audited as (
      insert into audit_log (owner_id, operation, token_id, agent_id, request_id)
      select owner_id, 'issue_credential', id, agent_id, ${requestId} from t
    )
    select t.*, o.kind as owner_kind, o.name as owner_name from t join owners o on o.id = t.owner_id`;
  return toListed(row as Record<string, unknown>);
}

/** A row of `tokens` with `owner_kind` and `owner_name`. */
export function toListed(row: Record<string, unknown>): ListedCredential {
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
      teamId: row.team_id as string | null,
      projects: row.projects as string[] | null,
      pathPrefix: row.path_prefix as string | null,
      buckets: row.buckets as string[] | null,
    },
    agentId: row.agent_id as string | null,
    onlyFor: row.only_for as string | null,
    name: row.name as string | null,
    hint: row.hint as string,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    revokedAt: row.revoked_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
  };
}
