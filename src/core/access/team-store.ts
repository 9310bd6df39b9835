import type { teamRoles } from "../../contract/scope.ts";
import type { Owner } from "./credential.ts";

export type Role = (typeof teamRoles)[number];

export interface Membership {
  readonly team: Owner;
  readonly role: Role;
}

export interface Member {
  readonly user: Owner;
  readonly role: Role;
  readonly since: number;
}

/** Bounds on teams. What is above a bound when it is lowered keeps working; only more is refused. */
export interface TeamLimits {
  /** Teams that one user can be in. The work of a request grows with them. */
  readonly joinedMax: number;
  /** Teams that one user can own and still make another. The command line is not bound by it. */
  readonly ownedMax: number;
  /** Open invitations of one team, to users and to people without an account together. */
  readonly invitationsMax: number;
}

/** Unless the operator says otherwise. */
export const TEAM_LIMITS: TeamLimits = { joinedMax: 100, ownedMax: 20, invitationsMax: 50 };

/**
 * How a member leaves a team. `leaves`: the team goes on as it is. `hands_over`: the last owner leaves, and the successor
 * becomes owner. `closes`: the last member leaves, and the team is erased.
 */
export type DepartureOutcome = "leaves" | "hands_over" | "closes";

export interface Departure {
  readonly outcome: DepartureOutcome;
  /** The next owner: the first of the others by rank, then by time of joining. Null unless the team is handed over. */
  readonly successor: Owner | null;
}

/** How long a person can take to accept. */
export const INVITATION_DAYS = 14;

/** An invitation as its team sees it. There need not be a user of that name. */
export interface SentInvitation {
  readonly userName: string;
  readonly role: Role;
  readonly invitedAt: number;
  readonly expiresAt: number;
}

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation extends Omit<SentInvitation, "userName"> {
  readonly team: Owner;
  /** Null for the operator of the service. */
  readonly invitedBy: string | null;
}

export interface NewInvitation {
  readonly userName: string;
  readonly role: Role;
  /** The member who invites; null for the operator. */
  readonly invitedBy: string | null;
}

/**
 * Invitations to teams. Nobody who can sign in becomes a member of a team without accepting one. An invitation holds while
 * whoever made it may still make it, and for `INVITATION_DAYS`.
 */
export interface TeamInvitations {
  /**
   * Invites by name, or renews the invitation. Answers the role of who is a member already, otherwise null: the same for a
   * name that nobody has and for one who has declined. `quota_exceeded` if the team has too many open invitations.
   */
  invite(teamId: string, invitation: NewInvitation): Promise<Role | null>;
  /**
   * Makes a user of that name, who is a member from the beginning: whoever sets up the account accepts by that. Null if there
   * is a user of that name, also for all but one of those who ask at once. `quota_exceeded` as with an invitation, and before
   * anything is told of the name.
   */
  newMember(teamId: string, invitation: Pick<NewInvitation, "userName" | "role">): Promise<Owner | null>;
  /**
   * Adds a user for the operator: at once if the user has no sign-in account, since then there is nobody else to ask,
   * otherwise by an invitation. `role` is the one the user has, or is invited to.
   */
  provision(
    teamId: string,
    user: Owner,
    role: Role,
  ): Promise<{ role: Role; change: "added" | "invited" | "unchanged" }>;
  /** The open invitations of a team, by name. */
  invitationsOf(teamId: string): Promise<SentInvitation[]>;
  /** The open invitations to a user, newest first. */
  invitationsFor(userId: string): Promise<ReceivedInvitation[]>;
  /** Makes the user a member; null if there is no open invitation. `quota_exceeded` if the user is in too many teams. */
  accept(teamId: string, userId: string): Promise<Membership | null>;
  /** False if there is no open invitation. */
  decline(teamId: string, userId: string): Promise<boolean>;
  /** Withdraws the team's invitation. False if there is none. */
  withdraw(teamId: string, userName: string): Promise<boolean>;
}

/**
 * Teams and their members. Roles are read anew with every request, so a change bites at once. The last owner of a team
 * can be neither demoted nor removed, whoever changes it at the same time.
 */
export interface TeamStore extends TeamInvitations {
  /**
   * The team of that name, made if new. The user becomes its `owner` where it has no member yet; `role` is what the
   * user is in it now, null for a stranger. `quota_exceeded` if the user is in too many teams, or, if bounded, owns too many.
   */
  create(
    name: string,
    owner: Owner,
    options?: { readonly isBounded?: boolean },
  ): Promise<{ team: Owner; isNew: boolean; role: Role | null }>;
  find(name: string): Promise<Owner | null>;
  findUser(name: string): Promise<Owner | null>;
  /** All teams, by name. */
  list(): Promise<readonly { team: Owner; members: number }[]>;
  /** All users with their teams, by name. `hasAccount`: the user can sign in. */
  users(): Promise<readonly { user: Owner; hasAccount: boolean; teams: readonly Membership[] }[]>;
  /** By rank, then by name. */
  members(teamId: string): Promise<Member[]>;
  /** The teams of a user, by name. */
  teamsOf(userId: string): Promise<Membership[]>;
  /**
   * Makes the user a member. One who is a member already keeps its role, which is answered. `quota_exceeded` if the user is
   * in too many teams, here and in `setRole`.
   */
  add(teamId: string, userId: string, role: Role): Promise<{ role: Role; isNew: boolean }>;
  /**
   * Makes the user a member in that role, or changes the role. `conflict` where it would leave the team without an
   * owner; `not_found` where there is no such team or user, here and in `add`.
   */
  setRole(teamId: string, userId: string, role: Role): Promise<"added" | "changed" | "unchanged">;
  /** False where the user is no member. `conflict` where it is the last owner. */
  remove(teamId: string, userId: string): Promise<boolean>;
  /** Effect of the member leaving now; null if the user is no member. */
  departure(teamId: string, userId: string): Promise<Departure | null>;
  /**
   * Removes the member as that departure says; `plan_changed` if it would go otherwise by now. If the team closes, the member
   * stays, so that the team has an owner until its erasure begins, and its open invitations end.
   */
  leave(teamId: string, userId: string, departure: Departure): Promise<void>;
}
