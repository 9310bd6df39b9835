import { uuidv7 } from "uuidv7";
import type { Owner } from "../../../core/access/credential.ts";
import type { Membership, Role, TeamLimits } from "../../../core/access/team-store.ts";
import {
  INVITATION_DAYS,
  type NewInvitation,
  type ReceivedInvitation,
  type SentInvitation,
  type TeamInvitations,
} from "../../../core/access/team-store.ts";
import { DomainError } from "../../../core/error.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { lockMemberships, lockTeam, newMember, roleOf } from "./team-members.ts";

/** Maximum number of invitations that are shown to one person. */
const RECEIVED_MAX = 100;

/** See `TeamInvitations`. */
export function createTeamInvitations(sql: Sql, limits: TeamLimits): TeamInvitations {
  return {
    invite: (teamId, invitation) => sql.begin((tx) => invite(tx, teamId, invitation, limits)),
    provision: (teamId, user, role) => sql.begin((tx) => provision(tx, { teamId, user, role }, limits)),
    invitationsOf: (teamId) => invitationsOf(sql, teamId),
    invitationsFor: (userId) => invitationsFor(sql, userId),
    accept: (teamId, userId) => sql.begin((tx) => accept(tx, teamId, userId, limits)),
    async decline(teamId, userId) {
      const rows = await sql`
        update team_invitations i set declined_at = now()
        where i.team_id = ${teamId} and i.user_id = ${userId} and ${isOpen(sql)} returning team_id`;
      return rows.length > 0;
    },
    withdraw: (teamId, userName) => sql.begin((tx) => withdraw(tx, teamId, userName)),
    newMember: (teamId, invitation) => sql.begin((tx) => inviteNewUser(tx, teamId, invitation, limits)),
  };
}

const LIFETIME = `${INVITATION_DAYS} days`;

/** True if the person declined the invitation `i` and may not be asked again yet. */
function isDeclined(sql: AnySql): Fragment {
  return sql`(i.declined_at is not null and i.declined_at > now() - ${LIFETIME}::interval)`;
}

/** True if the team sees the invitation `i` as open. */
function isPending(sql: AnySql): Fragment {
  return sql`(i.expires_at > now() and i.withdrawn_at is null)`;
}

/** True if the invitation `i` can be accepted. Its author must still be allowed to invite for that role. */
function isOpen(sql: AnySql): Fragment {
  return sql`(
    ${isPending(sql)} and not ${isDeclined(sql)}
    and (i.invited_by is null or exists (
      select from team_members m where m.team_id = i.team_id and m.user_id = i.invited_by
        and (m.role = 'owner' or (m.role = 'admin' and i.role <> 'owner'))
    ))
  )`;
}

async function invite(
  sql: TransactionSql,
  teamId: string,
  invitation: NewInvitation,
  { invitationsMax }: TeamLimits,
): Promise<Role | null> {
  await lockTeam(sql, teamId);
  const { userName } = invitation;
  const [member] = await sql`
    select m.role from team_members m join owners u on u.id = m.user_id
    where m.team_id = ${teamId} and u.kind = 'user' and u.name = ${userName}`;
  if (member) return member.role as Role;
  await sql`
    delete from team_invitations i where team_id = ${teamId} and not ${isPending(sql)} and not ${isDeclined(sql)}`;
  await requireRoomForInvitation(sql, teamId, { userName, invitationsMax });
  await writeInvitation(sql, teamId, invitation);
  return null;
}

/**
 * Throws `quota_exceeded` if the team already has `invitationsMax` open invitations to others. Users who were created
 * for the team and have not set up their account yet count too, so that names cannot be probed by creating users.
 */
async function requireRoomForInvitation(
  sql: AnySql,
  teamId: string,
  { userName, invitationsMax }: { readonly userName: string; readonly invitationsMax: number },
): Promise<void> {
  const [open] = await sql`
    select (select count(*) from team_invitations i
            where i.team_id = ${teamId} and i.user_name <> ${userName} and ${isPending(sql)})
         + (select count(*) from team_members m where m.team_id = ${teamId} and exists (
              select from auth.invitations a where a.owner_id = m.user_id and a.used_at is null and a.expires_at > now()
            )) as invitations`;
  if (Number(open?.invitations) >= invitationsMax)
    throw new DomainError(
      "quota_exceeded",
      `A team can have ${invitationsMax} open invitations (TEAM_INVITATIONS_MAX). Withdraw one first.`,
    );
}

