import type { DecisionStatus } from "../../contract/project.ts";
import type { Decision } from "./decision.ts";
import { invalidTransition } from "./invalid-transition.ts";

/** What is done with a decision, and what it needs to know. */
export type DecisionAction =
  | {
      readonly operation: "resolve";
      readonly resolution: string;
      readonly by: string | null;
    }
  | { readonly operation: "supersede" }
  | { readonly operation: "reopen" };

export type DecisionOperation = DecisionAction["operation"];

/** Every status with every operation; null is refused. */
export const decisionTransitions: Readonly<
  Record<DecisionStatus, Readonly<Record<DecisionOperation, DecisionStatus | null>>>
> = {
  proposed: { resolve: "resolved", supersede: "superseded", reopen: null },
  resolved: { resolve: null, supersede: "superseded", reopen: "proposed" },
  superseded: { resolve: null, supersede: null, reopen: null },
};

/** The decision after the action, taken at `now`. `invalid_transition` where its status does not allow it. */
export function nextDecision(decision: Decision, action: DecisionAction, now: number): Decision {
  const row = decisionTransitions[decision.status];
  const status = row[action.operation];
  if (status === null) throw invalidTransition("decision", decision.status, action.operation, row);
  if (action.operation === "resolve") {
    const { resolution, by } = action;
    return { ...decision, status, resolution, resolvedBy: by, resolvedAt: now };
  }
  if (action.operation === "supersede") return { ...decision, status };
  return { ...decision, status, resolution: null, resolvedBy: null, resolvedAt: null };
}
