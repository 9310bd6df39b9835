import { uuidv7 } from "uuidv7";
import { teamRoles } from "../../../contract/scope.ts";
import type { Owner } from "../../../core/access/credential.ts";
import {
  type Departure,
  type Member,
  type Membership,
  type Role,
  TEAM_LIMITS,
  type TeamLimits,
  type TeamStore,
} from "../../../core/access/team-store.ts";
import { DomainError } from "../../../core/error.ts";
import type { AnySql, Sql, TransactionSql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { createTeamInvitations } from "./team-invitations.ts";
import {
  auditTeam,
  lockMemberships,
  lockTeam,
  type MemberChange,
  newMember,
  requireRoomForTeam,
  roleOf,
} from "./team-members.ts";

export function createTeamStore(sql: Sql, limits: TeamLimits = TEAM_LIMITS): TeamStore {
  const { joinedMax } = limits;
  return {
    ...createTeamInvitations(sql, limits),
    create: (name, owner, { isBounded = false } = {}) =>
      sql.begin((tx) => create(tx, name, owner, isBounded ? limits : { joinedMax })),
    find: (name) => named(sql, "team", name),
    findUser: (name) => named(sql, "user", name),
    async list() {
      const rows = await sql`
        select ${teamColumns(sql)}, count(m.user_id) as members
        from owners t left join team_members m on m.team_id = t.id
        where t.kind = 'team' group by t.id order by t.name`;
      return rows.map(fromRow<{ team: Owner; members: number }>);
    },
    users: () => users(sql),
    async members(teamId) {
      const rows = await sql`
        select u.id as "user.id", u.kind as "user.kind", u.name as "user.name", m.role, m.created_at as since
        from team_members m join owners u on u.id = m.user_id
        where m.team_id = ${teamId} order by array_position(${teamRoles as unknown as string[]}::text[], m.role), u.name`;
      return rows.map(fromRow<Member>);
    },
    async teamsOf(userId) {
      const rows = await sql`
        select ${teamColumns(sql)}, m.role from team_members m join owners t on t.id = m.team_id
        where m.user_id = ${userId} order by t.name`;
      return rows.map(fromRow<Membership>);
    },
    add: (teamId, userId, role) => sql.begin((tx) => add(tx, { teamId, userId, role }, joinedMax)),
    setRole: (teamId, userId, role) => sql.begin((tx) => setRole(tx, { teamId, userId, role }, joinedMax)),
    remove: (teamId, userId) => sql.begin((tx) => remove(tx, teamId, userId)),
    departure: (teamId, userId) => departureOf(sql, teamId, userId),
    leave: (teamId, userId, departure) => sql.begin((tx) => leave(tx, { teamId, userId }, departure)),
  };
}

/** Columns of the team `t`. */
const teamColumns = (sql: AnySql) => sql`t.id as "team.id", t.kind as "team.kind", t.name as "team.name"`;

const teamOf = (id: string, name: string): Owner => ({ id, kind: "team", name });
const userOf = (id: string, name: string): Owner => ({ id, kind: "user", name });

async function named(sql: Sql, kind: "user" | "team", name: string): Promise<Owner | null> {
  const [row] = await sql`select id from owners where kind = ${kind} and name = ${name}`;
  return row ? { id: row.id as string, kind, name } : null;
}

interface FoundUser {
  readonly user: Owner;
  readonly hasAccount: boolean;
  readonly teams: Membership[];
}

async function users(sql: Sql) {
  const rows = await sql`
    select u.id, u.name, t.id as team_id, t.name as team_name, m.role,
           exists (select from auth.sign_ins s where s.owner_id = u.id) as has_account
    from owners u left join team_members m on m.user_id = u.id left join owners t on t.id = m.team_id
    where u.kind = 'user' order by u.name, u.id, t.name`;
  const found = new Map<string, FoundUser>();
  for (const row of rows) {
    const known: FoundUser = found.get(row.id) ?? {
      user: userOf(row.id, row.name),
      hasAccount: row.has_account,
      teams: [],
    };
    if (row.team_id !== null) known.teams.push({ team: teamOf(row.team_id, row.team_name), role: row.role });
    found.set(row.id, known);
  }
  return [...found.values()];
}

async function create(
  sql: TransactionSql,
  name: string,
  owner: Owner,
  limits: Pick<TeamLimits, "joinedMax"> & Partial<TeamLimits>,
) {
  await lockMemberships(sql, owner.id);
  const [made] = await sql`
    insert into owners (id, kind, name) values (${uuidv7()}, 'team', ${name}) on conflict do nothing returning id`;
  const [row] = await sql`select id from owners where kind = 'team' and name = ${name}`;
  const team = teamOf(row?.id, name);
  await lockTeam(sql, team.id);
  const [first] = await sql`select from team_members where team_id = ${team.id} limit 1`;
  if (first) return { team, isNew: false, role: await roleOf(sql, team.id, owner.id) };
  if (limits.ownedMax !== undefined) await requireRoomForTeam(sql, owner.id, limits.ownedMax);
  const change = { teamId: team.id, userId: owner.id, role: "owner" } as const;
  await newMember(sql, change, limits.joinedMax, made ? "team_create" : "team_add");
  return { team, isNew: made !== undefined, role: change.role };
}

async function add(sql: TransactionSql, change: MemberChange, joinedMax: number) {
  await lockMemberships(sql, change.userId);
  await lockTeam(sql, change.teamId);
  const known = await roleOf(sql, change.teamId, change.userId);
  if (known !== null) return { role: known, isNew: false };
  await newMember(sql, change, joinedMax);
  return { role: change.role, isNew: true };
}

async function setRole(sql: TransactionSql, change: MemberChange, joinedMax: number) {
  const { role, isNew } = await add(sql, change, joinedMax);
  if (isNew) return "added";
  if (role === change.role) return "unchanged";
  if (role === "owner") await requireOtherOwner(sql, change);
  await changeRole(sql, change);
  return "changed";
}

async function changeRole(sql: TransactionSql, change: MemberChange): Promise<void> {
  await sql`
    update team_members set role = ${change.role} where team_id = ${change.teamId} and user_id = ${change.userId}`;
  await auditTeam(sql, "team_role", change);
}

async function remove(sql: TransactionSql, teamId: string, userId: string): Promise<boolean> {
  await lockTeam(sql, teamId);
  const role = await roleOf(sql, teamId, userId);
  if (role === null) return false;
  if (role === "owner") await requireOtherOwner(sql, { teamId, userId });
  await deleteMember(sql, { teamId, userId, role });
  return true;
}

async function deleteMember(sql: TransactionSql, change: MemberChange): Promise<void> {
  await sql`delete from team_members where team_id = ${change.teamId} and user_id = ${change.userId}`;
  await auditTeam(sql, "team_remove", change);
}

async function requireOtherOwner(
  sql: TransactionSql,
  { teamId, userId }: Omit<MemberChange, "role">,
): Promise<void> {
  const [other] = await sql`
    select from team_members where team_id = ${teamId} and role = 'owner' and user_id <> ${userId} limit 1`;
  if (!other)
    throw new DomainError("conflict", "This is the team's last owner. Make another member an owner first.");
}

async function departureOf(sql: AnySql, teamId: string, userId: string): Promise<Departure | null> {
  const role = await roleOf(sql, teamId, userId);
  if (role === null) return null;
  const [first] = await sql`
    select u.id, u.name, m.role from team_members m join owners u on u.id = m.user_id
    where m.team_id = ${teamId} and m.user_id <> ${userId}
    order by array_position(${teamRoles as unknown as string[]}::text[], m.role), m.created_at, u.name limit 1`;
  if (role !== "owner" || first?.role === "owner") return { outcome: "leaves", successor: null };
  if (first === undefined) return { outcome: "closes", successor: null };
  return { outcome: "hands_over", successor: userOf(first.id, first.name) };
}

async function leave(
  sql: TransactionSql,
  { teamId, userId }: Omit<MemberChange, "role">,
  expected: Departure,
): Promise<void> {
  await lockTeam(sql, teamId);
  const now = await departureOf(sql, teamId, userId);
  if (now?.outcome !== expected.outcome || now.successor?.id !== expected.successor?.id)
    throw new DomainError(
      "plan_changed",
      "The team has changed, so that leaving it would have another effect than was shown: look again.",
    );
  if (now.outcome === "closes") {
    await sql`delete from team_invitations where team_id = ${teamId}`;
    return;
  }
  if (now.successor !== null) await changeRole(sql, { teamId, userId: now.successor.id, role: "owner" });
  await deleteMember(sql, { teamId, userId, role: (await roleOf(sql, teamId, userId)) as Role });
}
