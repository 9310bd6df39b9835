import type { Operation } from "../../contract/operation.ts";
import {
  type OperatorInput,
  type OperatorOperationName,
  type OperatorOutput,
  operatorOperations,
} from "../../contract/operator-operations.ts";
import type { Pace } from "../../recall/pace.ts";
import type { Account, Accounts } from "../access/accounts.ts";
import { requestErasure } from "../access/request-erasure.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { executePlan } from "../maintenance/run.ts";
import { removeMatching } from "../memory/delete-matching.ts";
import { listMemories } from "../memory/read.ts";
import type { Ports } from "../ports.ts";
import { searchMemories } from "../recall/search.ts";
import { validInput } from "../validation.ts";
import { figures } from "../watch/figures.ts";
import {
  type AgentAccessPorts,
  approveAgent,
  denyAgent,
  listAgents,
  reviewAgent,
  revokeAgent,
} from "./agents.ts";
import { browseLabels, browsePaths, restoreMemories } from "./browse.ts";
import { type CatchUpPorts, catchUpIndex } from "./catch-up-index.ts";
import {
  type CredentialPorts,
  createCredential,
  listCredentials,
  rateUsage,
  revokeCredential,
  rotateCredential,
} from "./credentials.ts";
import { attention, type HousePorts, listAudit, serviceState } from "./house.ts";
import { acceptInvitation, declineInvitation, listInvitations, withdrawInvitation } from "./invitations.ts";
import { type LabPorts, labCredentials, labRecall, labWhy } from "./lab.ts";
import { leaveTeam, reviewLeaving } from "./leave-team.ts";
import { listProjects, listRunItems } from "./projects.ts";
import {
  addMember,
  createTeam,
  inviteMember,
  listMembers,
  removeMember,
  setMemberRole,
  type TeamPorts,
} from "./team-members.ts";

export interface OperatorPorts
  extends Ports,
    TeamPorts,
    AgentAccessPorts,
    CredentialPorts,
    CatchUpPorts,
    HousePorts,
    LabPorts {
  readonly teams: TeamStore;
  readonly accounts: Pick<Accounts, "invite" | "sessions" | "endSession">;
}

/** The account that asks, in one of its sessions. */
export interface Operator {
  readonly account: Account;
  readonly sessionId: string;
  /** As whom the session calls the operations of the contract. */
  readonly caller: Caller;
}

/** Operations of a session besides those of the contract. */
export interface OperatorApplication {
  /** Checks the input, then runs the use case. Rejects with a `DomainError`; anything else is a fault of ours. */
  call<N extends OperatorOperationName>(
    name: N,
    operator: Operator,
    input: unknown,
    pace?: Pace,
  ): Promise<OperatorOutput<N>>;
}

export function createOperatorApplication(ports: OperatorPorts): OperatorApplication {
  return {
    async call(name, operator, input, pace = ports.pace) {
      const operation = operatorOperations[name] as unknown as Pick<Operation, "input">;
      const useCase = useCases[name] as (ports: OperatorPorts, operator: Operator, input: unknown) => unknown;
      return useCase({ ...ports, pace }, operator, validInput(operation, input ?? {})) as never;
    },
  };
}

type UseCases = {
  readonly [N in OperatorOperationName]: (
    ports: OperatorPorts,
    operator: Operator,
    input: OperatorInput<N>,
  ) => Promise<OperatorOutput<N>>;
};

const inUtc = (instant: number) => new Date(instant).toISOString();

