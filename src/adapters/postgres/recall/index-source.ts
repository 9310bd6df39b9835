import { FINGERPRINT_MODULUS, OWNER_PORTIONS, type OwnerSum } from "../../../core/projection/fingerprint.ts";
import type { IndexSource, RecordEntry } from "../../../core/projection/index-source.ts";
import type { Unembedded } from "../../../core/projection/reembed.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { ownedMemories } from "../memory/owned-rows.ts";
import { memoriesByOwner } from "../memory/total.ts";
import { isEmbedded, storeVectors } from "./embeddings.ts";
import { documentColumns, projectedRevision, toIndexDocument, withEmbedding } from "./index-document-row.ts";

/** `generation`: the embedding generation of the vectors that are written now. */
export function createIndexSource(sql: Sql, generation: number): IndexSource {
  return {
    async unembedded(memories) {
      const rows = await sql`
        select m.owner_id, m.id as memory, m.revision, m.content from ${ownedMemories(sql, memories)}
        join ${withEmbedding(sql, generation)} on m.owner_id = own.owner_id and m.id = own.id
        where m.status <> 'redacted' and not ${isEmbedded(sql)}`;
      return rows.map(fromRow<Unembedded>);
    },
    async storeVectors(vectors) {
      await retried(() => storeVectors(sql, generation, vectors));
    },
    async documents(memories, embeddings) {
      const rows = await sql`
        select ${documentColumns(sql)} from ${ownedMemories(sql, memories)}
        join ${withEmbedding(sql, embeddings)} on m.owner_id = own.owner_id and m.id = own.id`;
      return rows.map(toIndexDocument);
    },
    async documentsAfter(memory, limit, embeddings) {
      const rows = await sql`
        select ${documentColumns(sql)} from ${withEmbedding(sql, embeddings)}
        ${memory === null ? sql`` : sql`where m.id > ${memory}`} order by m.id limit ${limit}`;
      return rows.map(toIndexDocument);
    },
    async count() {
      const [row] = await patiently(sql, (tx) => tx`select count(*) as count from memories`);
      return Number(row?.count);
    },
    async largeOwners(memories) {
      const rows = await patiently(
        sql,
        (tx) =>
          tx`select owner_id, count(*)::float8 as count from memories group by owner_id having count(*) > ${memories}`,
      );
      return new Map(rows.map((row) => [row.owner_id as string, row.count as number]));
    },
    async sums(embeddings, owners) {
      const rows = await patiently(sql, (tx) =>
        owners === null
          ? tx`select ${bucket(tx)} as bucket, count(*) as count, sum(${fingerprint(tx)})::bigint as sum
               from ${withEmbedding(tx, embeddings)} group by 1`
          : tx`select ${bucket(tx)} as bucket, count(*) as count, sum(${fingerprint(tx)})::bigint as sum
               from ${withEmbedding(tx, embeddings)} where m.owner_id = any(${owners as string[]}) group by 1`,
      );
      return rows.map((row) => ({ bucket: row.bucket, count: Number(row.count), sum: Number(row.sum) }));
    },
    async entries(buckets, embeddings, owners) {
      const rows = await patiently(
        sql,
        (tx) => tx`
          select m.id, m.owner_id, ${projectedRevision(tx)} as revision,
                 exists (select from outbox o where o.owner_id = m.owner_id and o.memory = m.id and o.kind <> 'embed') as is_pending
          from ${withEmbedding(tx, embeddings)} where ${isOfAny(tx, owners)} and ${bucket(tx)} = any(${buckets as number[]})`,
      );
      return rows.map(fromRow<RecordEntry>);
    },
    ownerCounts: () => patiently(sql, memoriesByOwner),
    async ownerSums(portion, embeddings) {
      const ids = await sql`
        select id from owners where ('x' || right(id::text, 2))::bit(8)::int % ${OWNER_PORTIONS}::int = ${portion}::int`;
      const owners = ids.map((row) => row.id as string);
      const sums = new Map<string, OwnerSum>();
      for (let at = 0; at < owners.length; at += OWNERS_AT_ONCE) {
        const some = owners.slice(at, at + OWNERS_AT_ONCE);
        const rows = await patiently(
          sql,
          (tx) => tx`
            select m.owner_id, count(*) as count, sum(${fingerprint(tx)})::bigint as sum
            from ${withEmbedding(tx, embeddings)} where m.owner_id = any(${some}) group by 1`,
        );
        for (const row of rows) sums.set(row.owner_id, { count: Number(row.count), sum: Number(row.sum) });
      }
      return sums;
    },
    async queue(memories) {
      await sql`
        insert into outbox (owner_id, memory, revision, kind)
        select m.owner_id, m.id, m.revision, 'put' from ${ownedMemories(sql, memories)}
        join memories m on m.owner_id = own.owner_id and m.id = own.id`;
    },
  };
}

/** Number of owners per statement, few enough that an index finds their memories without a scan of all. */
const OWNERS_AT_ONCE = 500;

/** True if the row `m` belongs to one of these owners; null: any owner. */
function isOfAny(sql: AnySql, owners: readonly string[] | null): Fragment {
  return owners === null ? sql`true` : sql`m.owner_id = any(${owners as string[]})`;
}

/** See `bucketOf`. */
function bucket(sql: AnySql): Fragment {
  return sql`('x' || right(m.id::text, 3))::bit(12)::int`;
}

/** See `fingerprint`. */
function fingerprint(sql: AnySql): Fragment {
  return sql`(('x' || substr(m.id::text, 25, 8))::bit(32)::bigint * (${projectedRevision(sql)} + 1)) % ${FINGERPRINT_MODULUS}::bigint`;
}

/** Runs a statement over all memories, which may take longer than the time limit of requests. */
async function patiently<T>(sql: Sql, work: (tx: AnySql) => T): Promise<Awaited<T>> {
  return sql.begin("read only", async (transaction) => {
    await transaction`select set_config('statement_timeout', '0', true)`;
    return work(transaction);
  }) as Promise<Awaited<T>>;
}
