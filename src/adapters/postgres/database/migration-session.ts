import { setTimeout as sleep } from "node:timers/promises";
import type { ReservedSql } from "postgres";
import type { Sql } from "./client.ts";

/** The only connection that migrates, and what else a migration needs. */
export interface Session {
  readonly connection: ReservedSql<{ bigint: number; instant: number }>;
  /** For watching progress meanwhile. */
  readonly pool: Sql;
  readonly log: (line: string) => void;
}

/**
 * How long a migration queues for a lock. Later requests for the same table queue behind it, so it gives up soon and
 * retries. So if a dump is open for an hour, no request waits longer than this at a time.
 */
const LOCK_MS = 250;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 5000;
const TELL_EVERY_MS = 10_000;

/**
 * A lock that was not available, a deadlock, a serialisation failure: the transaction was rolled back, and may succeed
 * next time.
 */
const TRY_AGAIN = new Set(["55P03", "40P01", "40001"]);

/**
 * Runs the work in a transaction, and retries until it gets its locks. Logs every ten seconds which processes hold
 * them.
 */
export async function transaction(
  session: Session,
  name: string,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { connection, log } = session;
  let toldAt = Number.NEGATIVE_INFINITY;
  for (let tries = 0; ; tries += 1) {
    try {
      await connection.unsafe("begin");
      await connection`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`;
      await work(session);
      await connection.unsafe("commit");
      return;
    } catch (error) {
      await connection.unsafe("rollback").catch(() => {});
      if (!TRY_AGAIN.has((error as { code?: string }).code ?? "")) throw error;
    }
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      log(`Migration ${name} waits for a lock. ${await holders(session)}It tries again until it gets it.`);
    }
    // Two transactions that wait for each other must not retry at the same time.
    const pause = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** tries);
    await sleep(pause * (0.5 + Math.random() / 2));
  }
}

/** A sentence about the oldest other processes that hold locks on tables of this schema. */
async function holders({ connection }: Session): Promise<string> {
  const rows = await connection`
    select l.pid, max(a.application_name) as name from pg_locks l
    join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    join pg_stat_activity a on a.pid = l.pid
    where l.database = (select oid from pg_database where datname = current_database())
      and l.granted and l.pid <> pg_backend_pid() and n.nspname in (current_schema(), 'auth')
    group by l.pid order by min(a.xact_start) nulls first, l.pid limit 3`.catch(() => []);
  if (rows.length === 0) return "";
  const list = rows.map(({ pid, name }) => (name ? `process ${pid} (${name})` : `process ${pid}`)).join(", ");
  return `Locks are held by ${list}. `;
}
