import type { DecisionStatus, ImpactLevel } from "../../contract/project.ts";
import type { Decision } from "./decision.ts";

const STATUS: Readonly<Record<DecisionStatus, number>> = { proposed: 0, resolved: 1, superseded: 2 };
const IMPACT: Readonly<Record<ImpactLevel, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

/** What the order of decisions looks at. */
export interface OrderedDecision {
  readonly state: Pick<Decision, "status" | "impactLevel" | "dueAt" | "resolvedAt">;
  readonly memory: { readonly seq: number; readonly updatedAt: number };
}

/**
 * Proposed ones by impact (none counts as medium), of equals those due first, then the older; then resolved ones, the
 * latest first; then superseded ones, the latest change first.
 */
export function decisionsInOrder<T extends OrderedDecision>(decisions: readonly T[]): T[] {
  return [...decisions].sort((a, b) => {
    const byStatus = STATUS[a.state.status] - STATUS[b.state.status];
    if (byStatus !== 0) return byStatus;
    if (a.state.status === "proposed") {
      const due = (one: T) => one.state.dueAt ?? Number.MAX_SAFE_INTEGER;
      return impact(a) - impact(b) || due(a) - due(b) || a.memory.seq - b.memory.seq;
    }
    return latest(b) - latest(a) || b.memory.seq - a.memory.seq;
  });
}

function impact({ state }: OrderedDecision): number {
  return IMPACT[state.impactLevel ?? "medium"];
}

function latest({ state, memory }: OrderedDecision): number {
  return state.status === "resolved" ? (state.resolvedAt ?? 0) : memory.updatedAt;
}
