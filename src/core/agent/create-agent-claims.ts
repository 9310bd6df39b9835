import { PROJECT_ID_RULE, projectId, uuid } from "../../contract/primitives.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Owner } from "../access/credential.ts";
import type { Hash } from "../environment.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { statusAt } from "../memory/supersession.ts";
import { type JudgedMemory, judge, shownNow } from "./adoption.ts";
import {
  type AgentRecord,
  approvalAt,
  isAgentId,
  isClaimable,
  isUnbound,
  statusAfter,
  statusOf,
} from "./agent.ts";
import type { AgentClaims, Approval, Claim, ListedAgent, Review, WrittenText } from "./agent-claims.ts";
import type { AgentPorts, AgentTransaction } from "./agent-store.ts";
import { claimHash } from "./claim-code.ts";
import { endAgent } from "./end-agent.ts";
import { granteeOf, mayAdd } from "./grant.ts";

type ClaimPorts = Pick<AgentPorts, "agents" | "clock" | "hash">;

/** How long the agent has to present the confirmation token. */
const CONFIRMATION_MS = 10 * 60_000;
/** Scopes that a viewer of a team may grant to an agent there. */
const READ_SCOPES: readonly Scope[] = ["memory:read", "knowledge:read"];

/** Creates the person's side of binding an agent. */
export function createAgentClaims(ports: ClaimPorts): AgentClaims {
  return {
    async find(code) {
      const agent = await findByCode(ports, code);
      return agent && toClaim(agent, ports.clock());
    },
    review: (approver, code, approval) => review(ports, approver, code, approval),
    approve: (approver, code, approval, seen) => approve(ports, approver, code, approval, seen),
    deny: (approver, code) => deny(ports, approver, code),
    async list(approver) {
      const now = ports.clock();
      const listed = await ports.agents.list(approver?.id ?? null);
      return listed
        .filter(({ agent }) => approver === null || approvalAt(agent, now) !== null)
        .map(({ agent, lastUsedAt }) => toListed(agent, lastUsedAt, now));
    },
    revoke: (approver, agentId) => revoke(ports, approver, agentId),
  };
}

async function review(ports: ClaimPorts, approver: Owner, code: string, approval: Approval): Promise<Review> {
  const claimed = await requireClaim(ports, code);
  return ports.agents.transaction(async (transaction) => {
    const now = ports.clock();
    const agent = requireOpen(await transaction.find(claimed.id), approver, now);
    return reviewOf(ports.hash, await judgeQuarantine(transaction, agent, approver, approval), now);
  });
}

async function approve(
  ports: ClaimPorts,
  approver: Owner,
  code: string,
  approval: Approval,
  seen: string | undefined,
) {
  requireSensible(approver, approval);
  const claimed = await requireClaim(ports, code);
  return ports.agents.transaction(async (transaction) => {
    await requireRole(transaction, approver, approval);
    // Blocks the agent's writes, so that the review is consistent.
    if (claimed.quarantineId !== null) await transaction.lockOwners([claimed.quarantineId]);
    const now = ports.clock();
    const agent = requireOpen(await transaction.findForChange(claimed.id), approver, now);
    const next = statusAfter(statusOf(agent, now), "approve");
    if (next === null) throw notFound("claim");
    const judged = await judgeQuarantine(transaction, agent, approver, approval);
    if (seen !== undefined && seen !== digestOf(ports.hash, judged)) {
      throw new DomainError(
        "precondition_failed",
        "What the agent has written, or what of it would move, has changed since it was shown: look at it again.",
      );
    }
    const { discards = false, scopes, teamId, projects } = approval;
    const shown = discards ? {} : shownNow(judged.map(({ quarantined }) => quarantined));
    const confirmationToken = ports.agents.newConfirmationToken();
    const until = now + CONFIRMATION_MS;
    // Extends a claim that is approved in its last minutes, so that it can still be confirmed.
    const expiresAt = Math.max(agent.expiresAt ?? until, until);
    await transaction.change(agent.id, {
      status: next,
      approval: { scopes, teamId, projects, approver, at: now, shown },
      confirmationHash: ports.hash(confirmationToken),
      confirmationUntil: until,
      confirmationTries: 0,
      expiresAt,
    });
    await transaction.limitTemporaryToken(agent.id, expiresAt);
    await transaction.audit({ operation: "agent_approve", ownerId: approver.id, agentId: agent.id });
    return { agentId: agent.id, confirmationToken, expiresAt: until };
  });
}

async function deny(ports: ClaimPorts, approver: Owner, code: string): Promise<void> {
  const claimed = await requireClaim(ports, code);
  await ports.agents.transaction(async (transaction) => {
    const now = ports.clock();
    const agent = requireOpen(await transaction.findForChange(claimed.id), approver, now);
    await endAgent(transaction, agent, "deny", { now, ownerId: approver.id });
  });
}

