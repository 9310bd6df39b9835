import type { Caller } from "../caller.ts";
import type { Hash, IdSource } from "../environment.ts";
import { dedupeHash, formerCreateHash } from "../memory/identity.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import { withServiceMembers } from "../memory/service-members.ts";
import type { AgentRecord } from "./agent.ts";
import type { AgentPorts, AgentTransaction, Moved, NewPlace } from "./agent-store.ts";

/**
 * Where the memories of an approved agent go: to the team it was approved for, where its user may write there as of
 * now, else to the user. null where nobody has approved it, and where the user has left the team.
 */
export async function placeFor(
  transaction: AgentTransaction,
  agent: AgentRecord | null,
): Promise<NewPlace | null> {
  if (!agent?.approval) return null;
  const { approver, teamId, projects } = agent.approval;
  const projectId = projects?.length === 1 ? (projects[0] as string) : null;
  const own = { ownerId: approver.id, scope: "private", authorId: approver.id, projectId } as const;
  if (teamId === null) return own;
  const role = await transaction.roleIn(teamId, approver.id);
  if (role === null) return null;
  // A viewer adds nothing to a team, nor does its agent.
  return role === "viewer" ? own : { ...own, ownerId: teamId, scope: "team" };
}

/** Moves what the agent wrote in quarantine to its new place. After the locks of both owners. */
export async function adoptQuarantine(
  ports: Pick<AgentPorts, "clock" | "newId" | "hash">,
  transaction: AgentTransaction,
  agent: AgentRecord,
  place: NewPlace,
  caller: Caller,
): Promise<void> {
  if (agent.quarantineId === null) return;
  const memories = await transaction.memoriesOf(agent.quarantineId);
  if (memories.length === 0) return;
  const ids = memories.map((memory) => memory.memoryId);
  const taken = await transaction.takenIds(place.ownerId, ids);
  const adoption = { agentId: agent.id, at: ports.clock() };
  await transaction.move(agent.quarantineId, place, adopted(ports, memories, place, adoption, taken), {
    operation: "adopt",
    ownerId: place.ownerId,
    agentId: agent.id,
    tokenId: caller.tokenId,
    requestId: caller.requestId,
  });
}

/** What says that a memory was an agent's before it was its user's. */
export interface Adoption {
  readonly agentId: string;
  readonly at: number;
}

/**
 * The memories of a quarantine as they are after their move: superseding nothing and equal to nothing that is there.
 * A public id that the new owner has already gives way to another; what referred to it follows.
 */
export function adopted(
  ports: { hash: Hash; newId: IdSource },
  memories: readonly MemoryRecord[],
  place: NewPlace,
  adoption: Adoption,
  taken: ReadonlySet<string>,
): Moved[] {
  const renamed = renames(ports.newId, memories, taken);
  return memories.map((memory) => {
    const projectId = memory.projectId ?? place.projectId;
    const moved = {
      ...memory,
      projectId,
      scope: place.scope,
      memoryId: renamed.get(memory.memoryId) ?? memory.memoryId,
      supersededBy: memory.supersededBy && (renamed.get(memory.supersededBy) ?? memory.supersededBy),
      provenance: provenanceOf(memory, projectId, renamed, adoption),
    };
    return { ...moved, ...hashesOf(ports.hash, memory, moved) };
  });
}

/** By public id that is taken, the one that replaces it: the internal id, unless somebody has that as a public one. */
function renames(newId: IdSource, memories: readonly MemoryRecord[], taken: ReadonlySet<string>) {
  const used = new Set([...taken, ...memories.map((memory) => memory.memoryId)]);
  const renamed = new Map<string, string>();
  for (const memory of memories) {
    if (!taken.has(memory.memoryId)) continue;
    const memoryId = used.has(memory.id) ? newId() : memory.id;
    used.add(memoryId);
    renamed.set(memory.memoryId, memoryId);
  }
  return renamed;
}

function provenanceOf(
  memory: MemoryRecord,
  projectId: string | null,
  renamed: ReadonlyMap<string, string>,
  { agentId, at }: Adoption,
) {
  const earlier = renamed.has(memory.memoryId) ? { memory_id: memory.memoryId } : {};
  return withServiceMembers("provenance", memory.provenance, {
    ...(projectId === null ? {} : { project_id: projectId }),
    adopted_from: { agent_id: agentId, at: rfc3339(at), ...earlier },
  });
}

/** The hashes at the new place. That of the create request does not depend on it, unless it is a former one. */
function hashesOf(hash: Hash, before: MemoryRecord, after: MemoryRecord) {
  const isFormer = before.createHash !== null && formerCreateHash(hash, before) === before.createHash;
  // A soft-deleted memory comes back with the status it had, and so does one whose successor expires.
  const status = before.supersededStatus ?? before.restoreStatus ?? before.status;
  return {
    createHash: isFormer ? formerCreateHash(hash, after) : before.createHash,
    dedupeHash: before.dedupeHash === null ? null : dedupeHash(hash, { ...after, status }),
  };
}
