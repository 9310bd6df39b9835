import type { RotateAnswer } from "../../contract/agent.ts";
import { type Caller, invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { AgentRecord, GrantedApproval } from "./agent-record.ts";
import { statusAfter, statusOf } from "./agent-status.ts";
import type { AgentTransaction } from "./agent-store.ts";
import { issueFormalToken } from "./formal-token.ts";
import { agentIdOf } from "./status.ts";

/** How long the former token stays valid, so that what is under way is not cut off. */
const OVERLAP_MS = 60_000;

/**
 * Replaces the agent's formal token. The one that asks stays valid for a minute; any older one ends at once, so that there
 * are never more than two. Where the answer is lost it may ask again within that minute, which does not grow: the token of
 * the first answer ends, unless it was used (`conflict`).
 */
export async function rotateAgentToken(
  ports: Pick<Ports, "agents" | "clock">,
  caller: Caller,
): Promise<RotateAnswer> {
  return ports.agents.transaction(async (transaction) => {
    const { agent, approval, token } = await boundAgent(ports, transaction, caller);
    const expiresAt = token.expiresAt ?? Number.POSITIVE_INFINITY;
    const until = token.isReplaced ? expiresAt : Math.min(ports.clock() + OVERLAP_MS, expiresAt);
    if (!token.isReplaced) await transaction.replaceToken(agent.id, caller.tokenId, until);
    else if (!(await transaction.endUnusedToken(agent.id)))
      throw new DomainError(
        "conflict",
        "This token has been replaced, and the new one was used: use that one.",
      );
    const { credential, secret } = await issueFormalToken(
      ports,
      transaction,
      agent,
      approval,
      caller.requestId,
    );
    await transaction.audit({
      operation: "agent_rotate",
      ownerId: caller.owner.id,
      agentId: agent.id,
      tokenId: credential.tokenId,
      requestId: caller.requestId,
    });
    return { agent_id: agent.id, token: secret, previous_token_valid_until: rfc3339(until) };
  });
}

/** The agent of a formal token, locked. `invalid_token` where either has ended since the token was checked. */
export async function boundAgent(
  ports: Pick<Ports, "clock">,
  transaction: AgentTransaction,
  caller: Caller,
): Promise<{
  agent: AgentRecord;
  approval: GrantedApproval;
  token: { expiresAt: number | null; isReplaced: boolean };
}> {
  const agent = await transaction.findForChange(agentIdOf(caller));
  const token = await transaction.validToken(caller.tokenId);
  const approval = agent?.approval ?? null;
  if (!agent || !approval || !token || statusAfter(statusOf(agent, ports.clock()), "rotate") === null)
    throw invalidToken();
  return { agent, approval, token };
}
