import type { ImpactLevel } from "../../../contract/project.ts";
import { dayOf, idWords } from "../../context/render.ts";
import { freshness } from "../../context/value.ts";
import { decisionsInOrder, type OrderedDecision } from "../decision-order.ts";
import type { StoredDecision } from "../workspace-store.ts";
import {
  authorWords,
  type Describing,
  describedOf,
  joined,
  sourceOf,
  subjectOfItem,
  timeOrNull,
} from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";

const IMPACT: Readonly<Record<ImpactLevel, number>> = { low: 0, medium: 1 / 3, high: 2 / 3, critical: 1 };
/** What is still to be decided holds people up; what was decided binds them, and less with time. */
const WORTH = { proposed: { least: 0.7, most: 1 }, resolved: { least: 0.55, most: 0.85 } } as const;

/** Whether it should have been made by now. */
export function isOverdue({ state }: Pick<StoredDecision, "state">, now: number): boolean {
  return state.status === "proposed" && state.dueAt !== null && state.dueAt <= now;
}

/** Decisions in the order of their list. */
export function decisionEntries(
  describing: Describing,
  decisions: readonly StoredDecision[],
): EntryOf<"decisions">[] {
  const ordered = decisionsInOrder(decisions);
  const worths = decisionWorths(ordered, describing.now);
  return ordered.map((decision, at) => ({
    id: blockOf("decisions", decision.memory.id),
    domain: "decisions",
    item: decision.memory.memoryId,
    home: null,
    isReference: false,
    value: worths[at] as number,
    content: wordsOf(decision),
    label: (detail) => labelOf(decision, describing, detail),
    // Of a long one what was decided tells more than what led to it.
    score: (sentence) => (/^(Resolution|Options): /.test(sentence) ? 1 : 0),
    answer: (shown) => ({ ...answerOf(decision, describing), ...shown }),
  }));
}

/** What decisions in the order of their list are worth. Those to be made have places of their own, and so have those made. */
export function decisionWorths(ordered: readonly OrderedDecision[], now: number): number[] {
  const open = ordered.filter(({ state }) => state.status === "proposed").length;
  return ordered.map((decision, at) => worth(worthOf(decision, now), at < open ? at : at - open));
}

function worthOf({ state }: Pick<OrderedDecision, "state">, now: number): number {
  const { least, most } = state.status === "proposed" ? WORTH.proposed : WORTH.resolved;
  const weight = least + (most - least) * IMPACT[state.impactLevel ?? "medium"];
  return state.status === "proposed"
    ? weight
    : weight * freshness(now - (state.resolvedAt ?? now), "decision");
}

function wordsOf({ state: { context, resolution, options } }: StoredDecision): string {
  return [
    context,
    ...(resolution === null ? [] : [`Resolution: ${resolution}`]),
    ...(options.length === 0 ? [] : [`Options: ${options.join("; ")}`]),
  ].join("\n");
}

function labelOf(decision: StoredDecision, describing: Describing, detail: string): string {
  const { memory, state } = decision;
  const kind = ["decision", state.status, isOverdue(decision, describing.now) && "overdue"];
  if (detail === "bare") return joined(kind);
  return joined([
    ...kind,
    state.impactLevel !== null && `${state.impactLevel} impact`,
    state.resolvedAt !== null && `resolved ${dayOf(state.resolvedAt)}`,
    state.status === "proposed" && state.dueAt !== null && `due ${dayOf(state.dueAt)}`,
    ...(detail === "full" ? authorWords(describing, subjectOfItem(decision)) : []),
    idWords(memory.memoryId),
  ]);
}

function answerOf(decision: StoredDecision, describing: Describing) {
  const { state, supersedes } = decision;
  return {
    ...describedOf(describing, subjectOfItem(decision)),
    status: state.status,
    impact_level: state.impactLevel,
    proposed_by_agent_id: state.proposedBy,
    resolved_by_agent_id: state.resolvedBy,
    resolved_at: timeOrNull(state.resolvedAt),
    supersedes,
    due_at: timeOrNull(state.dueAt),
    overdue: isOverdue(decision, describing.now),
    ...sourceOf(decision),
  };
}
