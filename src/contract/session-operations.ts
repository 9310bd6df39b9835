/**
 * Operations that only a person signed in to the admin UI can call: sessions, teams, credentials, agents, the recall
 * lab and the state of the service. They act for the session's account, and are neither in the REST API nor MCP tools.
 */
import { z } from "zod";
import { alertOperations } from "./alert-operations.ts";
import { sessionEvalOperations } from "./eval-operations.ts";
import * as lab from "./lab.ts";
import * as maintenance from "./maintenance.ts";
import type { Operation, RateCategory } from "./operation.ts";
import { projectId, publicId, text, time, uuid } from "./primitives.ts";
import { recallLogOperations } from "./recall-log-operations.ts";
import { teamRoles } from "./scope.ts";
import { sessionAccessOperations } from "./session-access-operations.ts";
import { sessionMemoryOperations } from "./session-memory-operations.ts";
import { sessionServiceOperations } from "./session-service-operations.ts";
import { subjectOperations } from "./subject-operations.ts";
import { ownerName } from "./transfer.ts";

const role = z.enum(teamRoles);
const read = { effect: "read", rate: "read" } as const;
const write = { effect: "write", rate: "write" } as const;

const membership = z.object({ team_id: uuid, name: z.string(), role });
const member = z.object({ user_id: uuid, name: z.string(), role, since: time });
const changed = z.object({ change: z.enum(["added", "changed", "removed", "unchanged"]) });

const invitation = { role, invited_at: time, expires_at: time };
const sentInvitation = z.object({ user_name: z.string(), ...invitation });
const receivedInvitation = z.object({
  team_id: uuid,
  name: z.string().meta({ description: "The team's name" }),
  invited_by: z.string().nullable().meta({ description: "A user's name; null for the operator" }),
  ...invitation,
});

/** Effect of leaving a team, as shown before the person confirms. */
const departure = {
  outcome: z.enum(["leaves", "hands_over", "closes"]).meta({
    description:
      "`leaves`: the team goes on as it is. `hands_over`: the last owner leaves, and the successor becomes owner. `closes`: the last member leaves, and the team is erased",
  }),
  successor: z
    .object({ user_id: uuid, name: z.string() })
    .nullable()
    .meta({ description: "Who becomes owner: the first by role, then by the time of joining" }),
};

const teamMember = { team_id: uuid, user_id: uuid };

/** The team's workspace. Default: the account's own. */
const ofSpace = { team_id: uuid.nullish() };

const count = z.int().min(0);
const project = z.object({
  project_id: projectId,
  memories: count.meta({ description: "Memories open to recall, not counting todos and decisions" }),
  open_todos: count,
  blocked_todos: count.meta({ description: "Those of the open todos that are blocked" }),
  proposed_decisions: count,
  last_activity_at: time,
  next_run_at: time
    .nullable()
    .meta({ description: "When the next automatic maintenance run is due; null if there is none" }),
  last_run: z.object({ run_id: uuid, status: z.enum(maintenance.runStatuses), started_at: time }).nullable(),
});

const runItem = z.object({
  action: z.enum(maintenance.maintenanceActions),
  memory_id: publicId.nullable().meta({ description: "null if it is gone, or this person may not see it" }),
  content: z
    .string()
    .nullable()
    .meta({ description: "The beginning of its current text; null if it is gone" }),
  into: publicId.nullable().meta({ description: "When merging: the memory that is kept" }),
  state: z.enum(["pending", "changed", "skipped", "failed"]),
  undo: z.enum(["pending", "changed", "skipped", "failed"]).nullable(),
  reason: z.string().meta({ description: "Why it was due, was skipped, or could not be restored" }),
});

