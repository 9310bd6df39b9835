/**
 * Totals of lists, from counts that the database maintains with each statement that changes memories. The time depends
 * on how many kinds of memories an owner has, not on how many memories (decision 57).
 */
import { BoundedCache } from "../../../core/cache.ts";
import type { Caller } from "../../../core/caller.ts";
import {
  everyLiveMemory,
  type FilterMembers,
  type MemoryFilter,
} from "../../../core/memory/memory-filter.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";
import { retried } from "../database/transactions.ts";
import { type Asked, askedOf, matchesOf } from "./filter.ts";
import { LIVE } from "./supersession.ts";

/** Exact number of memories that the caller may see and that the filter matches. */
export async function totalOf(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  passing: ChangingCallers,
): Promise<number> {
  const total = await keptTotal(sql, caller, filter, passing);
  if (total !== null) return total;
  const [row] = await sql`
    select sum(m.of_owner) as total from ${matchesOf(sql, caller, filter, sql`count(*) as of_owner`)} m`;
  return Number(row?.total ?? 0);
}

/**
 * The same from the counts; null if no counts are kept for such a filter. The counts include the day on which memories
 * expire. For memories that expire today or wait for others to expire, they only show whether there are any. Mostly
 * there are none, and a statement that does not read memories is planned in half the time.
 */
export async function keptTotal(
  sql: AnySql,
  caller: Caller,
  filter: MemoryFilter,
  passing: ChangingCallers,
): Promise<number | null> {
  if (!isCounted(caller, filter)) return null;
  const { now } = filter;
  const asked = askedOf(sql, caller, filter);
  const looked = passing.has(caller, now)
    ? sql`select ${withPassing(sql, asked, now)} as total, false as has_passing`
    : lasting(sql, asked, now);
  const [row] = await sql`with ${asked.seen} ${looked}`;
  if (!row?.has_passing) return row?.total as number;
  passing.note(caller, now);
  return keptTotal(sql, caller, filter, passing);
}

/**
 * The same as an SQL value within a statement with these conditions. null if it is not kept, or if `totalOf` must be
 * called.
 */
export function totalWithin(
  sql: AnySql,
  caller: Caller,
  filter: MemoryFilter,
  { asked, passing }: { readonly asked: Asked; readonly passing: ChangingCallers },
): Fragment {
  if (!isCounted(caller, filter)) return sql`null::bigint`;
  if (passing.has(caller, filter.now)) return withPassing(sql, asked, filter.now);
  return sql`(select looked.total from (${lasting(sql, asked, filter.now)}) looked where not looked.has_passing)`;
}

const CACHED_BYTES_MAX = 1024 * 1024;
const NOTED_MS = 60_000;

/**
 * Callers with memories that expire today or wait for others to expire. For a minute after that was found, totals read
 * such memories directly, instead of checking first whether there are any.
 */
export class ChangingCallers {
  readonly #notedAt = new BoundedCache<string, number>({
    name: "callers with memories that expire today",
    bytesMax: CACHED_BYTES_MAX,
    bytesOf: () => 16,
  });

  has({ owner }: Caller, now: number): boolean {
    const notedAt = this.#notedAt.get(owner.id);
    return notedAt !== undefined && notedAt <= now && now - notedAt < NOTED_MS;
  }

  note({ owner }: Caller, now: number): void {
    this.#notedAt.set(owner.id, now);
  }
}

/**
 * Whether the counts are kept separately by a member of a filter. A new member does not compile until it is listed
 * here.
 */
const IS_COUNTED_APART: Readonly<Record<keyof FilterMembers, boolean>> = {
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
  source: false,
  memoryIds: false,
  oneOf: false,
  recalled: false,
  includeKnowledge: true,
  session: false,
  withoutItems: true,
};

/** True if the counts can distinguish what the caller may see and what the filter asks for. */
function isCounted(caller: Caller, filter: MemoryFilter): boolean {
  const members = Object.keys(IS_COUNTED_APART) as (keyof FilterMembers)[];
  const beyond = members.filter((member) => !IS_COUNTED_APART[member]);
  // Only in a pattern does "%" match everything: as an exact value it is a text like any other.
  const unfiltered = everyLiveMemory(filter.now);
  return (
    filter.withoutItems &&
    beyond.every((member) => filter[member] === unfiltered[member]) &&
    [caller, caller.onlooker].every((one) => (one?.space.pathPrefix ?? null) === null)
  );
}

