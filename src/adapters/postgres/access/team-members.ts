/** Changes of team membership that all operations share. Each expects a transaction. */
import type { Role } from "../../../core/access/team-store.ts";
import { DomainError, notFound } from "../../../core/error.ts";
import type { AnySql, TransactionSql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";

export interface MemberChange {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
}

/** Serialises changes of a user's memberships, so that the bounds hold. Take it before the lock of a team. */
export async function lockMemberships(sql: TransactionSql, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber(`memberships:${userId}`)}::bigint)`;
}

/**
 * Serialises changes of a team, so that two owners cannot remove each other. The lock blocks nothing else: rows that
 * refer to the team, such as its memories, take a weaker one.
 */
export async function lockTeam(sql: TransactionSql, teamId: string): Promise<void> {
  const [team] = await sql`select from owners where id = ${teamId} and kind = 'team' for no key update`;
  if (!team) throw notFound("team");
}

/** The role of a user in a team; null if it is not a member. */
export async function roleOf(sql: AnySql, teamId: string, userId: string): Promise<Role | null> {
  const [row] = await sql`select role from team_members where team_id = ${teamId} and user_id = ${userId}`;
  return (row?.role as Role | undefined) ?? null;
}

/**
 * Makes a user a member. It must not be one yet, and both locks must be held. Throws `quota_exceeded` if the user is in
 * too many teams, and `not_found` if the user is gone.
 */
export async function newMember(
  sql: TransactionSql,
  change: MemberChange,
  joinedMax: number,
  operation: "team_add" | "team_create" = "team_add",
): Promise<void> {
  const { teamId, userId, role } = change;
  const [joined] = await sql`select count(*) as teams from team_members where user_id = ${userId}`;
  if (Number(joined?.teams) >= joinedMax)
    throw new DomainError(
      "quota_exceeded",
      `A user can be in ${joinedMax} teams (TEAMS_PER_USER_MAX), and this one is: leave a team first.`,
    );
  const rows = await sql`
    insert into team_members (team_id, user_id, role)
    select ${teamId}, id, ${role} from owners where id = ${userId} and kind = 'user' returning user_id`;
  if (rows.length === 0) throw notFound("user");
  await auditTeam(sql, operation, change);
}

/** Throws `quota_exceeded` if the user already owns `ownedMax` teams. */
export async function requireRoomForTeam(
  sql: TransactionSql,
  userId: string,
  ownedMax: number,
): Promise<void> {
  const [owned] = await sql`
    select count(*) as teams from team_members where user_id = ${userId} and role = 'owner'`;
  if (Number(owned?.teams) >= ownedMax)
    throw new DomainError(
      "quota_exceeded",
      `A user can create a team while owning fewer than ${ownedMax} (TEAMS_OWNED_MAX). Leave or erase one first.`,
    );
}

/** Writes an audit line. It contains ids only, since names do not belong in a log. */
export async function auditTeam(
  sql: TransactionSql,
  operation: string,
  { teamId, userId, role }: MemberChange,
): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation, detail)
    values (${teamId}, ${operation}, ${{ user: userId, role } as never})`;
}