const table = {
  session: {
    ...read,
    summary: "Who is signed in, and their role in each of their teams",
    input: z.object({}),
    output: z.object({
      email: z.string(),
      user: z.object({ id: uuid, name: z.string() }),
      session_id: z.string(),
      teams: z.array(membership),
    }),
    errors: [],
  },
  listSessions: {
    ...read,
    summary: "The account's sessions, newest first",
    input: z.object({}),
    output: z.object({
      sessions: z.array(
        z.object({ id: z.string(), is_current: z.boolean(), started_at: time, expires_at: time }),
      ),
    }),
    errors: [],
  },
  endSession: {
    ...write,
    summary: "Sign the account out in one browser",
    input: z.object({ session_id: text(1, 128) }),
    output: z.object({ ended: z.literal(true) }),
    errors: ["not_found"],
  },
  ...sessionAccessOperations,
  createTeam: {
    ...write,
    summary: "Create a team, owned by the account's user",
    input: z.object({ name: ownerName }),
    output: membership,
    errors: ["conflict", "quota_exceeded"],
  },
  listMembers: {
    ...read,
    summary:
      "The members of a team, by role, then by name, and for those who may invite its open invitations",
    input: z.object({ team_id: uuid }),
    output: z.object({ members: z.array(member), invitations: z.array(sentInvitation) }),
    errors: ["not_found"],
  },
  addMember: {
    ...write,
    summary:
      "Invite a user to a team, or renew the invitation; the user becomes a member by accepting it. The answer does not tell whether there is a user of that name",
    input: z.object({ team_id: uuid, user_name: ownerName, role }),
    output: z.object({ change: z.enum(["invited", "unchanged"]) }),
    errors: ["not_found", "role_forbidden", "conflict", "quota_exceeded"],
  },
  withdrawInvitation: {
    ...write,
    summary: "Withdraw an open invitation to a team",
    input: z.object({ team_id: uuid, user_name: ownerName }),
    output: z.object({ withdrawn: z.literal(true) }),
    errors: ["not_found", "role_forbidden"],
  },
  listInvitations: {
    ...read,
    summary: "The account's open invitations to teams, newest first",
    input: z.object({}),
    output: z.object({ invitations: z.array(receivedInvitation) }),
    errors: [],
  },
  acceptInvitation: {
    ...write,
    summary: "Join a team by accepting its invitation",
    input: z.object({ team_id: uuid }),
    output: membership,
    errors: ["not_found", "quota_exceeded"],
  },
  declineInvitation: {
    ...write,
    summary: "Decline an invitation to a team, which is not told. The team cannot ask again for two weeks",
    input: z.object({ team_id: uuid }),
    output: z.object({ declined: z.literal(true) }),
    errors: ["not_found"],
  },
  inviteMember: {
    ...write,
    summary: "Create a user as a member of a team, with an invitation to set up an account",
    input: z.object({ team_id: uuid, user_name: ownerName, role }),
    output: z.object({
      setup_code: z.string().meta({ description: "Shown only once: the account is set up at /setup?code=…" }),
      expires_at: time,
    }),
    errors: ["not_found", "role_forbidden", "conflict", "quota_exceeded"],
  },
  setMemberRole: {
    ...write,
    summary: "Change a member's role in a team",
    input: z.object({ ...teamMember, role }),
    output: changed,
    errors: ["not_found", "role_forbidden", "conflict"],
  },
  removeMember: {
    ...write,
    summary: "Remove another member from a team, or leave it while it has another owner",
    input: z.object(teamMember),
    output: changed,
    errors: ["not_found", "role_forbidden", "conflict"],
  },
  reviewLeaving: {
    ...read,
    summary: "What would happen if the account's user left a team now",
    input: z.object({ team_id: uuid }),
    output: z.object({
      ...departure,
      would_remove: z
        .record(z.string(), z.int())
        .nullable()
        .meta({ description: "If the team closes: what is erased with it, in rows by table" }),
    }),
    errors: ["not_found"],
  },
  leaveTeam: {
    effect: "destroy",
    rate: "write",
    summary: "Leave a team as reviewed; everybody can, the last owner and the last member too",
    input: z.object({
      team_id: uuid,
      outcome: departure.outcome,
      successor_id: uuid.nullish().meta({ description: "The reviewed successor, if it is handed over" }),
    }),
    output: z.object({ outcome: departure.outcome }),
    errors: ["not_found", "plan_changed"],
  },
  listProjects: {
    ...read,
    summary: "The projects of a workspace, most recently changed first",
    input: z.object(ofSpace),
    output: z.object({
      projects: z.array(project),
      truncated: z.boolean().meta({ description: "True if there are more than the 500 returned" }),
    }),
    errors: ["not_found"],
  },
  listRunItems: {
    ...read,
    summary: "What a maintenance run did to each memory, in order",
    input: z.object({ ...ofSpace, project_id: projectId, run_id: uuid }),
    output: z.object({
      items: z.array(runItem),
      truncated: z.boolean().meta({ description: "True if there are more than the 500 returned" }),
    }),
    errors: ["not_found"],
  },
  labCredentials: {
    ...read,
    summary: "The credentials that the recall lab can use: the account's own, and those of teams it manages",
    input: lab.labCredentialsRequest,
    output: lab.labCredentialsAnswer,
    errors: [],
  },
  labRecall: {
    ...read,
    summary:
      "What a credential would recall, and everything that decided it; never more than the account itself may see",
    input: lab.labRecallRequest,
    output: lab.labRecallAnswer,
    errors: ["not_found", "role_forbidden", "insufficient_scope", "knowledge_scope_required"],
    forEndUsers: true,
  },
  labWhy: {
    ...read,
    summary: "Why a credential's recall includes a memory that the account can see, or why not",
    input: lab.labWhyRequest,
    output: lab.labWhyAnswer,
    errors: ["not_found", "role_forbidden", "insufficient_scope", "knowledge_scope_required"],
    forEndUsers: true,
  },
  ...sessionEvalOperations,
  ...sessionServiceOperations,
  ...recallLogOperations,
  ...sessionMemoryOperations,
  ...subjectOperations,
  ...alertOperations,
} as const satisfies Readonly<Record<string, Described>>;

type Described = Pick<Operation, "summary" | "input" | "output" | "errors" | "effect" | "forEndUsers"> & {
  readonly rate: RateCategory;
};

type SessionOperations = {
  readonly [Name in keyof typeof table]: (typeof table)[Name] &
    Pick<Operation, "name" | "scopes" | "kinds" | "unrepeatable">;
};

const permission = { scopes: [], kinds: ["session"], unrepeatable: true } as const;

export const sessionOperations = Object.fromEntries(
  Object.entries(table).map(([name, described]) => [name, { ...described, ...permission, name }]),
) as unknown as SessionOperations;