/** An operation without a use case does not compile. */
const useCases: UseCases = {
  async session({ teams }, { account, sessionId }) {
    const joined = await teams.teamsOf(account.owner.id);
    return {
      email: account.email,
      user: { id: account.owner.id, name: account.owner.name },
      session_id: sessionId,
      teams: joined.map(({ team, role }) => ({ team_id: team.id, name: team.name, role })),
    };
  },
  async listSessions({ accounts }, { account, sessionId }) {
    const sessions = await accounts.sessions(account);
    return {
      sessions: sessions.map(({ id, startedAt, expiresAt }) => ({
        id,
        is_current: id === sessionId,
        started_at: inUtc(startedAt),
        expires_at: inUtc(expiresAt),
      })),
    };
  },
  async endSession({ accounts }, { account }, { session_id }) {
    if (!(await accounts.endSession(account, session_id))) throw notFound("session");
    return { ended: true };
  },
  listAgents: (ports, { account }) => listAgents(ports, account.owner),
  reviewAgent: (ports, { account }, input) => reviewAgent(ports, account.owner, input),
  approveAgent: (ports, { account }, input) => approveAgent(ports, account.owner, input),
  denyAgent: (ports, { account }, input) => denyAgent(ports, account.owner, input),
  revokeAgent: (ports, { account }, input) => revokeAgent(ports, account.owner, input),
  listCredentials: (ports, { account }, input) => listCredentials(ports, account.owner, input),
  createCredential,
  rotateCredential,
  revokeCredential,
  eraseOwner: (ports, { caller }, input) => requestErasure(ports, caller, input),
  createTeam: (ports, { account }, input) => createTeam(ports, account.owner, input),
  listMembers: (ports, { account }, input) => listMembers(ports, account.owner, input),
  addMember: (ports, { account }, input) => addMember(ports, account.owner, input),
  inviteMember: (ports, { account }, input) => inviteMember(ports, account.owner, input),
  setMemberRole: (ports, { account }, input) => setMemberRole(ports, account.owner, input),
  removeMember: (ports, { account }, input) => removeMember(ports, account.owner, input),
  withdrawInvitation: (ports, { account }, input) => withdrawInvitation(ports, account.owner, input),
  listInvitations: (ports, { account }) => listInvitations(ports, account.owner),
  acceptInvitation: (ports, { account }, input) => acceptInvitation(ports, account.owner, input),
  declineInvitation: (ports, { account }, input) => declineInvitation(ports, account.owner, input),
  reviewLeaving: (ports, { account }, input) => reviewLeaving(ports, account.owner, input),
  leaveTeam: (ports, { account, caller }, input) =>
    leaveTeam(ports, { user: account.owner, tokenId: caller.tokenId }, input),
  figures: (ports, { caller }, input) => figures(ports, caller, input),
  serviceState: (ports, { account }, input) => serviceState(ports, account.owner, input),
  attention: (ports, { caller }, input) => attention(ports, caller, input),
  rateUsage: (ports, { account }, input) => rateUsage(ports, account.owner, input),
  catchUpIndex: (ports, { caller }, input) => catchUpIndex(ports, caller, input),
  listAudit: (ports, { account }, input) => listAudit(ports, account.owner, input),
  listProjects: (ports, { caller }, input) => listProjects(ports, caller, input),
  listRunItems: (ports, { caller }, input) => listRunItems(ports, caller, input),
  async executePlan(ports, { caller }, input) {
    return executePlan.carryOut(ports, caller, await executePlan.begin(ports, caller, input));
  },
  listMemories: (ports, { caller }, input) => listMemories(ports, caller, input),
  searchMemories: (ports, { caller }, input) => searchMemories(ports, caller, input),
  browsePaths: (ports, { caller }, input) => browsePaths(ports, caller, input),
  browseLabels: (ports, { caller }, input) => browseLabels(ports, caller, input),
  async deleteMatching(ports, { caller }, input) {
    const { answer, memoryIds } = await removeMatching(ports, caller, input);
    return { ...answer, memory_ids: memoryIds };
  },
  restoreMemories: (ports, { caller }, input) => restoreMemories(ports, caller, input),
  labCredentials: (ports, { caller }) => labCredentials(ports, caller),
  labRecall: (ports, { caller }, input) => labRecall(ports, caller, input),
  labWhy: (ports, { caller }, input) => labWhy(ports, caller, input),
};
