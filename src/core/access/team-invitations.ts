import type { Owner } from "./credential.ts";
import type { Membership, Role } from "./team-store.ts";

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
