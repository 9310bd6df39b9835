import { REVISION_STEP } from "../../../core/projection/fingerprint.ts";
import type { Incarnations } from "../../../core/projection/incarnation.ts";
import { awaitedLater } from "../../../core/resilience/awaited-later.ts";
import type {
  IndexChange,
  IndexFeed,
  IndexOutline,
  IndexTail,
} from "../../../recall/index/index-document.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { createIncarnations, stamp } from "../database/incarnation.ts";
import { memoriesOf } from "../memory/total.ts";
import { documentColumns, toIndexDocument, withEmbedding } from "./index-document-row.ts";

/** Rows per batch of a first read, few enough that the event loop stays responsive. */
const BATCH_ROWS = 1000;

/**
 * Maximum number of transaction ids that may be assigned again after a crash, since nothing about them had been written
 * to disk.
 */
const GIVEN_OUT_AGAIN_MAX = 10_000n;

/**
 * Reads the changes that an index has not seen yet. Rows are found by the transaction that wrote them: whatever
 * committed after the snapshot of the last read was written by a transaction at or above that snapshot's xmin, even if
 * it began earlier. So each read overlaps the last one a little and misses nothing. A row counter would not work, since
 * its values commit out of order.
 *
 * Transaction ids can be compared only within one incarnation of the record. So each cursor names its incarnation.
 * `read` returns null for a cursor from before a backup was restored.
 */
export function createIndexFeed(
  sql: Sql,
  generation: number,
  incarnations: Incarnations = createIncarnations(sql),
): IndexFeed {
  return {
    outline: (ownerId) => outline(sql, generation, ownerId),
    async read(ownerId, after, onBatch) {
      const cursor = after === null ? null : parsedCursor(after);
      const { id } = incarnations.known() ?? (await incarnations.current());
      if (cursor === null) {
        const read = await readAll(sql, generation, ownerId, onBatch);
        // If a backup was restored during the read, the rows belong to neither incarnation.
        const isSame = read.stamp === (await stampNow(sql)) && id === incarnations.known()?.id;
        return isSame || (await incarnations.current()).id === id
          ? writtenCursor({ ...read, incarnation: id })
          : null;
      }
      if (cursor.incarnation !== id) return null;
      const next = await readSince(sql, generation, ownerId, cursor.xmin, onBatch);
      if (next.stamp === cursor.stamp) return writtenCursor({ ...next, incarnation: id });
      // Postgres was restarted, or this is another server.
      if ((await incarnations.current()).id !== id) return null;
      const again = BigInt(cursor.xmin) - GIVEN_OUT_AGAIN_MAX;
      const from = again > 0n ? String(again) : "0";
      return writtenCursor({
        ...(await readSince(sql, generation, ownerId, from, onBatch)),
        incarnation: id,
      });
    },
  };
}

/** With fewer memories, reading is fast whether they fit or not. */
const SAMPLED_MIN = 100_000;
const SAMPLED_PAGES = 100;

async function outline(sql: Sql, generation: number, ownerId: string): Promise<IndexOutline> {
  const [counted] = await sql`
    select ${memoriesOf(sql, [ownerId])} as memories, greatest(1, pg_relation_size('memories') / 8192) as pages`;
  const { memories, pages } = counted as unknown as { memories: number; pages: number };
  if (memories < SAMPLED_MIN) return { memories, words: 0, vectorBytes: 0 };
  const percent = Math.min(100, (100 * SAMPLED_PAGES) / pages);
  const [mean] = await sql`
    select coalesce(avg(length(memory_words(m.content))), 0)::float8 as words,
      coalesce(avg(coalesce(octet_length(e.vector), 0) + coalesce(octet_length(e.multilingual), 0)), 0)::float8 as vector
    from memories m tablesample system (${percent}::real)
    left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}
    where m.owner_id = ${ownerId}`;
  return { memories, words: mean?.words as number, vectorBytes: mean?.vector as number };
}

/** How far an index has read. */
interface Read {
  readonly xmin: string;
  /** See `stamp`. */
  readonly stamp: string;
}

type Cursor = Read & { readonly incarnation: string };

export function writtenCursor({ incarnation, xmin, stamp }: Cursor): string {
  return `${incarnation} ${xmin} ${stamp}`;
}

export function parsedCursor(text: string): Cursor {
  const [incarnation = "", xmin = "", stamp = ""] = text.split(" ");
  return { incarnation, xmin, stamp };
}

type OnBatch = Parameters<IndexFeed["read"]>[2];

async function stampNow(sql: Sql): Promise<string> {
  const [row] = await sql`select ${stamp(sql)} as stamp`;
  return row?.stamp as string;
}

async function readAll(sql: Sql, generation: number, ownerId: string, onBatch: OnBatch): Promise<Read> {
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const [now] = await snapshot`
      select ${xmin(snapshot)} as xmin, ${stamp(snapshot)} as stamp, set_config('statement_timeout', '0', true),
             set_config('idle_in_transaction_session_timeout', '0', true)`;
    const rows = snapshot`select ${documentColumns(snapshot)} from ${withEmbedding(snapshot, generation)} where m.owner_id = ${ownerId} order by m.seq`;
    await readAhead(rows.cursor(BATCH_ROWS), (batch) => onBatch(batch.map(toPut)));
    return { xmin: now?.xmin as string, stamp: now?.stamp as string };
  }) as Promise<Read>;
}

