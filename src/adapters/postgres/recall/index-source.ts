import { FINGERPRINT_MODULUS } from "../../../core/projection/fingerprint.ts";
import type { IndexSource } from "../../../core/projection/index-source.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";
import { ownedMemories } from "../memory/owned-rows.ts";
import { isEmbedded, storeVectors } from "./embeddings.ts";
import { documentColumns, projectedRevision, toIndexDocument, withEmbedding } from "./index-document-row.ts";

/** `generation`: the embedding generation that is written now. */
export function createIndexSource(sql: Sql, generation: number): IndexSource {
  return {
    async unembedded(memories) {
      const rows = await sql`
        select m.id, m.owner_id, m.revision, m.content from ${ownedMemories(sql, memories)}
        join ${withEmbedding(sql, generation)} on m.owner_id = own.owner_id and m.id = own.id
        where m.status <> 'redacted' and not ${isEmbedded(sql)}`;
      return rows.map((row) => ({
        ownerId: row.owner_id,
        memory: row.id,
        revision: row.revision,
        content: row.content,
      }));
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
    async sums(embeddings, isCountOnly) {
      const rows = await patiently(sql, (tx) =>
        isCountOnly
          ? tx`select ${bucket(tx)} as bucket, count(*) as count, 0 as sum from memories m group by 1`
          : tx`select ${bucket(tx)} as bucket, count(*) as count, sum(${fingerprint(tx)})::bigint as sum
               from ${withEmbedding(tx, embeddings)} group by 1`,
      );
      return rows.map((row) => ({ bucket: row.bucket, count: Number(row.count), sum: Number(row.sum) }));
    },
    async entries(buckets, embeddings) {
      const rows = await patiently(
        sql,
        (tx) => tx`
          select m.id, m.owner_id, ${projectedRevision(tx)} as revision,
                 exists (select from outbox o where o.owner_id = m.owner_id and o.memory = m.id and o.kind <> 'embed') as is_pending
          from ${withEmbedding(tx, embeddings)} where ${bucket(tx)} = any(${buckets as number[]})`,
      );
      return rows.map((row) => ({
        id: row.id,
        ownerId: row.owner_id,
        revision: row.revision,
        isPending: row.is_pending,
      }));
    },
    async queue(memories) {
      await sql`
        insert into outbox (owner_id, memory, revision, kind)
        select m.owner_id, m.id, m.revision, 'put' from ${ownedMemories(sql, memories)}
        join memories m on m.owner_id = own.owner_id and m.id = own.id`;
    },
  };
}

/** See `bucketOf`. */
function bucket(sql: AnySql): Fragment {
  return sql`('x' || right(m.id::text, 3))::bit(12)::int`;
}

/** See `fingerprint`. */
function fingerprint(sql: AnySql): Fragment {
  return sql`(('x' || substr(m.id::text, 25, 8))::bit(32)::bigint * (${projectedRevision(sql)} + 1)) % ${FINGERPRINT_MODULUS}::bigint`;
}

/** A statement over all memories, which may take longer than requests may. */
async function patiently<T>(sql: Sql, work: (tx: AnySql) => T): Promise<Awaited<T>> {
  return sql.begin("read only", async (transaction) => {
    await transaction`select set_config('statement_timeout', '0', true)`;
    return work(transaction);
  }) as Promise<Awaited<T>>;
}