/** Number of memories by owner, in any state. Owners without memories are left out. */
export async function memoriesByOwner(sql: AnySql): Promise<Map<string, number>> {
  const rows = await sql`
    select owner_id, sum(count) as count from (
      select owner_id, count from memory_counts union all select owner_id, count from memory_count_changes
    ) counted group by owner_id having sum(count) <> 0`;
  return new Map(rows.map((row) => [row.owner_id as string, Number(row.count)]));
}

/** SQL of the number of memories that these owners have together, in any state. */
export function memoriesOf(sql: AnySql, owners: readonly string[]): Fragment {
  const theirs = sql`owner_id = any(${owners as string[]}::uuid[])`;
  return sql`(
    select coalesce(sum(count), 0)::bigint from (
      select count from memory_counts where ${theirs} union all select count from memory_count_changes where ${theirs}
    ) kept)`;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Query for one row: the `total` of the memories whose state lasts all day, and whether there are any others,
 * `has_passing`.
 */
function lasting(sql: AnySql, { owners, allowed }: Asked, now: number): Fragment {
  return sql`
    select coalesce(sum(m.count) filter (where not m.is_passing and ${allowed}), 0)::bigint as total,
      coalesce(sum(m.count) filter (where m.is_passing), 0) > 0 as has_passing
    from ${counted(sql, owners, now)} m`;
}

/** SQL of the total that includes passing memories, which are read one by one, owner by owner (offset 0). */
function withPassing(sql: AnySql, asked: Asked, now: number): Fragment {
  const { today, tomorrow } = daysOf(sql, now);
  const { owners, allowed } = asked;
  return sql`(
    (select total from (${lasting(sql, asked, now)}) lasting)
    + (
      select count(*) from unnest(${owners}) as owner (id) cross join lateral (
        select from memories m where m.owner_id = owner.id
          and m.status in ${LIVE(sql)} and m.expires_at >= ${today} and m.expires_at < ${tomorrow} and ${allowed}
        offset 0
      ) of_today
    )
    + (
      select count(*) from unnest(${owners}) as owner (id) cross join lateral (
        select from memories m where m.owner_id = owner.id
          and m.status = 'superseded' and m.superseded_until is not null and ${allowed}
        offset 0
      ) waiting
    )
  )`;
}

/**
 * The day of an instant and the next day, as SQL literals. With parameters, the planner would expect many memories to
 * expire between them, and plan each query again, which takes longer than running it.
 */
function daysOf(sql: AnySql, instant: number) {
  const today = Math.floor(instant / DAY_MS) * DAY_MS;
  const written = (at: number) => sql.unsafe(`timestamptz '${new Date(at).toISOString()}'`);
  return { today: written(today), tomorrow: written(today + DAY_MS) };
}

/** SQL of the counts of these owners, each owner looked up by itself, with the columns of a memory. */
function counted(sql: AnySql, owners: Fragment, now: number): Fragment {
  const { today } = daysOf(sql, now);
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

/** The columns of both tables besides the count. */
function countedColumns(sql: AnySql): Fragment {
  return sql`owner_id, scope, project_id, bucket, memory_type, status, expires_on, workspace_item, is_waiting`;
}

/** Number of changes to take at a time. All changes of their owners are folded. */
const FOLDED_ROWS = 50_000;

/**
 * Sums the changes that writes have recorded, so that an owner has few rows. Only one server does it at a time.
 * Concurrent changes are left to the next run. Kinds with a sum of zero are removed.
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

/** Folds all changes of these owners. The rows have no key of their own, so they are selected by owner. */
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

/** Removes counts that were recorded for owners while they were being erased. */
export async function forgetCountsOfNobody(sql: Sql): Promise<void> {
  await sql`delete from memory_counts c where not exists (select from owners o where o.id = c.owner_id)`;
}
