import type { TokenSpace } from "../../../core/access/credential.ts";
import { type Caller, sharedOwner } from "../../../core/caller.ts";
import type { Role } from "../../../core/memory/memory-record.ts";
import { eachMember } from "../../../recall/each-member.ts";
import { roleOf } from "../access/team-members.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/**
 * The one authorisation predicate, over the row `m`. Its owner is the caller or one of the caller's current teams, and
 * the token's space, project allow-list and knowledge scope include it. Every statement that reads or changes memories
 * for a caller must contain it. With an onlooker, both predicates must hold.
 */
export function visible(sql: AnySql, caller: Caller): Fragment {
  return predicateOf(sql, caller);
}

/** The predicate for a statement that uses it several times, but looks up the visible owners only once. */
export interface Sight {
  /** Belongs in the statement's `with` clause. */
  readonly seen: Fragment;
  /** The owners that the caller may see, as an SQL array. */
  readonly owners: Fragment;
  /** The predicate, over the row `m`. */
  readonly visible: Fragment;
}

export function sightOf(sql: AnySql, caller: Caller): Sight {
  const owners = sql`(select owners from seen)::uuid[]`;
  return {
    seen: sql`seen as materialized (select ${visibleOwners(sql, caller)} as owners)`,
    owners,
    visible: predicateOf(sql, caller, owners),
  };
}

function predicateOf(sql: AnySql, caller: Caller, owners?: Fragment): Fragment {
  const { onlooker } = caller;
  if (onlooker === undefined) return visibleTo(sql, caller, owners);
  return sql`(${visibleTo(sql, caller, owners)} and ${predicateOf(sql, onlooker, owners)})`;
}

function visibleTo(sql: AnySql, caller: Caller, owners = ownersOf(sql, caller)): Fragment {
  const limits = eachMember<TokenSpace, Fragment>(caller.space, {
    teamId: () => sql`m.scope = 'team'`,
    projects: (projects) => sql`m.project_id = any(${projects as string[]})`,
    pathPrefix: (prefix) => sql`(m.path = ${prefix} or starts_with(m.path, ${`${prefix}/`}))`,
    buckets: (buckets) => sql`m.bucket = any(${buckets as string[]})`,
  });
  return sql`(
    ${isOwnedFor(sql, caller, owners)}
    ${limits.reduce((all, limit) => sql`${all} and ${limit}`, sql``)}
    ${caller.scopes.has("knowledge:read") ? sql`` : sql`and ${isNoKnowledge(sql)}`}
  )`;
}

/** True if the row `m` is the caller's own, or a team's that the caller sees, or of an owner that it includes. */
function isOwnedFor(sql: AnySql, caller: Caller, owners: Fragment): Fragment {
  const shared = sharedOwner(caller);
  const isOwned = sql`
    m.owner_id = any(${owners})
    and (m.scope = 'team' or m.owner_id = ${caller.owner.id}${
      shared === null ? sql`` : sql` or m.owner_id = ${shared}`
    })`;
  if (caller.includesEndUsers !== true) return isOwned;
  return sql`(${isOwned} or ${isOfEndUser(sql, caller, sql`m.owner_id`)})`;
}

/** True if that owner is an end user of the caller's application. */
function isOfEndUser(sql: AnySql, caller: Caller, ownerId: Fragment): Fragment {
  return sql`exists (select from owners o where o.id = ${ownerId} and o.application_id = ${caller.owner.id})`;
}

/** True if neither the bucket nor the type of the row `m` is knowledge. */
export function isNoKnowledge(sql: AnySql): Fragment {
  return sql`m.bucket <> 'knowledge' and m.memory_type <> 'knowledge'`;
}

/**
 * The owners that a caller may see, as an SQL array: itself and, for a user, its current teams. A credential for one
 * team sees only that team, and only while its user is a member.
 */
export function visibleOwners(sql: AnySql, caller: Caller): Fragment {
  const { onlooker } = caller;
  if (onlooker === undefined) return ownersOf(sql, caller);
  const both = sql`select unnest(${ownersOf(sql, caller)}) intersect select unnest(${visibleOwners(sql, onlooker)})`;
  return sql`array(${both})`;
}

/** True if the caller may see that owner. */
export function isVisibleOwner(sql: AnySql, caller: Caller, ownerId: Fragment, owners?: Fragment): Fragment {
  const isVisible = sql`${ownerId} = any(${owners ?? visibleOwners(sql, caller)})`;
  return caller.includesEndUsers === true
    ? sql`(${isVisible} or ${isOfEndUser(sql, caller, ownerId)})`
    : isVisible;
}

/**
 * SQL table of the rows of every visible owner. It is read owner by owner, so that only the partitions of these owners
 * are touched (docs/decisions/0063). `offset 0` keeps the planner from joining in another order. `select` receives the
 * owner, but must still contain the whole predicate.
 */
export function ofEachOwner(
  sql: AnySql,
  caller: Caller,
  select: (owner: Fragment) => Fragment,
  owners = visibleOwners(sql, caller),
): Fragment {
  return sql`(
    select of_owner.* from unnest(${owners}) as each_owner (id)
    cross join lateral (${select(sql`each_owner.id`)} offset 0) of_owner
  )`;
}

function ownersOf(sql: AnySql, caller: Caller): Fragment {
  const { teamId } = caller.space;
  if (teamId !== null) {
    return sql`array(select team_id from team_members where user_id = ${caller.owner.id} and team_id = ${teamId})`;
  }
  const shared = sharedOwner(caller);
  if (shared !== null) return sql`array[${caller.owner.id}::uuid, ${shared}::uuid]`;
  if (caller.owner.kind !== "user") return sql`array[${caller.owner.id}::uuid]`;
  return sql`array(
    select ${caller.owner.id}::uuid union all select team_id from team_members where user_id = ${caller.owner.id}
  )`;
}

/** SQL of the caller's role for the row's owner: `self`, or its role in the team. What is shared is only read. */
export function role(sql: AnySql, caller: Caller): Fragment {
  if (caller.owner.kind === "end_user")
    return sql`case when m.owner_id = ${caller.owner.id} then 'self' else 'viewer' end`;
  return sql`case when m.owner_id = ${caller.owner.id} then 'self' else (
    select role from team_members where team_id = m.owner_id and user_id = ${caller.owner.id}
  ) end`;
}

/** The caller's role for an owner; null if the owner is a team of which the caller is not a member. */
export async function roleIn(sql: AnySql, caller: Caller, ownerId: string): Promise<Role | null> {
  const { teamId } = caller.space;
  if (teamId !== null && teamId !== ownerId) return null;
  if (ownerId === caller.owner.id) return "self";
  if (caller.owner.kind !== "user") return null;
  return roleOf(sql, ownerId, caller.owner.id);
}
