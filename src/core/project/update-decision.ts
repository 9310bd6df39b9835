import type { z } from "zod";
import type { decisionUpdateRequest } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { requireBucket } from "../memory/access.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import { type Correctable, corrected, differing, keptArchived } from "./correction.ts";
import type { Decision } from "./decision.ts";
import { decisionTransitions } from "./decision-status.ts";
import { lockItem } from "./find-item.ts";
import { invalidTransition } from "./invalid-transition.ts";
import { presentDecision } from "./present.ts";
import { recalledDecision } from "./recalled.ts";
import { recordUnchangedState } from "./unchanged-state.ts";
import { changeItem, type ItemPorts } from "./write-item.ts";

type UpdateInput = z.output<typeof decisionUpdateRequest> & {
  project_id: string;
  decision_id: string;
  if_match?: string | null | undefined;
};

/** What a decision says, which stays as it was when it was resolved. */
const SAID: readonly Correctable[] = ["context", "options", "impact_level", "due_at"];

/**
 * Corrects what a proposed decision says, and the metadata, source and place of any. Nothing is written where nothing
 * changes. `invalid_transition` for what a resolved or superseded one says; else as the correction of a todo.
 */
export async function updateDecision(ports: ItemPorts, caller: Caller, asked: UpdateInput) {
  const { input, ...screened } = screen(ports.secrets, asked);
  if (input.bucket) requireBucket(caller, input.bucket);
  return ports.store.transaction(caller, async (transaction) => {
    const { workspace } = transaction;
    const { memory } = await lockItem(caller, transaction, "decision", {
      projectId: input.project_id,
      id: input.decision_id,
      ifMatch: input.if_match,
    });
    const before = await workspace.decision(memory.id);
    const { common, place, notices } = corrected(caller, memory, before.state, input);
    const state: Decision = { ...before.state, ...said(before.state, input), ...common };
    const changed = [...differing(before.state, state), ...differing(memory, place)];
    requireUnresolved(before.state, changed);
    const remarks = remarksOn(screened, [...screened.notices, ...notices]);
    if (changed.length === 0) return { ...presentDecision(caller, before), ...remarks };
    const now = ports.clock();
    const change = { ...recalledDecision(state), ...place, ...keptArchived(memory) };
    await changeItem(ports, caller, transaction, memory, { operation: "decision_update", now, ...change });
    await workspace.saveDecision(memory.id, state);
    const line = { at: now, operation: "update", note: changed.join(", ") };
    await recordUnchangedState(caller, transaction, memory, line);
    return { ...presentDecision(caller, await workspace.decision(memory.id)), ...remarks };
  });
}

function said(
  { context, options, impactLevel }: Decision,
  input: UpdateInput,
): Pick<Decision, "context" | "options" | "impactLevel"> {
  const asked = input.context ?? input.content;
  if (input.content !== undefined && input.content !== asked)
    throw invalid(["content"], "must be what context says, or left out");
  return {
    context: asked ?? context,
    options: input.options === undefined ? options : (input.options ?? []),
    impactLevel: input.impact_level === undefined ? impactLevel : input.impact_level,
  };
}

function requireUnresolved({ status }: Decision, changed: readonly Correctable[]): void {
  const fixed = changed.filter((name) => SAID.includes(name));
  if (status === "proposed" || fixed.length === 0) return;
  throw invalidTransition("decision", status, `To change ${fixed.join(", ")}`, decisionTransitions[status]);
}
