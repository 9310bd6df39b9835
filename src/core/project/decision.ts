import type { DecisionStatus, ImpactLevel } from "../../contract/project.ts";
import { invalidTransition } from "./invalid-transition.ts";

/** A decision's text and state. Instants in milliseconds since the epoch. */
export interface Decision {
  readonly context: string;
  readonly options: readonly string[];
  readonly impactLevel: ImpactLevel | null;
  readonly status: DecisionStatus;
  readonly proposedBy: string | null;
  readonly resolution: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly dueAt: number | null;
  readonly sourceMemoryId: string | null;
  /** The caller's own metadata. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export type DecisionAction =
  | {
      readonly operation: "resolve";
      readonly resolution: string;
      readonly by: string | null;
    }
  | { readonly operation: "supersede" }
  | {
      readonly operation: "reopen";
      /** True if the decision's successor is deleted. */
      readonly isSuccessorGone: boolean;
    };

type DecisionOperation = DecisionAction["operation"];

/** The status after each operation; null: not allowed. */
export const decisionTransitions: Readonly<
  Record<DecisionStatus, Readonly<Record<DecisionOperation, DecisionStatus | null>>>
> = {
  proposed: { resolve: "resolved", supersede: "superseded", reopen: null },
  resolved: { resolve: null, supersede: "superseded", reopen: "proposed" },
  superseded: { resolve: null, supersede: null, reopen: null },
};

/** The decision after the action, taken at `now`. `invalid_transition` if its status does not allow the action. */
export function nextDecision(decision: Decision, action: DecisionAction, now: number): Decision {
  const row = decisionTransitions[decision.status];
  const status = row[action.operation];
  const isFree = action.operation === "reopen" && decision.status === "superseded" && action.isSuccessorGone;
  if (isFree)
    return { ...decision, status: "proposed", resolution: null, resolvedBy: null, resolvedAt: null };
  if (status === null) throw invalidTransition("decision", decision.status, action.operation, row);
  if (action.operation === "resolve") {
    const { resolution, by } = action;
    return { ...decision, status, resolution, resolvedBy: by, resolvedAt: now };
  }
  if (action.operation === "supersede") return { ...decision, status };
  return { ...decision, status, resolution: null, resolvedBy: null, resolvedAt: null };
}

const STATUS: Readonly<Record<DecisionStatus, number>> = { proposed: 0, resolved: 1, superseded: 2 };
const IMPACT: Readonly<Record<ImpactLevel, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

/** The members that order decisions. */
export interface OrderedDecision {
  readonly state: Pick<Decision, "status" | "impactLevel" | "dueAt" | "resolvedAt">;
  readonly memory: { readonly seq: number; readonly updatedAt: number };
}

/**
 * Proposed decisions by impact (none counts as medium), then by due date, then older first; then resolved ones, the
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
