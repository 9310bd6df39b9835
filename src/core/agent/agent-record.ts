import type { AgentStatus, RegistrationRequest } from "../../contract/agent.ts";
import type { Owner } from "../access/credential.ts";
import type { Approval } from "./agent-claims.ts";
import { isUnbound, statusOf } from "./agent-status.ts";

/** The id of a new agent. */
export function agentIdFrom(uuid: string): string {
  return `agent_${uuid}`;
}

/** False for what no agent can be called. */
export function isAgentId(text: string): boolean {
  return /^agent_[0-9a-f-]{36}$/.test(text);
}

/** An agent as the record holds it, with instants in milliseconds since the epoch. */
export interface AgentRecord {
  readonly id: string;
  /** As stored; see `statusOf` for what it is at an instant. */
  readonly status: AgentStatus;
  /** The owner of what it wrote before it was bound; null once that was adopted or deleted. */
  readonly quarantineId: string | null;
  /** What it said of itself; null once deleted. */
  readonly client: RegistrationRequest | null;
  readonly address: string | null;
  readonly requestedAt: number;
  /** When the claim lapses; null once it cannot. */
  readonly expiresAt: number | null;
  readonly approval: GrantedApproval | null;
  readonly confirmationHash: string | null;
  readonly confirmationUntil: number | null;
  readonly confirmationTries: number;
  readonly endedAt: number | null;
}

/** An approval with who gave it, and when. */
export interface GrantedApproval extends Approval {
  readonly approver: Owner;
  readonly at: number;
}

export type NewAgent = Pick<AgentRecord, "id" | "requestedAt" | "expiresAt" | "address"> & {
  readonly client: RegistrationRequest;
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
  >
>;

/** What takes an approval back, so that the claim is open again. */
export const WITHDRAWN: AgentChange = {
  status: "pending",
  approval: null,
  confirmationHash: null,
  confirmationUntil: null,
  confirmationTries: 0,
};

/** The approval that stands at that instant; an unconfirmed one ends with its confirmation token. */
export function standingApproval(agent: AgentRecord, now: number): GrantedApproval | null {
  return statusOf(agent, now) === "pending" ? null : agent.approval;
}

/** Enough of a name to recognise it by, and not to learn it: the first third, three characters at most. */
export function hintOf(name: string): string {
  const letters = [...name];
  return `${letters.slice(0, Math.max(1, Math.min(3, Math.floor(letters.length / 3)))).join("")}…`;
}

/** True where it can still be approved. */
export function isClaimable(agent: AgentRecord, now: number): boolean {
  return isUnbound(statusOf(agent, now));
}
