import type { IndexChange, IndexDocument } from "../../core/recall/index-document.ts";
import type { IndexFeed } from "../../core/recall/recall-index.ts";
import type { AnySql, Fragment, Sql } from "./client.ts";

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
    const rows = snapshot`select ${document(snapshot)} ${joined(snapshot, generation)} where m.owner_id = ${ownerId} order by m.seq`;
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
        select ${document(sql)} ${joined(sql, generation)} where m.owner_id = ${ownerId} and m.changed_xid >= ${cursor}::xid8
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

/**
 * A row as an index document. Its revision is the projection's own: it rises with the row's, and once more when the
 * vector is made after the write.
 */
function document(sql: AnySql): Fragment {
  return sql`m.id, m.seq, m.revision * 2 + (e.memory is not null)::int as revision, m.owner_id, m.scope, m.project_id, m.path, m.bucket, m.memory_type, m.status,
    m.session_id, m.source, m.content, concat_ws(' ', m.semantic_key, m.logic_path) as keywords,
    coalesce(m.occurred_at, m.created_at) as occurred_at, m.created_at, m.expires_at, e.vector`;
}

function joined(sql: AnySql, generation: number): Fragment {
  return sql`from memories m left join embeddings e on e.memory = m.id and e.generation = ${generation}`;
}

function toPut(row: Record<string, unknown>): IndexChange {
  const document: IndexDocument = {
    id: row.id as string,
    seq: row.seq as number,
    revision: row.revision as number,
    ownerId: row.owner_id as string,
    teamId: row.scope === "team" ? (row.owner_id as string) : null,
    projectId: row.project_id as string | null,
    path: row.path as string,
    bucket: row.bucket as string,
    scope: row.scope as string,
    memoryType: row.memory_type as string,
    status: row.status as string,
    sessionId: row.session_id as string | null,
    source: row.source as string | null,
    content: row.content as string,
    keywords: row.keywords as string,
    occurredAt: row.occurred_at as number,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    vector: row.vector as Uint8Array | null,
  };
  return { kind: "put", document };
}
