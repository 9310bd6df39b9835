/**
 * How many memories a list has, looked up in what the database counts with each statement that changes memories
 * (migration 35): in the time that an owner's kinds of memories take, however many memories there are. Decision 57.
 */
import type { Caller } from "../../../core/caller.ts";
import type { FilterMembers, MemoryFilter } from "../../../core/memory/memory-filter.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";
import { retried } from "../database/transactions.ts";
import { type Asked, askedOf, matchesOf } from "./filter.ts";
import { LIVE } from "./supersession.ts";

/** The number of memories that the caller may see and the filter lets through, exactly. */
export async function totalOf(sql: Sql, caller: Caller, filter: MemoryFilter): Promise<number> {
  if (!isCounted(caller, filter)) return countAnew(sql, caller, filter);
  const looked = await lookUp(sql, caller, filter);
  if (looked.uncounted.length > 0) {
    await beginCounting(sql, looked.uncounted);
    return totalOf(sql, caller, filter);
  }
  return looked.hasPassing ? lookUpWithPassing(sql, caller, filter) : looked.total;
}

/** The same within a snapshot; null where it is not kept, for such a filter or of these owners, and would have to be counted. */
export async function keptTotal(sql: AnySql, caller: Caller, filter: MemoryFilter): Promise<number | null> {
  if (!isCounted(caller, filter)) return null;
  const { total, hasPassing, uncounted } = await lookUp(sql, caller, filter);
  if (uncounted.length > 0) return null;
  return hasPassing ? lookUpWithPassing(sql, caller, filter) : total;
}

/**
 * The same as a value in a statement that asks this of memories: null where looking it up is not enough, and `totalOf` is to be
 * asked.
 */
export function totalWithin(sql: AnySql, caller: Caller, filter: MemoryFilter, asked: Asked): Fragment {
  if (!isCounted(caller, filter)) return sql`null::bigint`;
  return sql`(
    select looked.total::bigint from (${lookedUp(sql, asked, filter.now)}) looked
    where not looked.has_passing and looked.uncounted = '{}'
  )`;
}

/** Whether the counts tell memories apart by a member of a filter. One that is new does not compile until this says so. */
const IS_TOLD_APART: Readonly<Record<keyof FilterMembers, boolean>> = {
  path: false,
  bucket: true,
  memoryTypes: true,
  status: true,
  scope: true,
  teamId: true,
  projectId: true,
  metadata: false,
  asOf: false,
  createdBefore: false,
  createdFrom: false,
  pathUnder: false,
  agentId: false,
  memoryIds: false,
  includeKnowledge: true,
  session: false,
  withoutItems: true,
};

/** Whether what is counted tells apart what the caller may see, and what the filter asks for. */
function isCounted(caller: Caller, filter: MemoryFilter): boolean {
  const members = Object.keys(IS_TOLD_APART) as (keyof FilterMembers)[];
  const beyond = members.filter((member) => !IS_TOLD_APART[member]);
  return (
    filter.withoutItems &&
    beyond.every((member) => filter[member] === null || filter[member] === "%") &&
    [caller, caller.onlooker].every((one) => (one?.space.pathPrefix ?? null) === null)
  );
}

async function countAnew(sql: Sql, caller: Caller, filter: MemoryFilter): Promise<number> {
  const [row] =
    await sql`select sum(m.of_owner) as total from ${matchesOf(sql, caller, filter, sql`count(*) as of_owner`)} m`;
  return Number(row?.total ?? 0);
}

/** Owners that are counted from now on, at once. */
const BEGUN_AT_ONCE = 500;

/** Counts some of the owners that nobody has listed yet, for good. False where there is none left. */
export async function beginCountingSome(sql: AnySql): Promise<boolean> {
  const uncounted = await sql`
    select id from owners o where not exists (select from counted_owner_memories k where k.owner_id = o.id)
    limit ${BEGUN_AT_ONCE}`;
  const owners = uncounted.map((row) => row.id as string);
  if (owners.length > 0) await beginCounting(sql, owners);
  return owners.length === BEGUN_AT_ONCE;
}

