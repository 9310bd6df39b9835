import type { sessionOperations } from "../../contract/session-operations.ts";
import type { Accounts } from "../access/accounts.ts";
import type { TeamStore } from "../access/team-store.ts";
import { sessionOf } from "../caller.ts";
import { notFound } from "../error.ts";
import { addEvalQuestions, listEvalSets, removeEvalQuestions } from "../evaluation/eval-sets.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import {
  eraseSubject,
  type SubjectPorts,
  stopSubjectErasure,
  subjectErasures,
} from "../subject/erase-subject.ts";
import type { UseCase } from "../use-case.ts";
import { figures } from "../watch/figures.ts";
import {
  type AgentAccessPorts,
  approveAgent,
  denyAgent,
  listAgents,
  reviewAgent,
  revokeAgent,
} from "./agents.ts";
import { type AlertPorts, alerts, setAlerts } from "./alerts.ts";
import { browsePaths, memoryFacets, restoreMemories } from "./browse.ts";
import {
  type CredentialPorts,
  createCredential,
  listCredentials,
  rateUsage,
  revokeCredential,
  rotateCredential,
} from "./credentials.ts";
import { type LabPorts, labCredentials, labRecall, labWhy } from "./lab.ts";
import { listProjects, listRunItems } from "./projects.ts";
import {
  countRecalls,
  listRecalls,
  memoryRecalls,
  type RecallLogPorts,
  recallActivity,
} from "./recall-log.ts";
import { memoryRelations } from "./relations.ts";
import {
  attention,
  type CatchUpPorts,
  catchUpIndex,
  listAudit,
  type ServiceStatePorts,
  serviceState,
} from "./service-state.ts";
import {
  acceptInvitation,
  addMember,
  createTeam,
  declineInvitation,
  inviteMember,
  leaveTeam,
  listInvitations,
  listMembers,
  removeMember,
  reviewLeaving,
  setMemberRole,
  type TeamPorts,
  withdrawInvitation,
} from "./teams.ts";

/** Ports of the session operations, in addition to `Ports`. */
export interface SessionPorts
  extends TeamPorts,
    AgentAccessPorts,
    CredentialPorts,
    CatchUpPorts,
    ServiceStatePorts,
    RecallLogPorts,
    SubjectPorts,
    AlertPorts,
    Pick<LabPorts, "managed"> {
  readonly teams: TeamStore;
  readonly accounts: Pick<Accounts, "invite" | "sessions" | "endSession">;
}

type UseCases = {
  readonly [N in keyof typeof sessionOperations]: UseCase<Ports & SessionPorts, N>;
};

/** An operation without a use case does not compile. */
export const sessionUseCases: UseCases = {
  async session({ teams }, caller) {
    const { account, id } = sessionOf(caller);
    const joined = await teams.teamsOf(caller.owner.id);
    return {
      email: account.email,
      user: { id: caller.owner.id, name: caller.owner.name },
      session_id: id,
      teams: joined.map(({ team, role }) => ({ team_id: team.id, name: team.name, role })),
    };
  },
  async listSessions({ accounts }, caller) {
    const { account, id: currentId } = sessionOf(caller);
    const sessions = await accounts.sessions(account);
    return {
      sessions: sessions.map(({ id, startedAt, expiresAt }) => ({
        id,
        is_current: id === currentId,
        started_at: rfc3339(startedAt),
        expires_at: rfc3339(expiresAt),
      })),
    };
  },
  async endSession({ accounts }, caller, { session_id }) {
    if (!(await accounts.endSession(sessionOf(caller).account, session_id))) throw notFound("session");
    return { ended: true };
  },
  listAgents,
  reviewAgent,
  approveAgent,
  denyAgent,
  revokeAgent,
  listCredentials,
  createCredential,
  rotateCredential,
  revokeCredential,
  createTeam,
  listMembers,
  addMember,
  inviteMember,
  setMemberRole,
  removeMember,
  withdrawInvitation,
  listInvitations,
  acceptInvitation,
  declineInvitation,
  reviewLeaving,
  leaveTeam,
  figures,
  alerts,
  setAlerts,
  serviceState,
  attention,
  rateUsage,
  catchUpIndex,
  listAudit,
  listRecalls,
  countRecalls,
  recallActivity,
  memoryRecalls,
  listProjects,
  listRunItems,
  browsePaths,
  memoryFacets,
  memoryRelations,
  restoreMemories,
  eraseSubject,
  subjectErasures,
  stopSubjectErasure,
  labCredentials,
  labRecall,
  labWhy,
  listEvalSets,
  addEvalQuestions,
  removeEvalQuestions,
};
