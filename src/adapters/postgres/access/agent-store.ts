import { Buffer } from "node:buffer";
import { createHmac, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { scopeNamed } from "../../../contract/scope.ts";
import { TOKEN_PREFIXES } from "../../../core/access/credential.ts";
import type { AgentChange, AgentRecord, GrantedApproval, NewAgent } from "../../../core/agent/agent.ts";
import type { AgentAudit, AgentStore, AgentTransaction } from "../../../core/agent/agent-store.ts";
import { STORAGE_LIMITS, type StorageLimits } from "../../../core/limits/storage-limits.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { takeOwnerLocks } from "../database/locks.ts";
import { fromRow, type Row, toRow } from "../database/rows.ts";
import { secret } from "../database/service-secret.ts";
import { retried } from "../database/transactions.ts";
import { adoptMemories } from "../memory/move-memories.ts";
import { usageOf } from "../memory/usage.ts";
import { issueCredential, requireRoomForCredential } from "./credential-store.ts";
import { factsStated, readQuarantine } from "./quarantine.ts";
import { makeRoomForAgent } from "./quarantine-bounds.ts";
import { roleOf } from "./team-members.ts";

const CONFIRMATION_BYTES = 32;
const LISTED_MAX = 1000;

/** `onTokensEnded` is called after a transaction that has ended tokens. */
export function createAgentStore(
  sql: Sql,
  onTokensEnded: () => void,
  limits: StorageLimits = STORAGE_LIMITS,
): AgentStore {
  const inTurn = oneAtATime();
  async function transaction<T>(work: (transaction: AgentTransaction) => Promise<T>): Promise<T> {
    let hasEnded = false;
    const onEnded = () => {
      hasEnded = true;
    };
    try {
      return (await retried(() =>
        sql.begin((tx) => work(createAgentTransaction(tx, limits, onEnded))),
      )) as never;
    } finally {
      if (hasEnded) onTokensEnded();
    }
  }
  return {
    async claimSeed(agentId) {
      const key = await secret(sql, "agent-claims");
      return createHmac("sha256", key).update(agentId).digest("hex");
    },
    newConfirmationToken: () =>
      TOKEN_PREFIXES.confirmation + randomBytes(CONFIRMATION_BYTES).toString("base64url"),
    find: (agentId) => find(sql, sql`a.id = ${agentId}`),
    findByClaim: (claimHash) => find(sql, sql`a.claim_hash = decode(${claimHash}, 'hex')`),
    async list(approverId) {
      const rows = await sql`
        select ${agentColumns(sql)},
               (select max(t.last_used_at) from tokens t where t.agent_id = a.id) as last_used_at
        from agents a left join owners o on o.id = a.approved_by
        where ${approverId === null ? sql`true` : sql`a.approved_by = ${approverId}`}
        order by coalesce(a.approved_at, a.requested_at) desc, a.id desc limit ${LISTED_MAX}`;
      return rows.map(({ last_used_at: lastUsedAt, ...row }) => ({ agent: toAgent(row), lastUsedAt }));
    },
    async tokenExpiry(tokenId) {
      const [row] = await sql`select expires_at from tokens where id = ${tokenId}`;
      return (row?.expires_at as number | null | undefined) ?? null;
    },
    transaction,
    registration: (work) => inTurn(() => transaction(work)),
  };
}

/** Returns a function that runs one piece of work after the other. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * Access to agents within one transaction. An agent's row is locked before its tokens are changed. `onEnded` is called
 * when tokens are revoked or limited.
 */
function createAgentTransaction(
  sql: TransactionSql,
  limits: StorageLimits,
  onEnded: () => void,
): AgentTransaction {
  return {
    lockOwners: (ownerIds) => takeOwnerLocks(sql, ownerIds),
    find: (agentId) => find(sql, sql`a.id = ${agentId}`),
    findForChange: (agentId) => find(sql, sql`a.id = ${agentId} for update of a`),
    makeRoomForAgent(network) {
      onEnded();
      return makeRoomForAgent(sql, network, limits);
    },
    limits,
    usage: (ownerId) => usageOf(sql, ownerId),
    register: (agent) => register(sql, agent),
    async change(agentId, change) {
      await sql`update agents set ${sql(toAgentColumns(change))} where id = ${agentId}`;
    },
    roleIn: (teamId, userId) => roleOf(sql, teamId, userId),
    async issue(credential, requestId) {
      if (credential.kind !== "agent_temporary")
        await requireRoomForCredential(sql, credential.ownerId, limits.ownerCredentialsMax);
      return issueCredential(sql, credential, requestId);
    },
    async validToken(tokenId) {
      const [row] = await sql`
        select expires_at, replaced_at is not null as is_replaced from tokens
        where id = ${tokenId} and revoked_at is null and (expires_at is null or expires_at > now())`;
      return row ? fromRow(row) : null;
    },
    async revokeTokens(agentId, kinds) {
      onEnded();
      await sql`
        update tokens set revoked_at = now()
        where agent_id = ${agentId} and kind = any(${kinds as string[]}) and revoked_at is null`;
    },
    async replaceToken(agentId, tokenId, until) {
      onEnded();
      await sql`
        update tokens set revoked_at = now()
        where agent_id = ${agentId} and kind = 'agent_formal' and id <> ${tokenId} and revoked_at is null`;
      await sql`
        update tokens set replaced_at = now(), expires_at = least(expires_at, ${until}) where id = ${tokenId}`;
    },
    async endUnusedToken(agentId) {
      onEnded();
      const ended = await sql`
        update tokens set revoked_at = now() where agent_id = ${agentId} and kind = 'agent_formal'
          and replaced_at is null and last_used_at is null and revoked_at is null`;
      return ended.count > 0;
    },
    async limitTemporaryToken(agentId, until, onlyFor) {
      onEnded();
      const confined = onlyFor === undefined ? sql`` : sql`, only_for = ${onlyFor}, scopes = '{}'`;
      await sql`
        update tokens set expires_at = ${until} ${confined}
        where agent_id = ${agentId} and kind = 'agent_temporary' and revoked_at is null`;
    },
    quarantined: (quarantineId, how) => readQuarantine(sql, quarantineId, how),
    async takenIds(ownerId, memoryIds) {
      const rows = await sql`
        select memory_id from memories where owner_id = ${ownerId} and memory_id = any(${memoryIds as string[]})`;
      return new Set(rows.map((row) => row.memory_id as string));
    },
    factsOf: (ownerId, semanticKeys) => factsStated(sql, ownerId, semanticKeys),
    move: (from, moved, audit, by) => adoptMemories(sql, from, moved, audit, by),
    audit: (line) => auditAgent(sql, line),
  };
}

/** Finds an agent `a` by the condition `which`, and what follows it in the statement. */
async function find(sql: AnySql, which: Fragment): Promise<AgentRecord | null> {
  const [row] = await sql`
    select ${agentColumns(sql)} from agents a left join owners o on o.id = a.approved_by where ${which}`;
  return row ? toAgent(row) : null;
}

async function register(sql: TransactionSql, agent: NewAgent): Promise<string> {
  const quarantineId = uuidv7();
  await sql`insert into owners (id, kind, name) values (${quarantineId}, 'agent', ${agent.id})`;
  const { claimHash, client, ...given } = agent;
  const row = {
    ...toRow(given),
    status: "pending",
    claim_hash: Buffer.from(claimHash, "hex"),
    quarantine_id: quarantineId,
    audit_owner: quarantineId,
    client: client as never,
  };
  await sql`insert into agents ${sql(row)}`;
  return quarantineId;
}

async function auditAgent(sql: TransactionSql, line: AgentAudit): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
    values (${line.ownerId}, ${line.operation}, ${line.tokenId ?? null}, ${line.agentId}, ${line.requestId ?? null},
            ${(line.detail ?? {}) as never})`;
}

/** The columns of an agent with its approver's name, over `agents a left join owners o on o.id = a.approved_by`. */
export function agentColumns(sql: AnySql): Fragment {
  return sql`a.id, a.status, a.quarantine_id, a.client, a.address, a.requested_at, a.expires_at,
    a.approved_by as "approval?.by", o.name as "approval?.name", a.approved_at as "approval?.at",
    a.granted_scopes as "approval?.scopes", a.granted_team_id as "approval?.team_id",
    a.granted_projects as "approval?.projects", a.granted_memories as "approval?.shown",
    encode(a.confirmation_hash, 'hex') as confirmation_hash, a.confirmation_until, a.confirmation_tries, a.ended_at,
    a.bound_at`;
}

/** A row of `agentColumns`. */
export function toAgent(row: Row): AgentRecord {
  type Approval = Omit<GrantedApproval, "approver"> & { readonly by: string; readonly name: string };
  const { approval, ...agent } = fromRow<AgentRecord & { readonly approval: Approval | null }>(row);
  if (approval === null) return { ...agent, approval };
  const { by, name, scopes, shown, ...granted } = approval;
  const known = scopes.flatMap((scope) => scopeNamed(scope) ?? []);
  return {
    ...agent,
    approval: { ...granted, approver: { id: by, kind: "user", name }, scopes: known, shown: shown ?? {} },
  };
}

/** The columns that a change sets, and no others. */
function toAgentColumns({ approval, confirmationHash, ...change }: AgentChange): Record<string, unknown> {
  return {
    ...toRow(change),
    ...(confirmationHash !== undefined && {
      confirmation_hash: confirmationHash && Buffer.from(confirmationHash, "hex"),
    }),
    ...(approval !== undefined && approvalColumns(approval)),
  };
}

function approvalColumns(approval: GrantedApproval | null): Record<string, unknown> {
  return {
    approved_by: approval?.approver.id ?? null,
    approved_at: approval?.at ?? null,
    granted_scopes: approval?.scopes ?? null,
    granted_team_id: approval?.teamId ?? null,
    granted_projects: approval?.projects ?? null,
    granted_memories: (approval?.shown ?? null) as never,
  };
}
