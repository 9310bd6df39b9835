/**
 * Storage used by owners, which the database counts with each statement that changes it. Quarantines are always
 * counted, users and teams once a limit was set on them, and so are end users.
 */
import type { Owner } from "../../../core/access/credential.ts";
import { areOwnersBounded, type StorageLimits, type Usage } from "../../../core/limits/storage-limits.ts";
import type { AnySql, Sql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";

/** Owner id that stands for all quarantines together. */
export const ALL_QUARANTINES = "00000000-0000-0000-0000-000000000000";

type CountedKind = Exclude<Owner["kind"], "agent">;

/**
 * Starts counting owners of these kinds. This is permanent, since another server may rely on it. Their usage is summed
 * once, while writes wait.
 */
export async function countOwners(sql: Sql, kinds: readonly CountedKind[]): Promise<void> {
  if (await areCounted(sql, kinds)) return;
  await retried(() =>
    sql.begin(async (tx) => {
      await tx`lock table memories, memory_versions in share row exclusive mode`;
      if (await areCounted(tx, kinds)) return;
      await tx`insert into counted_kinds select unnest(${kinds as CountedKind[]}::text[])`;
      await tx`
        insert into owner_usage (owner_id, shard, memories, bytes)
        select owner_id, 0, sum(memories), sum(bytes)
        from held_by_owners h join owners o on o.id = h.owner_id and o.kind = any(${kinds as CountedKind[]}) group by owner_id`;
    }),
  );
}

async function areCounted(sql: AnySql, kinds: readonly CountedKind[]): Promise<boolean> {
  const [row] = await sql`select from counted_kinds where kind = any(${kinds as CountedKind[]})`;
  return row !== undefined;
}

/** The table or view with the usage of users and teams. */
async function holdings(sql: AnySql): Promise<"owner_usage" | "held_by_owners"> {
  return (await areCounted(sql, ["user", "team"])) ? "owner_usage" : "held_by_owners";
}

/** The usage of a counted owner, including this transaction's writes. */
export async function usageOf(sql: AnySql, ownerId: string): Promise<Usage> {
  const [row] = await sql`
    select coalesce(sum(memories), 0)::bigint as memories, coalesce(sum(bytes), 0)::bigint as bytes
    from owner_usage where owner_id = ${ownerId}`;
  return row as unknown as Usage;
}

export interface OwnerUsage extends Usage {
  readonly kind: "user" | "team";
  readonly name: string;
}

/** The usage of users and teams, largest first. Those that hold nothing are left out. */
export async function usageOfOwners(sql: AnySql, limit: number): Promise<OwnerUsage[]> {
  const rows = await sql`
    select o.kind, o.name, sum(u.memories)::bigint as memories, sum(u.bytes)::bigint as bytes
    from ${sql(await holdings(sql))} u join owners o on o.id = u.owner_id and o.kind in ('user', 'team')
    group by o.id, o.kind, o.name having sum(u.memories) > 0 or sum(u.bytes) > 0
    order by sum(u.bytes) desc, o.name limit ${limit}`;
  return rows as unknown as OwnerUsage[];
}

/** Share of a limit from which on operators are warned. */
const NEARLY_FULL = 0.9;

/** Number of users and teams that hold at least nine tenths of a limit. */
export async function countNearlyFull(sql: AnySql, limits: StorageLimits): Promise<number> {
  if (!areOwnersBounded(limits)) return 0;
  const { ownerMemoriesMax, ownerBytesMax } = limits;
  const [row] = await sql`
    select count(*) as count from (
      select from ${sql(await holdings(sql))} u join owners o on o.id = u.owner_id and o.kind in ('user', 'team') group by o.id
      having sum(u.memories) >= ${(ownerMemoriesMax ?? Number.MAX_SAFE_INTEGER) * NEARLY_FULL}::float8
          or sum(u.bytes) >= ${(ownerBytesMax ?? Number.MAX_SAFE_INTEGER) * NEARLY_FULL}::float8
    ) full_ones`;
  return Number(row?.count);
}

/** A line for operators; null if there is nothing to report. */
export function nearlyFullLine(count: number): string | null {
  if (count === 0) return null;
  return `${count === 1 ? "1 owner holds" : `${count} owners hold`} 90 % or more of the storage limit`;
}

/** Number of per-connection rows that are folded at a time. */
const FOLDED_ROWS = 20_000;

/**
 * Sums the per-connection rows, so that an owner has few rows. Rows that are being written are left to the next run.
 * Several runs may take place at once.
 */
export async function foldUsage(sql: Sql): Promise<void> {
  await sql`
    with folded as (
      delete from owner_usage where (owner_id, shard) in (
        select owner_id, shard from owner_usage where shard <> 0 limit ${FOLDED_ROWS} for update skip locked
      ) returning owner_id, memories, bytes
    )
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select owner_id, 0, sum(memories), sum(bytes) from folded group by owner_id order by owner_id
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes`;
  await sql`delete from owner_usage where shard = 0 and memories = 0 and bytes = 0`;
}
