import type { z } from "zod";
import type { decisionCreateRequest } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { mayWrite, requireMember } from "../memory/access.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import { namedAgent } from "./actor.ts";
import { placeItem } from "./compose.ts";
import type { Decision } from "./decision.ts";
import { insertDecision, supersede } from "./insert-decision.ts";
import { presentDecision } from "./present.ts";
import { recalledDecision } from "./recalled.ts";
import type { ItemPorts } from "./write-item.ts";

type CreateInput = z.output<typeof decisionCreateRequest> & { project_id: string };

/**
 * Puts a decision up as `proposed`, in the place of the one it supersedes if it names one. `validation_failed` where that
 * is no decision of the workspace that the caller may change, `invalid_transition` where it is superseded already;
 * ownership and its refusals as for memories.
 */
export async function createDecision(ports: ItemPorts, caller: Caller, asked: CreateInput) {
  const { input, ...screened } = screen(ports.secrets, asked);
  const placed = placeItem(ports, caller, "decision", input);
  const decision = newDecision(caller, input, placed.extra);
  const memory = placed.saying(recalledDecision(decision));
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, memory.ownerId);
    await lockForWrite(caller, transaction, []);
    const old = input.supersedes ? await lockOld(caller, transaction, memory, input.supersedes) : null;
    if (old) await supersede(ports, caller, transaction, old, memory.memoryId);
    const id = await insertDecision(ports, caller, transaction, { memory, decision, old });
    const stored = await transaction.workspace.decision(id);
    const notices = [...screened.notices, ...placed.notices];
    return { ...presentDecision(caller, stored), ...remarksOn(screened, notices) };
  });
}

function newDecision(caller: Caller, input: CreateInput, extra: Decision["extra"]): Decision {
  return {
    context: input.context,
    options: input.options ?? [],
    impactLevel: input.impact_level ?? null,
    status: "proposed",
    proposedBy: namedAgent(caller, input.proposed_by_agent_id),
    resolution: null,
    resolvedBy: null,
    resolvedAt: null,
    dueAt: input.due_at ? Date.parse(input.due_at) : null,
    sourceMemoryId: input.source_memory_id ?? null,
    extra,
  };
}

/** The decision that is to be superseded, locked. */
async function lockOld(
  caller: Caller,
  transaction: MemoryTransaction,
  { ownerId, projectId, scope }: NewMemory,
  supersedes: string,
): Promise<MemoryRecord> {
  const seen = await transaction.findForChange(supersedes, { teamId: scope === "team" ? ownerId : null });
  const isOne =
    seen?.memory.workspaceItem === "decision" &&
    seen.memory.ownerId === ownerId &&
    seen.memory.projectId === projectId &&
    seen.memory.itemStatus !== null &&
    mayWrite(caller, seen);
  if (seen && isOne) return seen.memory;
  throw invalid(["supersedes"], "must be a decision of this workspace that this credential may change");
}
