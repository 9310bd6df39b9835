import type { AgentStatus } from "../../contract/agent.ts";

/** What can happen to an agent. `withdraw` takes an approval back; `rotate` stands for all that only a bound one does. */
export const agentEvents = ["approve", "confirm", "withdraw", "deny", "expire", "revoke", "rotate"] as const;
export type AgentEvent = (typeof agentEvents)[number];

/**
 * What becomes of an agent. What is not here does not happen: nothing leads out of denied, expired and revoked.
 * Approving again makes a new confirmation token; confirming again answers a new formal token.
 */
const transitions: Readonly<Record<AgentStatus, Readonly<Partial<Record<AgentEvent, AgentStatus>>>>> = {
  pending: {
    approve: "awaiting_confirmation",
    deny: "denied",
    expire: "expired",
    revoke: "revoked",
  },
  awaiting_confirmation: {
    approve: "awaiting_confirmation",
    confirm: "bound",
    withdraw: "pending",
    deny: "denied",
    expire: "expired",
    revoke: "revoked",
  },
  bound: { confirm: "bound", rotate: "bound", revoke: "revoked" },
  denied: {},
  expired: {},
  revoked: {},
};

/** The status after the event, or null where it cannot happen. */
export function statusAfter(status: AgentStatus, event: AgentEvent): AgentStatus | null {
  return transitions[status][event] ?? null;
}

/** True for an agent that is neither bound nor at an end. */
export function isUnbound(status: AgentStatus): status is "pending" | "awaiting_confirmation" {
  return status === "pending" || status === "awaiting_confirmation";
}

/**
 * The status at that instant: a claim lapses and an approval that nobody confirms falls back by time alone, whether or
 * not the row has been told.
 */
export function statusOf(
  agent: {
    readonly status: AgentStatus;
    readonly expiresAt: number | null;
    readonly confirmationUntil: number | null;
  },
  now: number,
): AgentStatus {
  const { status, expiresAt, confirmationUntil } = agent;
  if (!isUnbound(status)) return status;
  if (expiresAt !== null && expiresAt <= now) return "expired";
  const hasLapsed = confirmationUntil === null || confirmationUntil <= now;
  return status === "awaiting_confirmation" && hasLapsed ? "pending" : status;
}