/** How many memories each owner has that is counted and has any, whatever their state. */
export async function memoriesByOwner(sql: AnySql): Promise<Map<string, number>> {
  const rows = await sql`
    select owner_id, sum(count) as count from (
      select owner_id, count from memory_counts union all select owner_id, count from memory_count_changes
    ) counted group by owner_id having sum(count) <> 0`;
  return new Map(rows.map((row) => [row.owner_id as string, Number(row.count)]));
}

/**
 * How many memories these owners have together, whatever their state: looked up, or counted up to `countedMax` while one of
 * them is not counted yet.
 */
export function memoriesOf(sql: AnySql, owners: readonly string[], countedMax: number): Fragment {
  const theirs = sql`owner_id = any(${owners as string[]}::uuid[])`;
  return sql`(case when exists (
      select from unnest(${owners as string[]}::uuid[]) as o (id)
      where not exists (select from counted_owner_memories k where k.owner_id = o.id)
    ) then (select count(*) from (select from memories where ${theirs} limit ${countedMax}::bigint) counted)
    else (
      select coalesce(sum(count), 0)::bigint from (
        select count from memory_counts where ${theirs} union all select count from memory_count_changes where ${theirs}
      ) kept
    ) end)`;
}

const DAY_MS = 24 * 3_600_000;

/**
 * What is counted is judged as memories are, as the row `m`. It knows of the day on which memories expire. Of those of this
 * very day, and of what waits for others to expire, it says only whether there are any (`hasPassing`): mostly there are none,
 * and a statement that names no memories is planned in half of the time.
 */
async function lookUp(sql: AnySql, caller: Caller, filter: MemoryFilter) {
  const asked = askedOf(sql, caller, filter);
  const [row] = await sql`with ${asked.seen} ${lookedUp(sql, asked, filter.now)}`;
  return {
    total: Number(row?.total),
    hasPassing: row?.has_passing === true,
    uncounted: row?.uncounted as string[],
  };
}

function lookedUp(sql: AnySql, { owners, allowed }: Asked, now: number): Fragment {
  return sql`
    select ${lasting(sql, allowed)} as total, coalesce(sum(m.count) filter (where m.is_passing), 0) > 0 as has_passing,
      array(
        select id from unnest(${owners}) as owner (id)
        where not exists (select from counted_owner_memories k where k.owner_id = owner.id)
      ) as uncounted
    from ${counted(sql, owners, dayOf(now))} m`;
}

/**
 * The same with those that are looked at one by one, owner by owner (offset 0), in one statement, so that all it reads is of one
 * moment.
 */
async function lookUpWithPassing(sql: AnySql, caller: Caller, filter: MemoryFilter): Promise<number> {
  const today = dayOf(filter.now);
  const { seen, owners, allowed } = askedOf(sql, caller, filter);
  const [row] = await sql`
    with ${seen}
    select (
      select ${lasting(sql, allowed)} from ${counted(sql, owners, today)} m
    ) + (
      select count(*) from unnest(${owners}) as owner (id) cross join lateral (
        select from memories m where m.owner_id = owner.id
          and m.status in ${LIVE(sql)} and m.expires_at >= ${today} and m.expires_at < ${today + DAY_MS} and ${allowed}
        offset 0
      ) of_today
    ) + (
      select count(*) from unnest(${owners}) as owner (id) cross join lateral (
        select from memories m where m.owner_id = owner.id
          and m.status = 'superseded' and m.superseded_until is not null and ${allowed}
        offset 0
      ) waiting
    ) as total`;
  return Number(row?.total);
}

function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS;
}

/** How many of what is counted are all day long what they are, and are asked for. */
function lasting(sql: AnySql, allowed: Fragment): Fragment {
  return sql`coalesce(sum(m.count) filter (where not m.is_passing and ${allowed}), 0)`;
}

