import type { SkillTokenRequest } from "../../contract/agent.ts";
import type { Scope } from "../../contract/scope.ts";
import type { TokenSpace } from "../access/credential.ts";
import type { ListedCredential } from "../access/credential-store.ts";
import { type Caller, holds, invalidToken } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import { isBelow } from "../memory/access.ts";
import { rfc3339 } from "../memory/present.ts";
import type { UseCase } from "../use-case.ts";
import { type AgentRecord, type GrantedApproval, statusAfter, statusOf } from "./agent.ts";
import type { AgentPorts, AgentTransaction } from "./agent-store.ts";
import { grantedSpace } from "./grant.ts";
import { agentIdOf } from "./status.ts";

/** How long the former token stays valid, so that requests in flight succeed. */
const OVERLAP_MS = 60_000;

/**
 * Replaces the agent's formal token. The caller's token stays valid for a minute; older ones end at once, so that there
 * are never more than two. If the answer was lost, the call can be repeated within that minute, which is not extended:
 * the token of the first answer ends, unless it was used (`conflict`).
 */
export const rotateAgentToken: UseCase<Pick<AgentPorts, "agents" | "clock">, "rotateAgentToken"> = async (
  ports,
  caller,
) =>
  ports.agents.transaction(async (transaction) => {
    const { agent, approval, token } = await boundAgent(ports, transaction, caller);
    const expiresAt = token.expiresAt ?? Number.POSITIVE_INFINITY;
    const until = token.isReplaced ? expiresAt : Math.min(ports.clock() + OVERLAP_MS, expiresAt);
    if (!token.isReplaced) await transaction.replaceToken(agent.id, caller.tokenId, until);
    else if (!(await transaction.endUnusedToken(agent.id)))
      throw new DomainError(
        "conflict",
        "This token has been replaced, and the new one is in use: use that one.",
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

/**
 * Returns the agent of a formal token, locked. Rejects with `invalid_token` if either has ended since the token was
 * checked.
 */
async function boundAgent(
  ports: Pick<AgentPorts, "clock">,
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

const DAY_MS = 24 * 3_600_000;

/**
 * Issues a token for a skill of this agent. Omitted members default to those of the caller's token. Rejects with
 * `validation_failed` at the member that exceeds that token.
 */
export const issueSkillToken: UseCase<Pick<AgentPorts, "agents" | "clock">, "issueSkillToken"> = async (
  ports,
  caller,
  input,
) => {
  const scopes = narrowedScopes(caller, input.scopes ?? null);
  const space = narrowedSpace(caller.space, input);
  return ports.agents.transaction(async (transaction) => {
    const { agent, token } = await boundAgent(ports, transaction, caller);
    const asked = ports.clock() + input.expires_in_days * DAY_MS;
    const expiresAt = Math.min(asked, token.expiresAt ?? asked);
    const { credential, secret } = await transaction.issue(
      {
        kind: "skill",
        ownerId: caller.owner.id,
        name: input.name ?? null,
        scopes,
        space,
        expiresAt,
        agentId: agent.id,
      },
      caller.requestId,
    );
    return {
      id: credential.tokenId,
      token: secret,
      scopes,
      projects: space.projects && [...space.projects],
      path_prefix: space.pathPrefix,
      buckets: space.buckets && [...space.buckets],
      expires_at: rfc3339(expiresAt),
    };
  });
};

/** Returns the requested scopes, by default all of the issuer. */
export function narrowedScopes(caller: Caller, asked: readonly Scope[] | null): Scope[] {
  if (asked === null) return [...caller.scopes];
  const wider = asked.findIndex((scope) => !holds(caller, scope));
  if (wider >= 0) throw invalid(["scopes", wider], "is a scope that the requesting token does not have");
  return [...new Set(asked)];
}

/** Returns the requested part of the issuer's token space. */
export function narrowedSpace(
  issuer: TokenSpace,
  asked: Pick<SkillTokenRequest, "projects" | "path_prefix" | "buckets">,
): TokenSpace {
  const prefix = asked.path_prefix ?? null;
  if (prefix !== null && issuer.pathPrefix !== null && !isBelow(prefix, issuer.pathPrefix)) {
    throw invalid(["path_prefix"], "is outside the path prefix of the requesting token");
  }
  return {
    teamId: issuer.teamId,
    projects: narrowedList("projects", issuer.projects, asked.projects ?? null),
    pathPrefix: prefix ?? issuer.pathPrefix,
    buckets: narrowedList("buckets", issuer.buckets, asked.buckets ?? null),
  };
}

function narrowedList(
  member: "projects" | "buckets",
  issuer: readonly string[] | null,
  asked: readonly string[] | null,
): readonly string[] | null {
  if (asked === null) return issuer;
  const wider = issuer === null ? -1 : asked.findIndex((name) => !issuer.includes(name));
  if (wider >= 0) throw invalid([member, wider], "is outside what the requesting token reaches");
  return [...new Set(asked)];
}

const FORMAL_TOKEN_MS = 90 * 24 * 3_600_000;

/** Issues a formal token for the user's grant. The user owns it, so that its rights follow the user's current roles. */
export async function issueFormalToken(
  { clock }: Pick<AgentPorts, "clock">,
  transaction: AgentTransaction,
  agent: AgentRecord,
  { approver, scopes, teamId, projects }: GrantedApproval,
  requestId: string,
): Promise<{ credential: ListedCredential; secret: string }> {
  return transaction.issue(
    {
      kind: "agent_formal",
      ownerId: approver.id,
      name: agent.client?.client_name ?? null,
      scopes,
      space: grantedSpace({ teamId, projects }),
      expiresAt: clock() + FORMAL_TOKEN_MS,
      agentId: agent.id,
    },
    requestId,
  );
}
