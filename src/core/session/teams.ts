/**
 * Membership changes by a person in a browser, with their authorization. The operator's command line is unrestricted.
 */

import type { Accounts } from "../access/accounts.ts";
import type { Owner } from "../access/credential.ts";
import type { ErasureStore } from "../access/erasure.ts";
import type { Departure, Member, Role, SentInvitation, TeamStore } from "../access/team-store.ts";
import { DomainError, notFound } from "../error.ts";
import { rfc3339 } from "../memory/present.ts";
import type { UseCase } from "../use-case.ts";

export interface TeamPorts {
  readonly teams: TeamStore;
  readonly accounts: Pick<Accounts, "invite">;
}

/** Creates a team. Rejects with `conflict` if the name is taken, by whatever owner. */
export const createTeam: UseCase<TeamPorts, "createTeam"> = async ({ teams }, { owner: user }, { name }) => {
  if (await teams.find(name)) throw nameIsTaken("team");
  const { team, isNew } = await teams.create(name, user, { isBounded: true });
  if (!isNew) throw nameIsTaken("team");
  return { team_id: team.id, name: team.name, role: "owner" };
};

/** Every member sees the other members. Those who may invite also see open invitations. */
export const listMembers: UseCase<TeamPorts, "listMembers"> = async (
  { teams },
  { owner: user },
  { team_id },
) => {
  const role = await roleOf(teams, user, team_id);
  const [members, invitations] = await Promise.all([
    teams.members(team_id),
    manages(role) ? teams.invitationsOf(team_id) : [],
  ]);
  return {
    invitations: invitations.map((invitation) => ({
      user_name: invitation.userName,
      ...invitationMembers(invitation),
    })),
    members: members.map(({ user: { id, name }, role, since }) => ({
      user_id: id,
      name,
      role,
      since: rfc3339(since),
    })),
  };
};

/**
 * Invites a user by name; nothing changes for the user until they accept. Neither the answer nor the effect depends on
 * whether a user with that name exists.
 */
export const addMember: UseCase<TeamPorts, "addMember"> = async (
  { teams },
  { owner: user },
  { team_id, user_name, role },
) => {
  await requireManager(teams, user, team_id, [role]);
  const known = await teams.invite(team_id, { userName: user_name, role, invitedBy: user.id });
  if (known !== null && known !== role)
    throw new DomainError("conflict", `This user is already in the team, with the role ${known}.`);
  return { change: known === null ? "invited" : "unchanged" };
};

/**
 * Creates a user with an invitation to set up its account. Only for a new name: such an invitation gives access to the
 * user's memories, which a team must not give away for an existing user.
 */
export const inviteMember: UseCase<TeamPorts, "inviteMember"> = async (
  { teams, accounts },
  { owner: user },
  { team_id, user_name, role },
) => {
  await requireManager(teams, user, team_id, [role]);
  const invited = await teams.newMember(team_id, { userName: user_name, role });
  if (!invited) throw nameIsTaken("user");
  const { secret, expiresAt } = await accounts.invite(invited);
  return { setup_code: secret, expires_at: rfc3339(expiresAt) };
};

export const setMemberRole: UseCase<TeamPorts, "setMemberRole"> = async (
  { teams },
  { owner: user },
  { team_id, user_id, role },
) => {
  const members = await membersSeen(teams, user, team_id);
  const member = memberIn(members, user_id);
  await requireManager(teams, user, team_id, [member.role, role]);
  return { change: await teams.setRole(team_id, user_id, role) };
};

export const removeMember: UseCase<TeamPorts, "removeMember"> = async (
  { teams },
  { owner: user },
  { team_id, user_id },
) => {
  const members = await membersSeen(teams, user, team_id);
  const member = memberIn(members, user_id);
  if (user_id === user.id) await requireUnneeded(teams, user, team_id);
  else await requireManager(teams, user, team_id, [member.role]);
  return { change: (await teams.remove(team_id, user_id)) ? "removed" : "unchanged" };
};

/** Rejects with `conflict` if leaving would have further effects, which the person must review first. */
async function requireUnneeded(teams: TeamStore, user: Owner, teamId: string): Promise<void> {
  const departure = await teams.departure(teamId, user.id);
  if (departure === null || departure.outcome === "leaves") return;
  throw new DomainError(
    "conflict",
    departure.outcome === "closes"
      ? "You are the last member: leaving closes the team and erases what it holds. Confirm that with leaveTeam."
      : "You are the last owner: leaving makes another member the owner. Confirm that with leaveTeam.",
  );
}

async function membersSeen(teams: TeamStore, user: Owner, teamId: string): Promise<Member[]> {
  await roleOf(teams, user, teamId);
  return teams.members(teamId);
}

function memberIn(members: readonly Member[], userId: string): Member {
  const member = members.find(({ user }) => user.id === userId);
  if (!member) throw new DomainError("not_found", "This user is not in the team.");
  return member;
}