/**
 * Requests the next batch while one is being processed. It iterates because the driver does not wait for the callback
 * of the last batch.
 */
async function readAhead<Batch>(
  batches: AsyncIterable<Batch>,
  work: (batch: Batch) => void | Promise<void>,
): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  // At its end, the driver's iterator does not return a promise.
  const ask = () => awaitedLater(Promise.resolve(iterator.next()));
  let next = ask();
  try {
    for (let batch = await next; !batch.done; batch = await next) {
      next = ask();
      await work(batch.value);
    }
  } catch (error) {
    // The cursor can be closed only between two answers.
    await next.catch(() => {});
    await iterator.return?.();
    throw error;
  }
}

/**
 * Number of changes to read first, in the order of their index. Without a limit, the planner expects a third of the
 * owner's memories, and plans each read again, mostly to find none. That takes as long as the rest of a search.
 */
const READ_FIRST = 8;

/** Reads the changes that an index has not seen: usually none, or a few new rows. */
async function readSince(
  sql: Sql,
  generation: number,
  ownerId: string,
  from: string,
  onBatch: OnBatch,
): Promise<Read> {
  const first = await changesSince(sql, generation, { ownerId, from }, READ_FIRST);
  const isAll = first.changes.length < READ_FIRST;
  const { changes, ...read } = isAll ? first : await changesSince(sql, generation, { ownerId, from }, null);
  if (changes.length > 0) await onBatch(changes);
  return read;
}

/** Reads changes in one statement, for one snapshot and one round trip: a search waits for it. */
async function changesSince(
  sql: Sql,
  generation: number,
  { ownerId, from }: { readonly ownerId: string; readonly from: string },
  limit: number | null,
): Promise<Read & { readonly changes: IndexChange[] }> {
  const some = limit === null ? sql`` : sql.unsafe(`order by changed_xid limit ${limit}`);
  // The join matches nothing, so a row is either a change or a removal. If nothing happened, there is one row with
  // neither.
  const rows = await sql`
    select s.xmin, s.stamp, c.*, t.* from (select ${xmin(sql)} as xmin, ${stamp(sql)} as stamp) s left join (
      (
        select ${documentColumns(sql)} from ${withEmbedding(sql, generation)}
        where m.owner_id = ${ownerId} and m.changed_xid >= ${from}::xid8 ${some}
      ) c full join (
        select memory as removed, revision * ${REVISION_STEP}::bigint as removed_revision from tombstones
        where owner_id = ${ownerId} and changed_xid >= ${from}::xid8 ${some}
      ) t on false
    ) on true`;
  const changes = rows.flatMap((row): IndexChange[] => {
    if (row.id !== null) return [toPut(row)];
    return row.removed === null ? [] : [{ kind: "remove", id: row.removed, revision: row.removed_revision }];
  });
  return { xmin: rows[0]?.xmin as string, stamp: rows[0]?.stamp as string, changes };
}

/** The oldest transaction that was still running. All transactions below it have been seen. */
function xmin(sql: AnySql): Fragment {
  return sql`pg_snapshot_xmin(pg_current_snapshot())::text`;
}

function toPut(row: Record<string, unknown>): IndexChange {
  return { kind: "put", document: toIndexDocument(row) };
}

/**
 * Maximum number of ids returned. A larger backlog is an import, and the coverage of a recall shows that it is behind.
 */
const IDS_MAX = 20_000;

/** Reads the pending lines of the outbox. If there are none, this is one index lookup. */
export function createIndexTail(sql: Sql): IndexTail {
  return {
    async read(ownerIds, limit, generation) {
      // One statement, because two would both miss a line that leaves the outbox in between.
      const rows = await sql`
        with waiting as (
          select owner_id, memory, row_number() over (order by memory) as place from (
            select distinct owner_id, memory from outbox
            where owner_id = any(${ownerIds as string[]}) and kind <> 'embed' limit ${IDS_MAX}
          ) w
        ), documents as (
          select ${documentColumns(sql)} from ${withEmbedding(sql, generation)}
          where m.id in (select memory from waiting where place <= ${limit}) and m.owner_id = any(${ownerIds as string[]})
        )
        select w.memory, w.owner_id as waiting_of, w.place, d.* from waiting w
        left join documents d on d.owner_id = w.owner_id and d.id = w.memory`;
      const documents = new Map(rows.filter((row) => row.id !== null).map((row) => [row.id, row]));
      const missing = new Map<string, number>();
      for (const row of rows) {
        if (row.place > limit) missing.set(row.waiting_of, (missing.get(row.waiting_of) ?? 0) + 1);
      }
      return {
        documents: [...documents.values()].map(toIndexDocument),
        ids: [...new Set(rows.map((row) => row.memory as string))],
        missing,
      };
    },
  };
}
