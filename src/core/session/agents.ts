/** Agents that a person approves, refuses and revokes, in the admin UI and on the pages without scripts. */

import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { TEXT_CHARACTERS_MAX, TEXTS_MAX } from "../../contract/session-access-operations.ts";
import type { Owner } from "../access/credential.ts";
import {
  type AgentClaims,
  type Approval,
  beginningOf,
  type Review,
  writtenGroups,
} from "../agent/agent-claims.ts";
import { notFound } from "../error.ts";

export interface AgentAccessPorts {
  readonly claims: Pick<AgentClaims, "list" | "find" | "review" | "approve" | "deny" | "revoke">;
}

const inUtc = (instant: number) => new Date(instant).toISOString();

export async function listAgents({ claims }: AgentAccessPorts, user: Owner): Promise<OutputOf<"listAgents">> {
  const agents = await claims.list(user);
  return {
    agents: agents.map((agent) => ({
      agent_id: agent.agentId,
      status: agent.status,
      trust_level: agent.status === "bound" ? 2 : 0,
      client_name: agent.clientName,
      approved_at: agent.approvedAt === null ? null : inUtc(agent.approvedAt),
      last_used_at: agent.lastUsedAt === null ? null : inUtc(agent.lastUsedAt),
      scopes: [...agent.scopes],
      team_id: agent.teamId,
      projects: agent.projects === null ? null : [...agent.projects],
    })),
  };
}

/**
 * Rejects with `not_found` if no claim has the code, and with `conflict` if another person has approved it, since then
 * only that person may read it.
 */
export async function reviewAgent(
  { claims }: AgentAccessPorts,
  user: Owner,
  input: InputOf<"reviewAgent">,
): Promise<OutputOf<"reviewAgent">> {
  const claim = await claims.find(input.code);
  if (claim === null) throw notFound("agent");
  // Reviewed as if adopted, since the person may change the choice.
  const review = await claims.review(user, input.code, approvalOf(input, false));
  return {
    agent_id: claim.agentId,
    status: claim.status,
    client_name: claim.clientName,
    client_version: claim.clientVersion,
    runtime: claim.runtime,
    entry_type: claim.entryType,
    project_id: claim.projectId,
    requested_at: inUtc(claim.requestedAt),
    expires_at: inUtc(claim.expiresAt),
    address: claim.address,
    ...written(review),
  };
}

function written({ written, digest }: Review) {
  const ordered = [...written].sort((a, b) => Number(b.moves) - Number(a.moves));
  return {
    groups: writtenGroups(written).map(({ projectId, words, moves }) => ({
      project_id: projectId,
      words,
      moves,
    })),
    texts: ordered.slice(0, TEXTS_MAX).map((one) => ({
      kind: one.kind,
      memory_type: one.memoryType,
      project_id: one.projectId,
      path: one.path,
      status: one.status,
      beginning: beginningOf(one, TEXT_CHARACTERS_MAX),
      moves: one.moves,
    })),
    texts_left_out: Math.max(0, ordered.length - TEXTS_MAX),
    seen: digest,
  };
}

export async function approveAgent(
  { claims }: AgentAccessPorts,
  user: Owner,
  input: InputOf<"approveAgent">,
): Promise<OutputOf<"approveAgent">> {
  const { code, discards, seen } = input;
  // Discarded memories need not have been shown.
  const approved = await claims.approve(user, code, approvalOf(input, discards), discards ? undefined : seen);
  return {
    agent_id: approved.agentId,
    confirmation_token: approved.confirmationToken,
    expires_at: inUtc(approved.expiresAt),
  };
}

function approvalOf(
  { scopes, team_id, projects }: Pick<InputOf<"approveAgent">, "scopes" | "team_id" | "projects">,
  discards: boolean,
): Approval {
  return { scopes, teamId: team_id ?? null, projects: projects ?? null, discards };
}

export async function denyAgent(
  { claims }: AgentAccessPorts,
  user: Owner,
  { code }: InputOf<"denyAgent">,
): Promise<OutputOf<"denyAgent">> {
  await claims.deny(user, code);
  return { denied: true };
}

export async function revokeAgent(
  { claims }: AgentAccessPorts,
  user: Owner,
  { agent_id }: InputOf<"revokeAgent">,
): Promise<OutputOf<"revokeAgent">> {
  if (!(await claims.revoke(user, agent_id))) throw notFound("agent");
  return { revoked: true };
}
