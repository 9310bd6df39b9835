import type { SkillTokenAnswer, SkillTokenRequest } from "../../contract/agent.ts";
import type { Scope } from "../../contract/scope.ts";
import type { TokenSpace } from "../access/credential.ts";
import { type Caller, holds } from "../caller.ts";
import { invalid } from "../error.ts";
import { isBelow } from "../memory/access.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { boundAgent } from "./rotate.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Issues a token for a skill of this agent. What is not asked for is as in the token that asks;
 * `validation_failed` at the member that asks for more than that token has.
 */
export async function issueSkillToken(
  ports: Pick<Ports, "agents" | "clock">,
  caller: Caller,
  input: SkillTokenRequest,
): Promise<SkillTokenAnswer> {
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
}

function narrowedScopes(caller: Caller, asked: readonly Scope[] | null): Scope[] {
  if (asked === null) return [...caller.scopes];
  const wider = asked.findIndex((scope) => !holds(caller, scope));
  if (wider >= 0) throw invalid(["scopes", wider], "is more than the token that asks may do");
  return [...new Set(asked)];
}

/** The part of the issuer's token space that is asked for. */
export function narrowedSpace(
  issuer: TokenSpace,
  asked: Pick<SkillTokenRequest, "projects" | "path_prefix" | "buckets">,
): TokenSpace {
  const prefix = asked.path_prefix ?? null;
  if (prefix !== null && issuer.pathPrefix !== null && !isBelow(prefix, issuer.pathPrefix)) {
    throw invalid(["path_prefix"], "lies outside the path of the token that asks");
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
  if (wider >= 0) throw invalid([member, wider], "is not one that the token that asks reaches");
  return [...new Set(asked)];
}
