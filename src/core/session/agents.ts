/** Agents that a person approves, refuses and revokes, in the admin UI and on the pages without scripts. */

import type { InputOf } from "../../contract/operations.ts";
import { TEXT_CHARACTERS_MAX, TEXTS_MAX } from "../../contract/session-access-operations.ts";
import {
  type AgentClaims,
  type Approval,
  beginningOf,
  type Review,
  writtenGroups,
} from "../agent/agent-claims.ts";
import { notFound } from "../error.ts";
import { toWire } from "../memory/member-table.ts";
import type { UseCase } from "../use-case.ts";

export interface AgentAccessPorts {
  readonly claims: Pick<AgentClaims, "list" | "find" | "review" | "approve" | "deny" | "revoke">;
}

export const listAgents: UseCase<AgentAccessPorts, "listAgents"> = async ({ claims }, { owner: user }) => {
  const agents = await claims.list(user);
  return {
    agents: agents.map((agent) => ({ ...toWire(agent), trust_level: agent.status === "bound" ? 2 : 0 })),
  };
};

/**
 * Rejects with `not_found` if no claim has the code, and with `conflict` if another person has approved it, since then
 * only that person may read it.
 */
export const reviewAgent: UseCase<AgentAccessPorts, "reviewAgent"> = async (
  { claims },
  { owner: user },
  input,
) => {
  const claim = await claims.find(input.code);
  if (claim === null) throw notFound("agent");
  // Reviewed as if adopted, since the person may change the choice.
  const review = await claims.review(user, input.code, approvalOf(input, false));
  return {
    ...toWire(claim),
    ...written(review),
  };
};

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

export const approveAgent: UseCase<AgentAccessPorts, "approveAgent"> = async (
  { claims },
  { owner: user },
  input,
) => {
  const { code, discards, seen } = input;
  // Discarded memories need not have been shown.
  return toWire(await claims.approve(user, code, approvalOf(input, discards), discards ? undefined : seen));
};

function approvalOf(
  { scopes, team_id, projects }: Pick<InputOf<"approveAgent">, "scopes" | "team_id" | "projects">,
  discards: boolean,
): Approval {
  return { scopes, teamId: team_id ?? null, projects: projects ?? null, discards };
}

export const denyAgent: UseCase<AgentAccessPorts, "denyAgent"> = async (
  { claims },
  { owner: user },
  { code },
) => {
  await claims.deny(user, code);
  return { denied: true };
};

export const revokeAgent: UseCase<AgentAccessPorts, "revokeAgent"> = async (
  { claims },
  { owner: user },
  { agent_id },
) => {
  if (!(await claims.revoke(user, agent_id))) throw notFound("agent");
  return { revoked: true };
};
