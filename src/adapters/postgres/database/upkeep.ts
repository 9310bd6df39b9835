import { countAhead } from "../recall/transaction-ids.ts";
import type { Sql } from "./client.ts";
import { createIncarnations } from "./incarnation.ts";
import { fromRow, type Row } from "./rows.ts";

/** Conditions of a database that may need an operator, as far as it reports them. */
export interface DatabaseUpkeep {
  /** True for a replica, and for a database that is set to refuse writes. */
  readonly isReadOnly: boolean;
  /** How far its clock is ahead of this machine's; negative if it is behind. */
  readonly clockAheadMs: number;
  readonly bytes: number;
  /** Age of the oldest open transaction that has written something or waits prepared; 0 if there is none. */
  readonly oldestWriteSeconds: number;
  /** Number of connections that it has for this service, without those that others use. */
  readonly connectionsLeft: number;
  /** Why the record is not where or when its last server left it; null if it is. */
  readonly movedBy: "restored" | "went_back" | "promoted" | null;
  /** Memories whose transaction ids are ahead of this cluster. */
  readonly ahead: number;
  /** Erasures of owners that began more than a minute ago and are not finished. */
  readonly unfinishedErasures: number;
  /** Receipts of removals that have waited for more than an hour to be confirmed. */
  readonly unconfirmedReceipts: number;
}

/** Reads these conditions without changing anything. The schema must be complete. */
export async function readDatabaseUpkeep(sql: Sql): Promise<DatabaseUpkeep> {
  const askedAt = Date.now();
  const [clock] = await sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const halfway = (askedAt + Date.now()) / 2;
  const [row] = await sql`
    select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only,
           pg_database_size(current_database()) as bytes,
           coalesce(extract(epoch from greatest(
             (select max(now() - xact_start) from pg_stat_activity
              where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()),
             (select max(now() - prepared) from pg_prepared_xacts where database = current_database())
           )), 0)::float8 as oldest_write_seconds,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
             - (select count(*) from pg_stat_activity where backend_type = 'client backend'
                and application_name <> 'recollect')::int as connections_left,
           (select count(*) from erasures where finished_at is null and started_at < now() - interval '1 minute')
             as unfinished_erasures,
           (select count(*) from receipts where confirmed_at is null and created_at < now() - interval '1 hour')
             as unconfirmed_receipts`;
  return {
    ...fromRow<Omit<DatabaseUpkeep, "clockAheadMs" | "movedBy" | "ahead">>(row as Row),
    clockAheadMs: Math.round((clock?.now as number) - halfway),
    movedBy: await createIncarnations(sql).movedBy(),
    ahead: await countAhead(sql),
  };
}
