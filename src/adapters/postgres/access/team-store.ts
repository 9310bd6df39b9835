import { uuidv7 } from "uuidv7";
import { teamRoles } from "../../../contract/scope.ts";
import type { Owner } from "../../../core/access/credential.ts";
import type { Membership, Role, TeamStore } from "../../../core/access/team-store.ts";
import { DomainError, notFound } from "../../../core/error.ts";
import type { AnySql, Sql, TransactionSql } from "../database/client.ts";

export function createTeamStore(sql: Sql): TeamStore {
  return {
    create: (name, owner) => sql.begin((tx) => create(tx, name, owner)),
    find: (name) => named(sql, "team", name),
    findUser: (name) => named(sql, "user", name),
    async newUser(name) {
      const [row] = await sql`
        insert into owners (id, kind, name) values (${uuidv7()}, 'user', ${name}) on conflict do nothing returning id`;
      return row ? userOf(row.id, name) : null;
    },
    async list() {
      const rows = await sql`
        select t.id, t.name, count(m.user_id) as members from owners t left join team_members m on m.team_id = t.id
        where t.kind = 'team' group by t.id order by t.name`;
      return rows.map((row) => ({ team: teamOf(row.id, row.name), members: Number(row.members) }));
    },
    users: () => users(sql),
    async members(teamId) {
      const rows = await sql`
        select u.id, u.name, m.role, m.created_at from team_members m join owners u on u.id = m.user_id
        where m.team_id = ${teamId} order by array_position(${teamRoles as unknown as string[]}::text[], m.role), u.name`;
      return rows.map((row) => ({
        user: userOf(row.id, row.name),
        role: row.role as Role,
        since: row.created_at as number,
      }));
    },
    async teamsOf(userId) {
      const rows = await sql`
        select t.id, t.name, m.role from team_members m join owners t on t.id = m.team_id
        where m.user_id = ${userId} order by t.name`;
      return rows.map((row) => ({ team: teamOf(row.id, row.name), role: row.role as Role }));
    },
    add: (teamId, userId, role) => sql.begin((tx) => add(tx, { teamId, userId, role })),
    setRole: (teamId, userId, role) => sql.begin((tx) => setRole(tx, { teamId, userId, role })),
    remove: (teamId, userId) => sql.begin((tx) => remove(tx, teamId, userId)),
  };
}

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

async function create(sql: TransactionSql, name: string, owner: Owner) {
  const [made] = await sql`
    insert into owners (id, kind, name) values (${uuidv7()}, 'team', ${name}) on conflict do nothing returning id`;
  const [row] = await sql`select id from owners where kind = 'team' and name = ${name}`;
  const team = teamOf(row?.id, name);
  await lockTeam(sql, team.id);
  const [first] = await sql`select from team_members where team_id = ${team.id} limit 1`;
  if (first) return { team, isNew: false, role: await roleOf(sql, team.id, owner.id) };
  const change = { teamId: team.id, userId: owner.id, role: "owner" } as const;
  await insertMember(sql, change);
  await audit(sql, made ? "team_create" : "team_add", change);
  return { team, isNew: made !== undefined, role: change.role };
}

interface Change {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
}

async function add(sql: TransactionSql, change: Change) {
  await lockTeam(sql, change.teamId);
  const known = await roleOf(sql, change.teamId, change.userId);
  if (known !== null) return { role: known, isNew: false };
  await insertMember(sql, change);
  await audit(sql, "team_add", change);
  return { role: change.role, isNew: true };
}

async function setRole(sql: TransactionSql, change: Change) {
  const { role, isNew } = await add(sql, change);
  if (isNew) return "added";
  if (role === change.role) return "unchanged";
  if (role === "owner") await requireOtherOwner(sql, change);
  await sql`
    update team_members set role = ${change.role} where team_id = ${change.teamId} and user_id = ${change.userId}`;
  await audit(sql, "team_role", change);
  return "changed";
}

async function remove(sql: TransactionSql, teamId: string, userId: string): Promise<boolean> {
  await lockTeam(sql, teamId);
  const role = await roleOf(sql, teamId, userId);
  if (role === null) return false;
  if (role === "owner") await requireOtherOwner(sql, { teamId, userId });
  await sql`delete from team_members where team_id = ${teamId} and user_id = ${userId}`;
  await audit(sql, "team_remove", { teamId, userId, role });
  return true;
}

/**
 * One change of a team at a time, so that two owners cannot remove each other. The lock stands in nobody else's way:
 * what refers to the team, its memories among them, takes a weaker one.
 */
async function lockTeam(sql: TransactionSql, teamId: string): Promise<void> {
  const [team] = await sql`select from owners where id = ${teamId} and kind = 'team' for no key update`;
  if (!team) throw notFound("team");
}

/** The role of a user in a team; null where it is no member. */
export async function roleOf(sql: AnySql, teamId: string, userId: string): Promise<Role | null> {
  const [row] = await sql`select role from team_members where team_id = ${teamId} and user_id = ${userId}`;
  return (row?.role as Role | undefined) ?? null;
}

async function insertMember(sql: TransactionSql, { teamId, userId, role }: Change): Promise<void> {
  const rows = await sql`
    insert into team_members (team_id, user_id, role)
    select ${teamId}, id, ${role} from owners where id = ${userId} and kind = 'user' returning user_id`;
  if (rows.length === 0) throw notFound("user");
}

async function requireOtherOwner(
  sql: TransactionSql,
  { teamId, userId }: Omit<Change, "role">,
): Promise<void> {
  const [other] = await sql`
    select from team_members where team_id = ${teamId} and role = 'owner' and user_id <> ${userId} limit 1`;
  if (!other)
    throw new DomainError("conflict", "This is the team's last owner. Make another member an owner first.");
}

/** Ids only: names are nobody's business in a log. */
async function audit(
  sql: TransactionSql,
  operation: string,
  { teamId, userId, role }: Change,
): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation, detail)
    values (${teamId}, ${operation}, ${{ user: userId, role } as never})`;
}
