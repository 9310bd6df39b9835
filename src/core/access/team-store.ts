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

/**
 * Teams and their members. Roles are read anew with every request, so a change bites at once. The last owner of a team
 * can be neither demoted nor removed, whoever changes it at the same time.
 */
export interface TeamStore {
  /**
   * The team of that name, made if new. The user becomes its `owner` where it has no member yet; `role` is what the
   * user is in it now, null for a stranger.
   */
  create(name: string, owner: Owner): Promise<{ team: Owner; isNew: boolean; role: Role | null }>;
  find(name: string): Promise<Owner | null>;
  findUser(name: string): Promise<Owner | null>;
  /** Makes a user; null where there is one of that name, also for all but one of those who ask at once. */
  newUser(name: string): Promise<Owner | null>;
  /** All teams, by name. */
  list(): Promise<readonly { team: Owner; members: number }[]>;
  /** All users with their teams, by name. `hasAccount`: the user can sign in. */
  users(): Promise<readonly { user: Owner; hasAccount: boolean; teams: readonly Membership[] }[]>;
  /** By rank, then by name. */
  members(teamId: string): Promise<Member[]>;
  /** The teams of a user, by name. */
  teamsOf(userId: string): Promise<Membership[]>;
  /** Makes the user a member. One who is a member already keeps its role, which is answered. */
  add(teamId: string, userId: string, role: Role): Promise<{ role: Role; isNew: boolean }>;
  /**
   * Makes the user a member in that role, or changes the role. `conflict` where it would leave the team without an
   * owner; `not_found` where there is no such team or user, here and in `add`.
   */
  setRole(teamId: string, userId: string, role: Role): Promise<"added" | "changed" | "unchanged">;
  /** False where the user is no member. `conflict` where it is the last owner. */
  remove(teamId: string, userId: string): Promise<boolean>;
}