/** Returns the user's current role. Rejects with `not_found` if the user is not a member or the team does not exist. */
export async function roleOf(teams: Pick<TeamStore, "teamsOf">, user: Owner, teamId: string): Promise<Role> {
  const joined = await teams.teamsOf(user.id);
  const membership = joined.find(({ team }) => team.id === teamId);
  if (!membership) throw notFound("team");
  return membership.role;
}

/** Members that both sides of an invitation see. */
export function invitationMembers({ role, invitedAt, expiresAt }: Omit<SentInvitation, "userName">) {
  return { role, invited_at: rfc3339(invitedAt), expires_at: rfc3339(expiresAt) };
}

export function manages(role: Role): boolean {
  return role === "owner" || role === "admin";
}

/** Requires an admin or owner, and returns the role. `deed` names the action in the error message. */
export async function requireAdmin(
  teams: Pick<TeamStore, "teamsOf">,
  user: Owner,
  teamId: string,
  deed: string,
): Promise<Role> {
  const role = await roleOf(teams, user, teamId);
  if (manages(role)) return role;
  throw new DomainError("role_forbidden", `Your role in the team, ${role}, does not let you ${deed}.`);
}

/** Requires a role that may manage members: admins and owners; for owners and promotions to owner, only owners. */
export async function requireManager(
  teams: TeamStore,
  user: Owner,
  teamId: string,
  concerned: readonly Role[],
): Promise<void> {
  const role = await requireAdmin(teams, user, teamId, "change its members");
  if (role === "admin" && concerned.includes("owner"))
    throw new DomainError(
      "role_forbidden",
      "Your role in the team, admin, does not let you change its owners.",
    );
}

function nameIsTaken(what: "team" | "user"): DomainError {
  return new DomainError("conflict", `There is already a ${what} with that name. Choose another name.`);
}

/** Invitations to teams: accepting and declining in a browser, and withdrawing by the team. */
export const listInvitations: UseCase<Pick<TeamPorts, "teams">, "listInvitations"> = async (
  { teams },
  { owner: user },
) => {
  const invitations = await teams.invitationsFor(user.id);
  return {
    invitations: invitations.map((invitation) => ({
      team_id: invitation.team.id,
      name: invitation.team.name,
      invited_by: invitation.invitedBy,
      ...invitationMembers(invitation),
    })),
  };
};

export const acceptInvitation: UseCase<Pick<TeamPorts, "teams">, "acceptInvitation"> = async (
  { teams },
  { owner: user },
  { team_id },
) => {
  const joined = await teams.accept(team_id, user.id);
  if (joined === null) throw noInvitation();
  return { team_id, name: joined.team.name, role: joined.role };
};

export const declineInvitation: UseCase<Pick<TeamPorts, "teams">, "declineInvitation"> = async (
  { teams },
  { owner: user },
  { team_id },
) => {
  if (!(await teams.decline(team_id, user.id))) throw noInvitation();
  return { declined: true };
};

export const withdrawInvitation: UseCase<Pick<TeamPorts, "teams">, "withdrawInvitation"> = async (
  { teams },
  { owner: user },
  { team_id, user_name },
) => {
  await requireManager(teams, user, team_id, []);
  if (!(await teams.withdraw(team_id, user_name))) throw noInvitation();
  return { withdrawn: true };
};

function noInvitation(): DomainError {
  return new DomainError(
    "not_found",
    "There is no open invitation. It may have expired, been withdrawn or been answered.",
  );
}

/** Leaving a team. Every member may; the effects are shown before they happen. */

export interface LeavingPorts {
  readonly teams: Pick<TeamStore, "departure" | "leave">;
  readonly erasures: Pick<ErasureStore, "find" | "preview" | "begin">;
}

export const reviewLeaving: UseCase<LeavingPorts, "reviewLeaving"> = async (
  { teams, erasures },
  { owner: user },
  { team_id },
) => {
  const departure = await departureOf({ teams }, user, team_id);
  const { outcome, successor } = departure;
  const team = outcome === "closes" ? await erasures.find(team_id) : null;
  const removed = team === null ? null : await erasures.preview(team);
  return {
    outcome,
    successor: successor && { user_id: successor.id, name: successor.name },
    would_remove: removed && { ...removed },
  };
};

/** Rejects with `plan_changed` if the outcome would differ from the reviewed one. */
export const leaveTeam: UseCase<LeavingPorts, "leaveTeam"> = async (
  { teams, erasures },
  { owner: user, tokenId },
  { team_id, outcome, successor_id },
) => {
  const { successor } = await departureOf({ teams }, user, team_id);
  const isReviewed = (successor?.id ?? null) === (successor_id ?? null);
  await teams.leave(team_id, user.id, { outcome, successor: isReviewed ? successor : null });
  const team = outcome === "closes" ? await erasures.find(team_id) : null;
  if (team !== null) await erasures.begin(team, { tokenId, ownerId: user.id });
  return { outcome };
};

async function departureOf(
  { teams }: Pick<LeavingPorts, "teams">,
  user: Owner,
  teamId: string,
): Promise<Departure> {
  const departure = await teams.departure(teamId, user.id);
  if (departure === null) throw notFound("team");
  return departure;
}
