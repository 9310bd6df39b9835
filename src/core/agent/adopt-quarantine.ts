import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { adopted } from "./adopt.ts";
import type { AgentRecord } from "./agent-record.ts";
import type { AgentTransaction, NewPlace } from "./agent-store.ts";

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
  // A viewer adds nothing to a team, through an agent neither.
  return role === "viewer" ? own : { ...own, ownerId: teamId, scope: "team" };
}

/** Moves what the agent wrote in quarantine to its new place. After the locks of both owners. */
export async function adoptQuarantine(
  ports: Pick<Ports, "clock" | "newId" | "hash">,
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
