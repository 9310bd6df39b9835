import { type Caller, invalidToken } from "../caller.ts";
import { rfc3339 } from "../memory/present.ts";
import type { UseCase } from "../use-case.ts";
import { type AgentRecord, approvalAt, hintOf, isClaimable, statusOf } from "./agent.ts";
import type { AgentPorts } from "./agent-store.ts";
import { bindUrl, claimCode } from "./claim-code.ts";

type StatusPorts = Pick<AgentPorts, "agents" | "settings" | "clock">;

/**
 * Returns the agent's status, and the bind link while it can be approved. `expires_at` is that of the caller's token.
 */
export const getAgentStatus: UseCase<StatusPorts, "getAgentStatus"> = async (ports, caller) => {
  const agent = await agentOf(ports, caller);
  const now = ports.clock();
  const expiresAt = await ports.agents.tokenExpiry(caller.tokenId);
  return {
    agent_id: agent.id,
    status: statusOf(agent, now),
    trust_level: caller.tokenKind === "agent_formal" ? 2 : 0,
    token_kind: caller.tokenKind,
    scopes: [...caller.scopes],
    owner_hint: ownerHint(agent, now),
    ...(isClaimable(agent, now) ? { bind_url: bindUrl(ports, await claimCode(ports, agent.id)) } : {}),
    expires_at: expiresAt === null ? null : rfc3339(expiresAt),
  };
};

/**
 * Returns the progress of the binding. `expires_at` is when the pending step expires: the claim, or the confirmation.
 */
export const getBindStatus: UseCase<StatusPorts, "getBindStatus"> = async (ports, caller) => {
  const agent = await agentOf(ports, caller);
  const now = ports.clock();
  const status = statusOf(agent, now);
  const approval = approvalAt(agent, now);
  const waitsUntil = status === "awaiting_confirmation" ? agent.confirmationUntil : agent.expiresAt;
  return {
    agent_id: agent.id,
    status,
    requested_at: rfc3339(agent.requestedAt),
    approved_at: approval ? rfc3339(approval.at) : null,
    expires_at: waitsUntil === null ? null : rfc3339(waitsUntil),
    owner_hint: ownerHint(agent, now),
  };
};

async function agentOf({ agents }: StatusPorts, caller: Caller): Promise<AgentRecord> {
  const agent = await agents.find(agentIdOf(caller));
  if (!agent) throw invalidToken();
  return agent;
}

/** Returns the agent to which the caller's token is bound. */
export function agentIdOf(caller: Caller): string {
  const { agentId, identitySource } = caller.attribution;
  if (agentId === null || identitySource !== "token") throw invalidToken();
  return agentId;
}

function ownerHint(agent: AgentRecord, now: number): string | null {
  const approval = approvalAt(agent, now);
  return approval ? hintOf(approval.approver.name) : null;
}