async function revoke(ports: ClaimPorts, approver: Owner | null, agentId: string): Promise<boolean> {
  if (!isAgentId(agentId)) return false;
  return ports.agents.transaction(async (transaction) => {
    const now = ports.clock();
    const agent = await transaction.findForChange(agentId);
    if (!agent) return false;
    const approval = approvalAt(agent, now);
    if (approver !== null && approval?.approver.id !== approver.id) return false;
    // Revoking an ended agent is a no-op.
    if (statusAfter(statusOf(agent, now), "revoke") === null) return true;
    const ownerId = approval?.approver.id ?? agent.quarantineId ?? agent.approval?.approver.id;
    if (ownerId) await endAgent(transaction, agent, "revoke", { now, ownerId });
    return true;
  });
}

async function findByCode(ports: ClaimPorts, code: string): Promise<AgentRecord | null> {
  const hash = claimHash(ports, code);
  return hash === null ? null : ports.agents.findByClaim(hash);
}

async function requireClaim(ports: ClaimPorts, code: string): Promise<AgentRecord> {
  const agent = await findByCode(ports, code);
  if (!agent || !isClaimable(agent, ports.clock())) throw notFound("claim");
  return agent;
}

/** Returns the locked agent if its claim is open to this person. */
function requireOpen(agent: AgentRecord | null, person: Owner, now: number): AgentRecord {
  if (!agent || !isClaimable(agent, now)) throw notFound("claim");
  const approval = approvalAt(agent, now);
  if (approval && approval.approver.id !== person.id) {
    throw new DomainError(
      "conflict",
      "Another user has approved this agent. If it is yours, let it register again.",
    );
  }
  return agent;
}

function requireSensible(approver: Owner, { scopes, projects }: Approval): void {
  if (approver.kind !== "user")
    throw new DomainError("role_forbidden", "Only a user can bind an agent, not a team.");
  if (scopes.length === 0) throw invalid(["scopes"], "must name at least one scope");
  if (projects?.length === 0) {
    throw invalid(["projects"], "must name at least one project, or be left out");
  }
  const wrong = projects?.findIndex((project) => !projectId.safeParse(project).success) ?? -1;
  if (wrong >= 0) throw invalid(["projects", wrong], PROJECT_ID_RULE);
}

/** Requires that the person's current role in the team covers the approval. */
async function requireRole(
  transaction: AgentTransaction,
  approver: Owner,
  { teamId, scopes }: Approval,
): Promise<void> {
  if (teamId === null) return;
  if (!uuid.safeParse(teamId).success) throw notFound("team");
  const role = await transaction.roleIn(teamId, approver.id);
  if (role === null) throw notFound("team");
  if (role === "viewer" && !scopes.every((scope) => READ_SCOPES.includes(scope))) {
    throw new DomainError("role_forbidden", "A viewer of the team can let an agent read, not write.");
  }
}

function toClaim(agent: AgentRecord, now: number): Claim | null {
  const status = statusOf(agent, now);
  const { client } = agent;
  if (!isUnbound(status) || client === null) return null;
  return {
    agentId: agent.id,
    status,
    clientName: client.client_name,
    clientVersion: client.client_version ?? null,
    runtime: client.runtime ?? null,
    entryType: client.entry_type,
    projectId: client.project_id ?? null,
    requestedAt: agent.requestedAt,
    expiresAt: agent.expiresAt as number,
    address: agent.address,
  };
}

function toListed(agent: AgentRecord, lastUsedAt: number | null, now: number): ListedAgent {
  const approval = approvalAt(agent, now);
  return {
    agentId: agent.id,
    status: statusOf(agent, now),
    clientName: agent.client?.client_name ?? "",
    approvedAt: approval?.at ?? null,
    lastUsedAt,
    scopes: approval?.scopes ?? [],
    teamId: approval?.teamId ?? null,
    projects: approval?.projects ?? null,
  };
}

/** Returns everything in the agent's quarantine, and what this approval would adopt now. */
export async function judgeQuarantine(
  transaction: AgentTransaction,
  agent: AgentRecord,
  approver: Owner,
  approval: Approval,
): Promise<JudgedMemory[]> {
  if (agent.quarantineId === null) return [];
  const grantee = granteeOf(agent.id, { ...approval, approver });
  const quarantine = await transaction.quarantined(agent.quarantineId, { isLocked: false });
  const isMember = approval.discards !== true && (await mayAdd(transaction, grantee));
  return judge(quarantine, grantee, { isMember, shown: null });
}

export function reviewOf(hash: Hash, judged: readonly JudgedMemory[], now: number): Review {
  return { written: judged.map((one) => writtenOf(one, now)), digest: digestOf(hash, judged) };
}

/**
 * Digest of a review: it depends on the memories, their states and their new owner; empty if there are none. An
 * approval refers to the review that the person has seen by this digest.
 */
export function digestOf(hash: Hash, judged: readonly JudgedMemory[]): string {
  if (judged.length === 0) return "";
  const lines = judged.map(({ quarantined: { memory }, place }) => [
    memory.id,
    memory.revision,
    place?.ownerId ?? null,
    place?.projectId ?? null,
  ]);
  return hash(JSON.stringify(lines));
}

function writtenOf({ quarantined: { memory }, place }: JudgedMemory, now: number): WrittenText {
  return {
    kind: memory.workspaceItem ?? "memory",
    memoryType: memory.memoryType,
    projectId: memory.projectId,
    bucket: memory.bucket,
    path: memory.path,
    status: statusAt(memory, now),
    content: memory.content,
    moves: place !== null,
  };
}
