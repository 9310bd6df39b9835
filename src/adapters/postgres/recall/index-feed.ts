import type { IndexChange } from "../../../core/recall/index-document.ts";
import type { IndexFeed } from "../../../core/recall/recall-index.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { documentColumns, toIndexDocument, withEmbedding } from "./index-document-row.ts";

/** Rows a batch of a first read holds: small enough that the event loop stays live between batches. */
const BATCH_ROWS = 1000;

/**
 * What an index has not seen yet. Rows are found by the transaction that wrote them: whatever committed after the
 * snapshot of the last read was written by a transaction at or above that snapshot's xmin, even where it began
 * earlier. So each read overlaps the last one a little and misses nothing; a row counter would commit out of order.
 */
export function createIndexFeed(sql: Sql, generation: number): IndexFeed {
  return {
    read: (ownerId, cursor, onBatch) =>
      cursor === null
        ? readAll(sql, generation, ownerId, onBatch)
        : readSince(sql, generation, ownerId, cursor, onBatch),
  };
}

type OnBatch = Parameters<IndexFeed["read"]>[2];

async function readAll(sql: Sql, generation: number, ownerId: string, onBatch: OnBatch): Promise<string> {
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const [now] = await snapshot`
      select ${xmin(snapshot)} as xmin, set_config('statement_timeout', '0', true),
             set_config('idle_in_transaction_session_timeout', '0', true)`;
    const rows = snapshot`select ${documentColumns(snapshot)} from ${withEmbedding(snapshot, generation)} where m.owner_id = ${ownerId} order by m.seq`;
    // Iterated, not by callback: the driver does not wait for the callback of the last batch.
    for await (const batch of rows.cursor(BATCH_ROWS)) await onBatch(batch.map(toPut));
    return now?.xmin as string;
  }) as Promise<string>;
}

/** Two statements at once: the lower of their snapshots is where the next read goes on. */
async function readSince(
  sql: Sql,
  generation: number,
  ownerId: string,
  cursor: string,
  onBatch: OnBatch,
): Promise<string> {
  const [changed, removed] = await Promise.all([
    sql`
      select s.xmin, c.* from (select ${xmin(sql)} as xmin) s left join lateral (
        select ${documentColumns(sql)} from ${withEmbedding(sql, generation)} where m.owner_id = ${ownerId} and m.changed_xid >= ${cursor}::xid8
      ) c on true`,
    sql`
      select s.xmin, t.memory as id, t.revision * 2 as revision from (select ${xmin(sql)} as xmin) s
      left join tombstones t on t.owner_id = ${ownerId} and t.changed_xid >= ${cursor}::xid8`,
  ]);
  const puts = changed.filter((row) => row.id !== null).map(toPut);
  const removals = removed
    .filter((row) => row.id !== null)
    .map((row): IndexChange => ({ kind: "remove", id: row.id, revision: row.revision }));
  if (puts.length + removals.length > 0) await onBatch([...puts, ...removals]);
  return lower(changed[0]?.xmin as string, removed[0]?.xmin as string);
}

function lower(a: string, b: string): string {
  return BigInt(a) < BigInt(b) ? a : b;
}

/** The oldest transaction that was still running: all below it has been seen. */
function xmin(sql: AnySql): Fragment {
  return sql`pg_snapshot_xmin(pg_current_snapshot())::text`;
}

function toPut(row: Record<string, unknown>): IndexChange {
  return { kind: "put", document: toIndexDocument(row) };
}
