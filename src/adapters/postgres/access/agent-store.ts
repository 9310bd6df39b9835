import { createHmac, randomBytes } from "node:crypto";
import type { AgentStore } from "../../../core/agent/agent-store.ts";
import type { Sql } from "../database/client.ts";
import { retried } from "../database/retry.ts";
import { secret } from "../database/service-secret.ts";
import { agentColumns, toAgent } from "./agent-row.ts";
import { createAgentTransaction } from "./agent-transaction.ts";

const CONFIRMATION_PREFIX = "rcl_confirm_";
const CONFIRMATION_BYTES = 32;
const LISTED_MAX = 1000;

/** `onTokensEnded` is called after a transaction that has ended tokens. */
export function createAgentStore(sql: Sql, onTokensEnded: () => void): AgentStore {
  return {
    async claimSeed(agentId) {
      const key = await secret(sql, "agent-claims");
      return createHmac("sha256", key).update(agentId).digest("hex");
    },
    newConfirmationToken: () => CONFIRMATION_PREFIX + randomBytes(CONFIRMATION_BYTES).toString("base64url"),
    async find(agentId) {
      const [row] = await sql`
        select ${agentColumns(sql)} from agents a left join owners o on o.id = a.approved_by where a.id = ${agentId}`;
      return row ? toAgent(row) : null;
    },
    async findByClaim(claimHash) {
      const [row] = await sql`
        select ${agentColumns(sql)} from agents a left join owners o on o.id = a.approved_by
        where a.claim_hash = decode(${claimHash}, 'hex')`;
      return row ? toAgent(row) : null;
    },
    async list(approverId) {
      const rows = await sql`
        select ${agentColumns(sql)},
               (select max(t.last_used_at) from tokens t where t.agent_id = a.id) as last_used_at
        from agents a left join owners o on o.id = a.approved_by
        where ${approverId === null ? sql`true` : sql`a.approved_by = ${approverId}`}
        order by coalesce(a.approved_at, a.requested_at) desc, a.id desc limit ${LISTED_MAX}`;
      return rows.map((row) => ({ agent: toAgent(row), lastUsedAt: row.last_used_at as number | null }));
    },
    async tokenExpiry(tokenId) {
      const [row] = await sql`select expires_at from tokens where id = ${tokenId}`;
      return (row?.expires_at as number | null | undefined) ?? null;
    },
    async transaction(work) {
      let hasEnded = false;
      const onEnded = () => {
        hasEnded = true;
      };
      try {
        return (await retried(() => sql.begin((tx) => work(createAgentTransaction(tx, onEnded))))) as never;
      } finally {
        if (hasEnded) onTokensEnded();
      }
    },
  };
}
