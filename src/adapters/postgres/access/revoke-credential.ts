import type { TransactionSql } from "../database/client.ts";

/**
 * Revokes a token. One that an agent lives by, its formal token or the temporary one of an agent that is not bound yet,
 * is revoked with the agent and all its other tokens: nothing could use or renew them rightly any more.
 * False where there is no such token.
 */
export async function revokeCredential(sql: TransactionSql, tokenId: string): Promise<boolean> {
  const [token] = await sql`select id, agent_id from tokens where id::text = ${tokenId}`;
  if (!token) return false;
  // The agent before its tokens, as everywhere.
  if (token.agent_id !== null) await sql`select from agents where id = ${token.agent_id} for update`;
  const ended = await sql`
    update tokens set revoked_at = now() where id = ${token.id} and revoked_at is null
    returning agent_id, kind in ('agent_temporary', 'agent_formal') and only_for is null
      and (expires_at is null or expires_at > now()) as is_life_of_agent`;
  if (ended.length === 0) return true;
  await sql`
    insert into audit_log (owner_id, operation, token_id, agent_id)
    select owner_id, 'revoke_credential', id, agent_id from tokens where id = ${token.id}`;
  if (ended[0]?.is_life_of_agent) await revokeAgentOf(sql, token.agent_id as string);
  return true;
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