/** Uses one statement for any name, so that a name that does not exist is treated alike. */
async function writeInvitation(
  sql: TransactionSql,
  teamId: string,
  { userName, role, invitedBy }: NewInvitation,
): Promise<void> {
  await sql`
    insert into team_invitations as i (team_id, user_name, user_id, role, invited_by, expires_at)
    values (
      ${teamId}, ${userName}, (select id from owners where kind = 'user' and name = ${userName}), ${role}, ${invitedBy},
      now() + ${LIFETIME}::interval
    )
    on conflict (team_id, user_name) do update set
      user_id = excluded.user_id, role = excluded.role, invited_by = excluded.invited_by, created_at = now(),
      expires_at = excluded.expires_at, withdrawn_at = null,
      declined_at = case when ${isDeclined(sql)} and i.user_id = excluded.user_id then i.declined_at end`;
  // The line does not name the person: a reader of the log would learn whether the name exists.
  await sql`
    insert into audit_log (owner_id, operation, detail) values (${teamId}, 'team_invite', ${{ role } as never})`;
}

async function inviteNewUser(
  sql: TransactionSql,
  teamId: string,
  { userName, role }: Pick<NewInvitation, "userName" | "role">,
  { joinedMax, invitationsMax }: TeamLimits,
): Promise<Owner | null> {
  await lockTeam(sql, teamId);
  await requireRoomForInvitation(sql, teamId, { userName, invitationsMax });
  const [made] = await sql`
    insert into owners (id, kind, name) values (${uuidv7()}, 'user', ${userName}) on conflict do nothing returning id`;
  if (!made) return null;
  await newMember(sql, { teamId, userId: made.id, role }, joinedMax);
  return { id: made.id as string, kind: "user", name: userName };
}

async function provision(
  sql: TransactionSql,
  { teamId, user, role }: { readonly teamId: string; readonly user: Owner; readonly role: Role },
  { joinedMax }: TeamLimits,
): ReturnType<TeamInvitations["provision"]> {
  await lockMemberships(sql, user.id);
  await lockTeam(sql, teamId);
  const known = await roleOf(sql, teamId, user.id);
  if (known !== null) return { role: known, change: "unchanged" };
  const [account] = await sql`select from auth.sign_ins where owner_id = ${user.id}`;
  if (account) {
    await writeInvitation(sql, teamId, { userName: user.name, role, invitedBy: null });
    return { role, change: "invited" };
  }
  await newMember(sql, { teamId, userId: user.id, role }, joinedMax);
  return { role, change: "added" };
}

async function invitationsOf(sql: Sql, teamId: string): Promise<SentInvitation[]> {
  const rows = await sql`
    select i.user_name, i.role, i.created_at as invited_at, i.expires_at from team_invitations i
    where i.team_id = ${teamId} and ${isPending(sql)} order by i.user_name`;
  return rows.map(fromRow<SentInvitation>);
}

async function invitationsFor(sql: Sql, userId: string): Promise<ReceivedInvitation[]> {
  const rows = await sql`
    select t.id as "team.id", t.kind as "team.kind", t.name as "team.name", u.name as invited_by, i.role,
      i.created_at as invited_at, i.expires_at
    from team_invitations i join owners t on t.id = i.team_id left join owners u on u.id = i.invited_by
    where i.user_id = ${userId} and ${isOpen(sql)} order by i.created_at desc, t.name limit ${RECEIVED_MAX}`;
  return rows.map(fromRow<ReceivedInvitation>);
}

async function accept(
  sql: TransactionSql,
  teamId: string,
  userId: string,
  { joinedMax }: TeamLimits,
): Promise<Membership | null> {
  await lockMemberships(sql, userId);
  const [team] = await sql`
    select id, name from owners where id = ${teamId} and kind = 'team' for no key update`;
  const [invitation] = await sql`
    select i.role from team_invitations i
    where i.team_id = ${teamId} and i.user_id = ${userId} and ${isOpen(sql)} for update`;
  if (!team || !invitation) return null;
  const known = await roleOf(sql, teamId, userId);
  const role = known ?? (invitation.role as Role);
  if (known === null) await newMember(sql, { teamId, userId, role }, joinedMax);
  await sql`delete from team_invitations where team_id = ${teamId} and user_id = ${userId}`;
  return { team: { id: teamId, kind: "team", name: team.name as string }, role };
}

/** A declined invitation is only hidden from its team, so that withdrawing it does not allow the team to ask again. */
async function withdraw(sql: TransactionSql, teamId: string, userName: string): Promise<boolean> {
  const kept = await sql`
    update team_invitations i set withdrawn_at = now()
    where i.team_id = ${teamId} and i.user_name = ${userName} and ${isPending(sql)} and ${isDeclined(sql)}
    returning team_id`;
  if (kept.length > 0) return true;
  const gone = await sql`
    delete from team_invitations i
    where i.team_id = ${teamId} and i.user_name = ${userName} and ${isPending(sql)} returning team_id`;
  return gone.length > 0;
}
