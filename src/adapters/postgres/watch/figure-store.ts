import type { FigureRow, FigureStore, Resolution } from "../../../core/watch/figure-store.ts";
import type { FigureDelta } from "../../../core/watch/figure-tally.ts";
import { QUEUE_LENGTH_MAX } from "../../../core/watch/watch.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";

/** How long figures are kept, by how fine they are. */
const KEPT: Readonly<Record<Resolution, string>> = { minute: "1 day", hour: "90 days" };
/** Rows deleted at a time, few enough that no one waits long for them. */
const SWEEP_ROWS = 5000;
/** Owners whose memories are counted at a time. */
const COUNTED_OWNERS_MAX = 10;

export function createFigureStore(sql: Sql): FigureStore {
  return {
    async add(deltas, indexLagSeconds) {
      await retried(() =>
        sql.begin(async (tx) => {
          for (const resolution of ["minute", "hour"] as const)
            await add(tx, resolution, deltas, indexLagSeconds);
        }),
      );
      await noteMemories(sql, deltas);
    },
    async read(ownerId, resolution, since) {
      // Figures of a team or user, with the index lag of the whole service.
      const rows = await sql`
        select f.at, f.recalls, f.latency::float8[] as latency, f.covered, f.coverage_sum, f.writes, f.failures, f.memories,
          coalesce(f.index_lag_seconds, s.index_lag_seconds) as index_lag_seconds
        from figures f left join figures s
          on s.owner_id is null and s.resolution = f.resolution and s.at = f.at
        where f.owner_id is not distinct from ${ownerId} and f.resolution = ${resolution}
          and f.at >= ${sql.typed.instant(since)}
        order by f.at`;
      return rows.map(fromRow<FigureRow>);
    },
    memories: (ownerId) => countMemories(sql, ownerId),
    async sweep() {
      for (const [resolution, kept] of Object.entries(KEPT)) {
        let gone = SWEEP_ROWS;
        while (gone === SWEEP_ROWS) {
          const { count } = await sql`
            delete from figures where ctid = any(array(
              select ctid from figures where resolution = ${resolution} and at < now() - ${kept}::interval
              limit ${SWEEP_ROWS}
            ))`;
          gone = count;
        }
      }
    },
  };
}

/** Adds figures to existing rows, the latency step by step. Figures of an owner that no longer exists are dropped. */
async function add(
  sql: AnySql,
  resolution: Resolution,
  deltas: readonly FigureDelta[],
  indexLagSeconds: number | null,
): Promise<void> {
  const lines = deltas.map(({ at, ...delta }) => ({ ...delta, at: new Date(at).toISOString() }));
  await sql`
    with told as (
      select "ownerId" as owner_id, date_trunc(${resolution}, at) as at, recalls, latency, covered, "coverageSum" as coverage_sum,
        writes, failures
      from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as told (
        "ownerId" uuid, at timestamptz, recalls bigint, latency bigint[], covered bigint, "coverageSum" float8,
        writes bigint, failures bigint
      )
      where "ownerId" is null or "ownerId" in (select id from owners)
    ), steps as (
      select owner_id, at, step, sum(counts)::bigint as counts
      from told, unnest(latency) with ordinality as latency (counts, step) group by 1, 2, 3
    ), latencies as (
      select owner_id, at, array_agg(counts order by step) as latency from steps group by 1, 2
    ), sums as (
      select owner_id, at, sum(recalls) as recalls, sum(covered) as covered, sum(coverage_sum) as coverage_sum,
        sum(writes) as writes, sum(failures) as failures
      from told group by 1, 2
    )
    insert into figures as f
      (resolution, at, owner_id, recalls, latency, covered, coverage_sum, writes, failures, index_lag_seconds)
    select ${resolution}, s.at, s.owner_id, s.recalls, l.latency, s.covered, s.coverage_sum, s.writes, s.failures,
      case when s.owner_id is null then ${indexLagSeconds}::real end
    from sums s join latencies l on l.at = s.at and l.owner_id is not distinct from s.owner_id
    order by s.owner_id nulls first, s.at
    on conflict (owner_id, resolution, at) do update set
      recalls = f.recalls + excluded.recalls,
      latency = array(
        select one + other from unnest(f.latency, excluded.latency) with ordinality as both_of (one, other, step) order by step
      ),
      covered = f.covered + excluded.covered, coverage_sum = f.coverage_sum + excluded.coverage_sum,
      writes = f.writes + excluded.writes, failures = f.failures + excluded.failures,
      index_lag_seconds = greatest(f.index_lag_seconds, excluded.index_lag_seconds)`;
}

/**
 * Counts the memories of owners that have written, unless there are too many, and stores the count in their latest
 * figures.
 */
async function noteMemories(sql: Sql, deltas: readonly FigureDelta[]): Promise<void> {
  const wrote = new Map<string | null, number>();
  for (const { ownerId, at, writes } of deltas)
    if (writes > 0) wrote.set(ownerId, Math.max(at, wrote.get(ownerId) ?? 0));
  // The total of all owners comes first, since every write adds to it.
  for (const [ownerId, at] of [...wrote].slice(0, 1 + COUNTED_OWNERS_MAX)) {
    const memories = await countMemories(sql, ownerId);
    await sql`
      update figures set memories = ${memories}
      where owner_id is not distinct from ${ownerId}
        and at = date_trunc(resolution, ${new Date(at).toISOString()}::timestamptz)`;
  }
}

/**
 * Counts memories exactly up to `QUEUE_LENGTH_MAX`. Beyond that, uses the database's estimate for all owners together.
 */
async function countMemories(sql: Sql, ownerId: string | null): Promise<number> {
  const those: Fragment = ownerId === null ? sql`` : sql`where owner_id = ${ownerId}`;
  const [row] = await sql`
    select count(*)::int as counted, (
      select greatest(0, reltuples)::float8 from pg_class where oid = 'memories'::regclass
    ) as estimate from (select from memories ${those} limit ${QUEUE_LENGTH_MAX}) m`;
  const counted = row?.counted as number;
  return ownerId === null ? Math.max(counted, row?.estimate as number) : counted;
}
