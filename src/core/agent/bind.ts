import type { ConfirmAnswer } from "../../contract/agent.ts";
import { type Caller, invalidToken } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import type { UseCase } from "../use-case.ts";
import { adoptQuarantine } from "./adoption.ts";
import { type AgentRecord, type GrantedApproval, statusAfter, statusOf, WITHDRAWN } from "./agent.ts";
import type { AgentPorts, AgentTransaction } from "./agent-store.ts";
import { endAgent } from "./end-agent.ts";
import { grantedOwner, granteeOf } from "./grant.ts";
import { agentIdOf } from "./status.ts";
import { issueFormalToken } from "./tokens.ts";

type BindPorts = Pick<AgentPorts, "agents" | "clock" | "newId" | "hash">;

/** Number of wrong confirmation tokens after which the approval is withdrawn. */
const CONFIRMATION_TRIES_MAX = 5;

/** Errors are returned, not thrown, so that the counted attempts are committed. */
type Outcome = ConfirmAnswer | Rejected;

interface Rejected {
  readonly error: DomainError;
}

function conflict(message: string): Rejected {
  return { error: new DomainError("conflict", message) };
}

/**
 * The agent's side of binding. With the confirmation token, which only its user has seen, the agent is bound to that
 * user and gets its formal token, and the memories that its grant would have allowed move to the user. The same token
 * sent again within its ten minutes returns a new formal token and ends the first. Rejects with `validation_failed` for
 * a wrong token, the fifth of which withdraws the approval, and with `conflict` if the agent is not approved.
 */
export const confirmBinding: UseCase<BindPorts, "confirmBinding"> = async (ports, caller, input) => {
  const hash = ports.hash(input.confirmation_token);
  const outcome = await ports.agents.transaction(async (transaction): Promise<Outcome> => {
    const expected = await lockOwners(transaction, caller, hash);
    const agent = await findLocked(transaction, caller);
    const { approval } = agent;
    const status = statusOf(agent, ports.clock());
    if (statusAfter(status, "confirm") === null || approval === null || agent.confirmationHash === null) {
      return conflict(
        "This agent has not been approved, or its approval has expired. Ask its user to approve it at its bind_url.",
      );
    }
    if (!isEqual(hash, agent.confirmationHash)) return countTry(transaction, agent, caller);
    if (status === "bound") await transaction.revokeTokens(agent.id, ["agent_formal", "skill"]);
    else {
      const rejected = await bind(ports, transaction, { ...agent, approval }, expected, caller);
      if (rejected) return rejected;
    }
    return answerWith(ports, transaction, agent, approval, caller);
  });
  if ("error" in outcome) throw outcome.error;
  return outcome;
};

/**
 * Locks the quarantine and, only if the token is right, the owner to which its memories move, so that no one else can
 * block a user's writes. Returns that owner.
 */
async function lockOwners(
  transaction: AgentTransaction,
  caller: Caller,
  hash: string,
): Promise<string | null> {
  const seen = await transaction.find(agentIdOf(caller));
  const isRight = seen !== null && isEqual(hash, seen.confirmationHash ?? "");
  const owner = isRight && seen.approval ? grantedOwner(granteeOf(seen.id, seen.approval)) : null;
  await transaction.lockOwners([caller.owner.id, ...(owner === null ? [] : [owner])]);
  return owner;
}

/**
 * Moves the memories, and restricts the temporary token to repeating this call. Returns why it did not; null if it did.
 */
async function bind(
  ports: BindPorts,
  transaction: AgentTransaction,
  agent: AgentRecord & { readonly approval: GrantedApproval },
  expected: string | null,
  caller: Caller,
): Promise<Rejected | null> {
  const { approval, quarantineId } = agent;
  const { approver, teamId } = approval;
  if (teamId !== null && (await transaction.roleIn(teamId, approver.id)) === null) {
    await transaction.change(agent.id, WITHDRAWN);
    return conflict("The user is no longer in the team: ask to approve again.");
  }
  // The memories would no longer go to the locked owner.
  if (grantedOwner(granteeOf(agent.id, approval)) !== expected)
    return conflict("The approval has just changed: try again.");
  const { isEmpty } =
    quarantineId === null
      ? { isEmpty: true }
      : await adoptQuarantine(ports, transaction, { ...agent, approval, quarantineId }, caller);
  await transaction.change(agent.id, {
    status: "bound",
    boundAt: ports.clock(),
    // The sweep deletes the rest with the quarantine.
    ...(isEmpty ? { quarantineId: null } : {}),
    expiresAt: null,
  });
  await transaction.limitTemporaryToken(agent.id, agent.confirmationUntil as number, "confirmBinding");
  return null;
}

/** The agent refuses the binding. Its token ends at once, and its memories are deleted later. */
export const denyBinding: UseCase<BindPorts, "denyBinding"> = async (ports, caller) => {
  const agentId = agentIdOf(caller);
  await ports.agents.transaction(async (transaction) => {
    const agent = await findLocked(transaction, caller);
    await endAgent(transaction, agent, "deny", {
      now: ports.clock(),
      ownerId: caller.owner.id,
      tokenId: caller.tokenId,
      requestId: caller.requestId,
    });
  });
  return { agent_id: agentId, status: "denied" };
};

/**
 * Returns the caller's agent, locked. Rejects with `invalid_token` if the caller's token has ended since it was
 * checked.
 */
async function findLocked(transaction: AgentTransaction, caller: Caller): Promise<AgentRecord> {
  const agent = await transaction.findForChange(agentIdOf(caller));
  if (!agent || !(await transaction.validToken(caller.tokenId))) throw invalidToken();
  return agent;
}

async function countTry(transaction: AgentTransaction, agent: AgentRecord, caller: Caller): Promise<Outcome> {
  const tries = agent.confirmationTries + 1;
  const left = CONFIRMATION_TRIES_MAX - tries;
  const isBound = agent.status === "bound";
  if (left > 0) await transaction.change(agent.id, { confirmationTries: tries });
  else if (isBound) await transaction.revokeTokens(agent.id, ["agent_temporary"]);
  else await transaction.change(agent.id, WITHDRAWN);
  await transaction.audit({
    operation: "agent_confirm_refused",
    ownerId: agent.approval?.approver.id ?? caller.owner.id,
    agentId: agent.id,
    tokenId: caller.tokenId,
    requestId: caller.requestId,
    detail: { tries },
  });
  const what =
    left > 0 ? `tries left: ${left}` : isBound ? "it is of no more use" : "the approval is withdrawn";
  return {
    error: invalid(["confirmation_token"], `This is not the token that the user was shown; ${what}.`),
  };
}

async function answerWith(
  ports: BindPorts,
  transaction: AgentTransaction,
  agent: AgentRecord,
  approval: GrantedApproval,
  caller: Caller,
): Promise<ConfirmAnswer> {
  const { credential, secret } = await issueFormalToken(
    ports,
    transaction,
    agent,
    approval,
    caller.requestId,
  );
  await transaction.audit({
    operation: "agent_bind",
    ownerId: approval.approver.id,
    agentId: agent.id,
    tokenId: credential.tokenId,
    requestId: caller.requestId,
  });
  return {
    agent_id: agent.id,
    status: "bound",
    trust_level: 2,
    token: secret,
    scopes: [...credential.scopes],
    expires_at: credential.expiresAt === null ? null : new Date(credential.expiresAt).toISOString(),
  };
}

/** Compares two hashes in constant time. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < Math.min(a.length, b.length); at += 1)
    difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
