import type { CountedHits, RateCounter } from "../../../core/limits/rate-limiter.ts";
import type { Sql } from "../database/client.ts";

const WINDOW_MS = 60_000;
/** A window that ended this long ago no longer receives hits. */
const KEPT_MINUTES = 2;

/**
 * Counts hits in the database, by its clock, so that all servers share the counts. `report` is called if sweeping
 * fails.
 */
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
  return { hit, read: (keys) => read(sql, keys) };
}

async function read(sql: Sql, keys: readonly string[]): Promise<CountedHits> {
  const [row] = await sql`
    select date_bin('60 seconds', now(), 'epoch') as starts_at, now() as read_at, array(
      select coalesce(w.hits, 0) from unnest(${keys as string[]}::text[]) with ordinality as asked (key, place)
        left join rate_windows w on w.key = asked.key and w.starts_at = date_bin('60 seconds', now(), 'epoch')
      order by place
    ) as counts`;
  if (!row) throw new Error("No window was read.");
  const endsAt = (row.starts_at as number) + WINDOW_MS;
  return { counts: row.counts as number[], endsAt, millisecondsLeft: endsAt - (row.read_at as number) };
}

/**
 * Counts in the order of the keys, so that two statements with the same keys wait for each other and never deadlock.
 */
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

/** Runs once per window and server. Rows locked by another server's sweep are skipped. */
async function sweep(sql: Sql): Promise<void> {
  await sql`
    delete from rate_windows where ctid = any(array(
      select ctid from rate_windows where starts_at < now() - make_interval(mins => ${KEPT_MINUTES})
      for update skip locked
    ))`;
}

/** The answer of a statement that counted many hits at once. */
export interface CountedBatch extends Pick<CountedHits, "endsAt" | "millisecondsLeft"> {
  /** By counted key, the hits of the window, including these. */
  readonly totals: ReadonlyMap<string, number>;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly resolve: (counted: CountedHits) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Maximum number of concurrent statements. One can be sent while the last is answered, and the pool stays free for
 * other work.
 */
const IN_FLIGHT_MAX = 2;

/** A count that takes longer is not worth waiting for. */
const ANSWER_MS_MAX = 5000;

/**
 * Batches hits that arrive while earlier ones are being counted, so that many requests cost one statement. Each hit
 * gets its own count, in the order of arrival.
 */
export function inBatches(
  count: (hits: ReadonlyMap<string, number>) => Promise<CountedBatch>,
  answerMsMax = ANSWER_MS_MAX,
): (keys: readonly string[]) => Promise<CountedHits> {
  let waiting: Waiting[] = [];
  let inFlight = 0;

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    inFlight += 1;
    try {
      const counted = await count(hitsOf(batch));
      resolveBatch(batch, counted);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      if (waiting.length > 0) void flush();
    }
  }

  return (keys) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("Counting requests takes too long.")), answerMsMax);
      waiting.push({
        keys,
        resolve(counted) {
          clearTimeout(late);
          resolve(counted);
        },
        reject(error) {
          clearTimeout(late);
          reject(error);
        },
      });
      if (inFlight < IN_FLIGHT_MAX) void flush();
    });
}

function hitsOf(batch: readonly Waiting[]): Map<string, number> {
  const hits = new Map<string, number>();
  for (const key of batch.flatMap(({ keys }) => keys)) hits.set(key, (hits.get(key) ?? 0) + 1);
  return hits;
}

/**
 * Resolves each hit of a batch with its count. The first one follows what was counted before the batch, and the last
 * one gets the total.
 */
function resolveBatch(batch: readonly Waiting[], { totals, endsAt, millisecondsLeft }: CountedBatch): void {
  const places = new Map(totals);
  for (const [key, hits] of hitsOf(batch)) places.set(key, (totals.get(key) ?? 0) - hits);
  for (const { keys, resolve } of batch) {
    const counts = keys.map((key) => {
      const place = (places.get(key) ?? 0) + 1;
      places.set(key, place);
      return place;
    });
    resolve({ counts, endsAt, millisecondsLeft });
  }
}
