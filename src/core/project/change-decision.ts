import type { z } from "zod";
import type { decisionMembers } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { remarksOn, type Screened, screen } from "../memory/screen.ts";
import { actorOf, namedAgent } from "./actor.ts";
import { placeItem } from "./compose.ts";
import type { Decision } from "./decision.ts";
import { type DecisionAction, nextDecision } from "./decision-status.ts";
import { lockItem } from "./find-item.ts";
import { insertDecision, supersede } from "./insert-decision.ts";
import { presentDecision } from "./present.ts";
import { recalledDecision } from "./recalled.ts";
import { changeItem, type ItemPorts } from "./write-item.ts";

interface OfDecision {
  readonly project_id: string;
  readonly decision_id: string;
  readonly if_match?: string | null | undefined;
}

/** Makes the decision. `invalid_transition` where it is made already: reopen or supersede it. */
export function resolveDecision(
  ports: ItemPorts,
  caller: Caller,
  asked: OfDecision & { resolution: string },
) {
  const screened = screen(ports.secrets, asked);
  const by = caller.attribution.agentId;
  const { resolution } = screened.input;
  return changeDecision(ports, caller, screened, { operation: "resolve", resolution, by });
}

/** Takes a resolved decision up again; what was decided stays in its audit trail. */
export function reopenDecision(ports: ItemPorts, caller: Caller, input: OfDecision) {
  return changeDecision(ports, caller, screen(ports.secrets, input), { operation: "reopen" });
}

/** One step of a decision: its state, its memory and the audit line change together, or nothing does. */
async function changeDecision(
  ports: ItemPorts,
  caller: Caller,
  { input, ...screened }: Screened<OfDecision>,
  action: DecisionAction,
) {
  return ports.store.transaction(caller, async (transaction) => {
    const { memory } = await lockItem(caller, transaction, "decision", {
      projectId: input.project_id,
      id: input.decision_id,
      ifMatch: input.if_match,
    });
    const { workspace } = transaction;
    const before = await workspace.decision(memory.id);
    const now = ports.clock();
    const state = nextDecision(before.state, action, now);
    await changeItem(ports, caller, transaction, memory, {
      operation: `decision_${action.operation}`,
      now,
      ...recalledDecision(state),
    });
    await workspace.saveDecision(memory.id, state);
    await workspace.record(memory.id, {
      at: now,
      operation: action.operation,
      from: before.state.status,
      to: state.status,
      actor: actorOf(caller),
      note: action.operation === "resolve" ? action.resolution : null,
    });
    const after = await workspace.decision(memory.id);
    return { ...presentDecision(caller, after), ...remarksOn(screened, screened.notices) };
  });
}

type SupersedeInput = OfDecision &
  z.output<z.ZodObject<typeof decisionMembers>> & { resolution_note?: string | null | undefined };

/**
 * Puts a new decision where the old one was: same owner, project, path and bucket. It is `resolved` where a resolution is
 * given, else `proposed`. Answers the old one, then the new one. `invalid_transition` where it is superseded already.
 */
export async function supersedeDecision(ports: ItemPorts, caller: Caller, asked: SupersedeInput) {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const { memory: old } = await lockItem(caller, transaction, "decision", {
      projectId: input.project_id,
      id: input.decision_id,
      ifMatch: input.if_match,
    });
    const placed = placeItem(ports, caller, "decision", {
      project_id: input.project_id,
      path: old.path,
      bucket: old.bucket,
      team_id: old.scope === "team" ? old.ownerId : null,
    });
    const { workspace } = transaction;
    const { state } = await workspace.decision(old.id);
    const decision = successor(caller, input, state, ports.clock());
    const memory = placed.saying(recalledDecision(decision));
    await supersede(ports, caller, transaction, old, memory.memoryId);
    const id = await insertDecision(ports, caller, transaction, { memory, decision, old });
    const former = presentDecision(caller, await workspace.decision(old.id));
    const latter = presentDecision(caller, await workspace.decision(id));
    return [former, { ...latter, ...remarksOn(screened, screened.notices) }];
  });
}

/** What the new decision does not say of its weight it has from the old one. */
function successor(caller: Caller, input: SupersedeInput, old: Decision, now: number): Decision {
  const resolution = input.resolution_note ?? null;
  return {
    context: input.context,
    options: input.options ?? [],
    impactLevel: input.impact_level ?? old.impactLevel,
    status: resolution === null ? "proposed" : "resolved",
    proposedBy: namedAgent(caller, input.proposed_by_agent_id),
    resolution,
    resolvedBy: resolution === null ? null : caller.attribution.agentId,
    resolvedAt: resolution === null ? null : now,
    dueAt: null,
    sourceMemoryId: null,
    extra: {},
  };
}
