import type { Sql } from "../database/client.ts";

/** Rows per transaction, few enough that no one waits long for their locks. */
const ROWS_AT_ONCE = 5000;
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * Rows of a dump have the transaction ids of their former cluster. If those are ahead of this cluster's, the change feed reads
 * them with every query, as if they had just been written. Sets them back below every reader, in batches, and skips rows that
 * are being changed: these get an id of this cluster. Can be repeated after an interruption. Returns how many rows were ahead.
 */
export async function mendTransactionIds(sql: Sql, signal: AbortSignal): Promise<number> {
  let mended = 0;
  for (let after: string | null = FIRST; after !== null && !signal.aborted; ) {
    const [row] = await sql`
      with portion as (
        select id, owner_id, changed_xid from memories where id > ${after} order by id limit ${ROWS_AT_ONCE}
      ), ahead as (
        select m.id, m.owner_id from memories m join portion p on m.owner_id = p.owner_id and m.id = p.id
        where p.changed_xid >= pg_snapshot_xmax(pg_current_snapshot()) and m.changed_xid = p.changed_xid
        order by m.id for update of m skip locked
      ), mended as (
        update memories m set changed_xid = '3' from ahead
        where m.owner_id = ahead.owner_id and m.id = ahead.id returning 1
      )
      select (select id from portion order by id desc limit 1) as last, (select count(*) from mended) as count`;
    mended += Number(row?.count);
    after = row?.last as string | null;
  }
  await sql`update tombstones set changed_xid = '3' where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  return mended;
}

/** Counts the memories that are read with every query because their transaction ids are ahead of this cluster's. */
export async function countAhead(sql: Sql): Promise<number> {
  const [row] = await sql`
    select count(*) as count from memories where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  return Number(row?.count);
}
