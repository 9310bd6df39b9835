import type { Owner } from "../access/credential.ts";
import type { Hash } from "../environment.ts";
import { statusAt } from "../memory/supersession.ts";
import { type Judged, judge } from "./adoption.ts";
import type { AgentRecord } from "./agent.ts";
import type { Approval, Review, Written } from "./agent-claims.ts";
import type { AgentTransaction } from "./agent-store.ts";
import { granteeOf, mayAdd } from "./grant.ts";

/** Everything in the agent's quarantine, and what of it this approval would take over as of now. */
export async function judgeQuarantine(
  transaction: AgentTransaction,
  agent: AgentRecord,
  approver: Owner,
  approval: Approval,
): Promise<Judged[]> {
  if (agent.quarantineId === null) return [];
  const grantee = granteeOf(agent.id, { ...approval, approver });
  const quarantine = await transaction.quarantined(agent.quarantineId, { isLocked: false });
  const isMember = approval.discards !== true && (await mayAdd(transaction, grantee));
  return judge(quarantine, grantee, { isMember, shown: null });
}

export function reviewOf(hash: Hash, judged: readonly Judged[], now: number): Review {
  return { written: judged.map((one) => writtenOf(one, now)), digest: digestOf(hash, judged) };
}

/**
 * The same for the same memories, in the same state, that come to lie at the same owner's; empty where there are none. Who
 * has seen a review says so by its digest.
 */
export function digestOf(hash: Hash, judged: readonly Judged[]): string {
  if (judged.length === 0) return "";
  const lines = judged.map(({ quarantined: { memory }, place }) => [
    memory.id,
    memory.revision,
    place?.ownerId ?? null,
    place?.projectId ?? null,
  ]);
  return hash(JSON.stringify(lines));
}

function writtenOf({ quarantined: { memory }, place }: Judged, now: number): Written {
  return {
    kind: memory.workspaceItem ?? "memory",
    memoryType: memory.memoryType,
    projectId: memory.projectId,
    bucket: memory.bucket,
    path: memory.path,
    status: statusAt(memory, now),
    content: memory.content,
    moves: place !== null,
  };
}
