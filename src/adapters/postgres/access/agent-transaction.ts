import { Buffer } from "node:buffer";
import { uuidv7 } from "uuidv7";
import type { Role } from "../../../core/access/team-store.ts";
import type { NewAgent } from "../../../core/agent/agent-record.ts";
import type { AgentAudit, AgentTransaction } from "../../../core/agent/agent-store.ts";
import type { TransactionSql } from "../database/client.ts";
import { takeOwnerLocks } from "../database/locks.ts";
import { columns, toRecord } from "../memory/memory-row.ts";
import { moveMemories } from "../memory/move-memories.ts";
import { agentColumns, toAgent, toAgentColumns } from "./agent-row.ts";
import { issueCredential } from "./issue-credential.ts";

/**
 * The record of agents inside one transaction. An agent's row is locked before its tokens are changed. `onEnded` is
 * called where tokens are ended or limited.
 */
export function createAgentTransaction(sql: TransactionSql, onEnded: () => void): AgentTransaction {
  return {
    lockOwners: (ownerIds) => takeOwnerLocks(sql, ownerIds),
    find: (agentId) => find(sql, agentId, false),
    findForChange: (agentId) => find(sql, agentId, true),
    register: (agent) => register(sql, agent),
    async change(agentId, change) {
      await sql`update agents set ${sql(toAgentColumns(change))} where id = ${agentId}`;
    },
    async roleIn(teamId, userId) {
      const [row] =
        await sql`select role from team_members where team_id = ${teamId} and user_id = ${userId}`;
      return (row?.role as Role | undefined) ?? null;
    },
    issue: (credential, requestId) => issueCredential(sql, credential, requestId),
    async validToken(tokenId) {
      const [row] = await sql`
        select expires_at, replaced_at from tokens
        where id = ${tokenId} and revoked_at is null and (expires_at is null or expires_at > now())`;
      if (!row) return null;
      return { expiresAt: row.expires_at as number | null, isReplaced: row.replaced_at !== null };
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
    async memoriesOf(ownerId) {
      const rows = await sql`
        select ${columns(sql)} from memories m where m.owner_id = ${ownerId} order by m.seq for update of m`;
      return rows.map(toRecord);
    },
    async takenIds(ownerId, memoryIds) {
      const rows = await sql`
        select memory_id from memories where owner_id = ${ownerId} and memory_id = any(${memoryIds as string[]})`;
      return new Set(rows.map((row) => row.memory_id as string));
    },
    move: (from, place, memories, audit) => moveMemories(sql, from, place, memories, audit),
    audit: (line) => auditAgent(sql, line),
  };
}

async function find(sql: TransactionSql, agentId: string, isLocked: boolean) {
  const [row] = await sql`
    select ${agentColumns(sql)} from agents a left join owners o on o.id = a.approved_by
    where a.id = ${agentId} ${isLocked ? sql`for update of a` : sql``}`;
  return row ? toAgent(row) : null;
}

async function register(sql: TransactionSql, agent: NewAgent): Promise<string> {
  const quarantineId = uuidv7();
  await sql`insert into owners (id, kind, name) values (${quarantineId}, 'agent', ${agent.id})`;
  const row = {
    id: agent.id,
    status: "pending",
    claim_hash: Buffer.from(agent.claimHash, "hex"),
    quarantine_id: quarantineId,
    client: agent.client as never,
    address: agent.address,
    requested_at: agent.requestedAt,
    expires_at: agent.expiresAt,
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
