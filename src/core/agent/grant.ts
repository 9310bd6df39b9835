/** Converts an approval to a caller, so that the rules of ordinary writes decide what it covers. */
import { storeMemory } from "../../contract/memory-operations.ts";
import { createDecision, createTodo } from "../../contract/project-operations.ts";
import type { TokenSpace } from "../access/credential.ts";
import { type Caller, requireOperation } from "../caller.ts";
import { DomainError } from "../error.ts";
import { requireMember } from "../memory/access.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { ownership, type Place, placeInSpace } from "../memory/place.ts";
import type { GrantedApproval } from "./agent.ts";
import type { Approval } from "./agent-claims.ts";
import type { AgentTransaction } from "./agent-store.ts";

/** Returns the token space of a formal token. */
export function grantedSpace({ teamId, projects }: Pick<Approval, "teamId" | "projects">): TokenSpace {
  return { teamId, projects, pathPrefix: null, buckets: null };
}

type Granted = Pick<GrantedApproval, "approver" | "scopes" | "teamId" | "projects">;

/** Returns the caller that the agent becomes with its formal token. */
export function granteeOf(agentId: string, granted: Granted): Caller {
  return {
    tokenId: agentId,
    limitKey: agentId,
    tokenKind: "agent_formal",
    owner: granted.approver,
    scopes: new Set(granted.scopes),
    space: grantedSpace(granted),
    onlyFor: null,
    attribution: {
      agentId,
      agentName: null,
      instanceHash: null,
      sessionId: null,
      taskId: null,
      identitySource: "token",
    },
    projectId: null,
    requestId: agentId,
  };
}

/** Returns the owner of the grantee's writes: its user, or the team to which it is confined. */
export function grantedOwner(grantee: Caller): string {
  return ownership(grantee, null, null).ownerId;
}

/** Whether the grantee may currently add to its owner's memories. In a team this depends on its user's role. */
export async function mayAdd(
  transaction: Pick<AgentTransaction, "roleIn">,
  grantee: Caller,
): Promise<boolean> {
  const roleIn = async (ownerId: string) =>
    ownerId === grantee.owner.id ? ("self" as const) : transaction.roleIn(ownerId, grantee.owner.id);
  try {
    await requireMember({ roleIn }, grantedOwner(grantee));
    return true;
  } catch (error) {
    return refused(error, false);
  }
}

const CREATES = { memory: storeMemory, todo: createTodo, decision: createDecision } as const;

/**
 * Returns the place that this memory would have if the grantee wrote it; null if it may not write it. The role is not
 * checked.
 */
export function placeGranted(
  grantee: Caller,
  { workspaceItem, projectId, path, bucket }: MemoryRecord,
): Place | null {
  try {
    requireOperation(grantee, CREATES[workspaceItem ?? "memory"]);
    return placeInSpace(grantee, { path, bucket, project_id: projectId });
  } catch (error) {
    return refused(error, null);
  }
}

/** Returns the answer if the error is a refusal; rethrows faults. */
function refused<T>(error: unknown, answer: T): T {
  if (error instanceof DomainError) return answer;
  throw error;
}
