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

/** Limits on teams. Lowering a limit affects only additions: anything already above it keeps working. */
export interface TeamLimits {
  /** Teams that one user can be in. The cost of a request grows with them. */
  readonly joinedMax: number;
  /** Teams that one user can own. Enforced when a user creates a team, but not on the command line. */
  readonly ownedMax: number;
  /** Open invitations of one team, to users and to people without an account together. */
  readonly invitationsMax: number;
}

/** Default limits. */
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

/** How long an invitation is valid. */
export const INVITATION_DAYS = 14;

/** An invitation as its team sees it. A user with that name need not exist. */
export interface SentInvitation {
  readonly userName: string;
  readonly role: Role;
  readonly invitedAt: number;
  readonly expiresAt: number;
}

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation extends Omit<SentInvitation, "userName"> {
  readonly team: Owner;
  /** Null if the operator of the service invited. */
  readonly invitedBy: string | null;
}

export interface NewInvitation {
  readonly userName: string;
  readonly role: Role;
  /** The member who invites; null if it is the operator. */
  readonly invitedBy: string | null;
}

/**
 * Invitations to teams. A person who can sign in becomes a member only by accepting one. An invitation is valid for
 * `INVITATION_DAYS`, as long as the inviter still has the right to invite.
 */
export interface TeamInvitations {
  /**
   * Invites by name, or renews the invitation. Returns the role of an existing member, otherwise null, also for a name
   * that no user has and for a user who declined. Rejects with `quota_exceeded` if the team has too many open
   * invitations.
   */
  invite(teamId: string, invitation: NewInvitation): Promise<Role | null>;
  /**
   * Creates a user with that name as a member; setting up the account means accepting. Returns null if the name is
   * taken; of concurrent calls only one succeeds. Rejects with `quota_exceeded` like an invitation, before revealing
   * whether the name is taken.
   */
  newMember(teamId: string, invitation: Pick<NewInvitation, "userName" | "role">): Promise<Owner | null>;
  /**
   * Adds a user for the operator: directly if the user has no sign-in account, since then no one could accept,
   * otherwise by an invitation. `role` is the role that the user has, or is invited to.
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
  /**
   * Makes the user a member; null if there is no open invitation. Rejects with `quota_exceeded` if the user is in too
   * many teams.
   */
  accept(teamId: string, userId: string): Promise<Membership | null>;
  /** Returns false if there is no open invitation. */
  decline(teamId: string, userId: string): Promise<boolean>;
  /** Withdraws the team's invitation. Returns false if there is none. */
  withdraw(teamId: string, userName: string): Promise<boolean>;
}

/**
 * Teams and their members. Roles are read on every request, so a change takes effect at once. The last owner of a team
 * can be neither demoted nor removed, even by concurrent changes.
 */
export interface TeamStore extends TeamInvitations {
  /**
   * Returns the team with that name, creating it if new. The user becomes its `owner` if it has no members; `role` is
   * the user's current role, null if not a member. Rejects with `quota_exceeded` if the user is in too many teams or,
   * if `isBounded`, owns too many.
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
  /** All users with their teams, by name. `hasAccount`: whether the user can sign in. */
  users(): Promise<readonly { user: Owner; hasAccount: boolean; teams: readonly Membership[] }[]>;
  /** By rank, then by name. */
  members(teamId: string): Promise<Member[]>;
  /** The teams of a user, by name. */
  teamsOf(userId: string): Promise<Membership[]>;
  /**
   * Makes the user a member. An existing member keeps its role, which is returned. Like `setRole`, rejects with
   * `quota_exceeded` if the user is in too many teams.
   */
  add(teamId: string, userId: string, role: Role): Promise<{ role: Role; isNew: boolean }>;
  /**
   * Makes the user a member with that role, or changes the role. Rejects with `conflict` if the team would be left
   * without an owner and, like `add`, with `not_found` if there is no such team or user.
   */
  setRole(teamId: string, userId: string, role: Role): Promise<"added" | "changed" | "unchanged">;
  /** Returns false if the user is not a member. Rejects with `conflict` if it is the last owner. */
  remove(teamId: string, userId: string): Promise<boolean>;
  /** Returns what would happen if the member left now; null if the user is not a member. */
  departure(teamId: string, userId: string): Promise<Departure | null>;
  /**
   * Removes the member as the departure says. Rejects with `plan_changed` if the outcome would now differ. If the team
   * closes, the member stays, so that the team has an owner until its erasure begins, and open invitations end.
   */
  leave(teamId: string, userId: string, departure: Departure): Promise<void>;
}