/** What is counted of these owners, each looked up by itself, with the columns of a memory. */
function counted(sql: AnySql, owners: Fragment, today: number): Fragment {
  const kinds = sql`
    owner_id, scope, project_id, bucket, memory_type, status, expires_on as expires_at, workspace_item,
    null::text as superseded_status, null::timestamptz as superseded_until,
    is_waiting or expires_on is not distinct from ${today} as is_passing, count`;
  return sql`(
    select of_owner.* from unnest(${owners}) as owner (id) cross join lateral (
      select ${kinds} from memory_counts where owner_id = owner.id
      union all
      select ${kinds} from memory_count_changes where owner_id = owner.id
    ) of_owner
  )`;
}

/**
 * Notes how many memories these owners have had all along, with the first list after the migration. What is noted is what
 * there is now but for what has been counted until now, both of one moment.
 */
async function beginCounting(sql: AnySql, owners: readonly string[]): Promise<void> {
  const kind = sql`owner_id, scope, project_id, bucket, memory_type, status`;
  await sql`
    with beginning as (
      insert into counted_owner_memories select unnest(${owners as string[]}::uuid[]) on conflict do nothing
      returning owner_id
    )
    insert into memory_counts
    select ${kind}, expires_on, workspace_item, is_waiting, sum(count) from (
      select ${kind}, expiry_day(status, expires_at) as expires_on, workspace_item,
             status = 'superseded' and superseded_until is not null as is_waiting, count(*) as count
      from memories join beginning using (owner_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      union all
      select ${countedColumns(sql)}, -count from memory_count_changes join beginning using (owner_id)
      union all
      select ${countedColumns(sql)}, -count from memory_counts join beginning using (owner_id)
    ) had group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(count) <> 0`;
}

/** What rows of both tables have besides the count. */
function countedColumns(sql: AnySql): Fragment {
  return sql`owner_id, scope, project_id, bucket, memory_type, status, expires_on, workspace_item, is_waiting`;
}

/** Changes whose owners' are put together at once. */
const FOLDED_ROWS = 50_000;

/**
 * Puts together what writes have counted, so that an owner has few rows. One server does it at a time. What is written
 * meanwhile is left to the next time; kinds that an owner has none of any more are gone with it.
 */
export async function foldMemoryCounts(sql: Sql): Promise<void> {
  for (let folded = FOLDED_ROWS; folded === FOLDED_ROWS; ) folded = await foldSome(sql);
}

function foldSome(sql: Sql): Promise<number> {
  return retried(
    () =>
      sql.begin(async (tx) => {
        const [lock] = await tx`select pg_try_advisory_xact_lock(${lockNumber("memory counts")}) as is_ours`;
        if (lock?.is_ours !== true) return 0;
        const some = await tx`
          select owner_id, count(*)::int as changes
          from (select owner_id from memory_count_changes limit ${FOLDED_ROWS}) unfolded group by owner_id`;
        if (some.length > 0)
          await foldOf(
            tx,
            some.map((row) => row.owner_id as string),
          );
        return some.reduce((sum, row) => sum + (row.changes as number), 0);
      }) as Promise<number>,
  );
}

/** All changes of these owners: whoever has them is known, and nothing else tells one from another. */
async function foldOf(sql: TransactionSql, owners: readonly string[]): Promise<void> {
  const isTheirs = sql`owner_id = any(${owners as string[]}::uuid[])`;
  await sql`
    with taken as (
      delete from memory_count_changes where ${isTheirs} returning *
    ), before as (
      delete from memory_counts where ${isTheirs} returning *
    )
    insert into memory_counts
    select ${countedColumns(sql)}, sum(count) from (select * from taken union all select * from before) had
    where exists (select from owners o where o.id = had.owner_id)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(count) <> 0`;
}

/** Removes what was counted for owners while they were erased. */
export async function forgetCountsOfNobody(sql: Sql): Promise<void> {
  await sql`delete from memory_counts c where not exists (select from owners o where o.id = c.owner_id)`;
  await sql`delete from counted_owner_memories c where not exists (select from owners o where o.id = c.owner_id)`;
}
