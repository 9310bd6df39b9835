import type { AgentStatus, RegistrationRequest } from "../../contract/agent.ts";
import type { Owner } from "../access/credential.ts";
import type { Approval } from "./agent-claims.ts";

export function agentIdFrom(uuid: string): string {
  return `agent_${uuid}`;
}

/** False if the text cannot be an agent's id. */
export function isAgentId(text: string): boolean {
  return /^agent_[0-9a-f-]{36}$/.test(text);
}

/** An agent as the record holds it, with instants in milliseconds since the epoch. */
export interface AgentRecord {
  readonly id: string;
  /** As stored; see `statusOf` for the status at an instant. */
  readonly status: AgentStatus;
  /** The owner of the memories that it wrote before it was bound and that did not move; null once empty or deleted. */
  readonly quarantineId: string | null;
  /** The agent's own description; null once deleted. */
  readonly client: RegistrationRequest | null;
  readonly address: string | null;
  readonly requestedAt: number;
  /** When the claim expires; null if it no longer can. */
  readonly expiresAt: number | null;
  readonly approval: GrantedApproval | null;
  readonly confirmationHash: string | null;
  readonly confirmationUntil: number | null;
  readonly confirmationTries: number;
  readonly endedAt: number | null;
  /** When it was bound. */
  readonly boundAt: number | null;
}

/** For each row, the memory's revision when it was shown to the approver. */
export type Shown = Readonly<Record<string, number>>;

/** An approval, with the approver and the time. */
export interface GrantedApproval extends Omit<Approval, "discards"> {
  readonly approver: Owner;
  readonly at: number;
  /** Memories of the quarantine that were shown and will be adopted; empty if they are discarded. */
  readonly shown: Shown;
}

export type NewAgent = Pick<AgentRecord, "id" | "requestedAt" | "expiresAt" | "address"> & {
  readonly client: RegistrationRequest;
  /** The network of the address: see `Visitor`. */
  readonly network: string | null;
  /** SHA-256 of the claim code, without its dashes. */
  readonly claimHash: string;
};

export type AgentChange = Partial<
  Pick<
    AgentRecord,
    | "status"
    | "quarantineId"
    | "expiresAt"
    | "approval"
    | "confirmationHash"
    | "confirmationUntil"
    | "confirmationTries"
    | "endedAt"
    | "boundAt"
  >
>;

/** The change that withdraws an approval and reopens the claim. */
export const WITHDRAWN: AgentChange = {
  status: "pending",
  approval: null,
  confirmationHash: null,
  confirmationUntil: null,
  confirmationTries: 0,
};

/** Returns the approval in force at an instant. An unconfirmed one ends with its confirmation token. */
export function approvalAt(agent: AgentRecord, now: number): GrantedApproval | null {
  return statusOf(agent, now) === "pending" ? null : agent.approval;
}

/** Returns enough of a name to recognise but not to learn it: the first third, at most three characters. */
export function hintOf(name: string): string {
  const letters = [...name];
  return `${letters.slice(0, Math.max(1, Math.min(3, Math.floor(letters.length / 3)))).join("")}…`;
}

/** True if the agent can still be approved. */
export function isClaimable(agent: AgentRecord, now: number): boolean {
  return isUnbound(statusOf(agent, now));
}

/**
 * Events of an agent. `withdraw` revokes an approval; `rotate` stands for everything that only a bound agent can do.
 */
export const agentEvents = ["approve", "confirm", "withdraw", "deny", "expire", "revoke", "rotate"] as const;
export type AgentEvent = (typeof agentEvents)[number];

/**
 * Transitions of an agent. All others are refused; denied, expired and revoked are final. Approving again makes a new
 * confirmation token; confirming again returns a new formal token.
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

/** Returns the status after an event; null if the event is not allowed. */
export function statusAfter(status: AgentStatus, event: AgentEvent): AgentStatus | null {
  return transitions[status][event] ?? null;
}

/** True if the agent is neither bound nor ended. */
export function isUnbound(status: AgentStatus): status is "pending" | "awaiting_confirmation" {
  return status === "pending" || status === "awaiting_confirmation";
}

/**
 * Returns the status at an instant. A claim expires and an unconfirmed approval reverts by time alone, whether or not
 * the row was updated.
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
