import type { RateCounter } from "../../../core/limits/rate-counter.ts";
import type { Sql } from "../database/client.ts";
import { type CountedBatch, inBatches } from "../memory/hit-batches.ts";

const WINDOW_MS = 60_000;
/** Nothing counts in a window any more that is over for so long. */
const KEPT_MINUTES = 2;

/** Counts in the database, by its clock: the same whichever server is asked. `report` is told where sweeping fails. */
export function createRateWindows(sql: Sql, report: (error: unknown) => void): RateCounter {
  let sweptAt: number | null = null;

  const hit = inBatches(async (hits) => {
    const counted = await count(sql, hits);
    if (sweptAt !== counted.endsAt) {
      sweptAt = counted.endsAt;
      sweep(sql).catch(report);
    }
    return counted;
  });
  return { hit };
}

/** In the order of the keys, so that two statements with the same keys wait for each other and never in a circle. */
async function count(sql: Sql, hits: ReadonlyMap<string, number>): Promise<CountedBatch> {
  const rows = await sql`
    insert into rate_windows (starts_at, key, hits)
    select date_bin('60 seconds', now(), 'epoch'), key, hits
    from unnest(${[...hits.keys()]}::text[], ${[...hits.values()]}::integer[]) as hit (key, hits)
    order by key collate "C"
    on conflict (starts_at, key) do update set hits = rate_windows.hits + excluded.hits
    returning key, hits, starts_at, now() as counted_at`;
  const [first] = rows;
  if (!first) throw new Error("No hit was counted.");
  const endsAt = (first.starts_at as number) + WINDOW_MS;
  return {
    totals: new Map(rows.map((row) => [row.key as string, row.hits as number])),
    endsAt,
    millisecondsLeft: endsAt - (first.counted_at as number),
  };
}

/** Once in a window by each server. What another server removes just now is left to it. */
async function sweep(sql: Sql): Promise<void> {
  await sql`
    delete from rate_windows where ctid = any(array(
      select ctid from rate_windows where starts_at < now() - make_interval(mins => ${KEPT_MINUTES})
      for update skip locked
    ))`;
}
