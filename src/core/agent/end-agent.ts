import { DomainError } from "../error.ts";
import { type AgentRecord, statusAfter, statusOf } from "./agent.ts";
import type { AgentTransaction } from "./agent-store.ts";

const OPERATION = { deny: "agent_deny", revoke: "agent_revoke" } as const;

/**
 * Denies or revokes a locked agent. All its tokens end at once, and the sweep later deletes what is left in its
 * quarantine. Rejects with `conflict` if its status does not allow it.
 */
export async function endAgent(
  transaction: AgentTransaction,
  agent: AgentRecord,
  event: "deny" | "revoke",
  by: { now: number; ownerId: string; tokenId?: string; requestId?: string },
): Promise<void> {
  const status = statusOf(agent, by.now);
  const next = statusAfter(status, event);
  if (next === null) throw new DomainError("conflict", `The agent is ${status}.`);
  // An approval that has already lapsed no longer counts.
  const approval = status === "pending" ? null : agent.approval;
  await transaction.change(agent.id, { status: next, approval, endedAt: by.now, confirmationHash: null });
  await transaction.revokeTokens(agent.id, ["agent_temporary", "agent_formal", "skill"]);
  const { ownerId, tokenId, requestId } = by;
  await transaction.audit({
    operation: OPERATION[event],
    ownerId,
    agentId: agent.id,
    tokenId: tokenId ?? null,
    requestId: requestId ?? null,
  });
}
