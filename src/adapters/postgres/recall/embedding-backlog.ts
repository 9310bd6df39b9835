import type { EmbeddingBacklog } from "../../../core/projection/reembed.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";
import { storeVectors } from "./store-vectors.ts";

/** The memories `m` that a vector of that embedding generation could be made for, and that have none: a redacted one has no text left. */
export function withoutEmbedding(sql: Sql, generation: Fragment): Fragment {
  return sql`from memories m where m.status <> 'redacted'
    and not exists (select from embeddings e where e.memory = m.id and e.generation = ${generation})`;
}

/** The memories without a vector of that embedding generation. */
export function createEmbeddingBacklog(sql: Sql, generation: number): EmbeddingBacklog {
  const missing = () => withoutEmbedding(sql, sql`${generation}`);
  return {
    async count() {
      const [row] = await sql`select count(*) as count ${missing()}`;
      return Number(row?.count);
    },
    async read(after, limit) {
      const rows = await sql`
        select m.id, m.revision, m.content ${missing()} ${after === null ? sql`` : sql`and m.id > ${after}`}
        order by m.id limit ${limit}`;
      return rows.map((row) => ({ memory: row.id, revision: row.revision, content: row.content }));
    },
    store: (vectors) =>
      retried(() =>
        sql.begin(async (transaction) => {
          const memories = await storeVectors(transaction, generation, vectors);
          // Indexes of the search engine with these vectors learn of them as of a write.
          await transaction`
            insert into outbox (owner_id, memory, revision, kind)
            select owner_id, id, revision, 'put' from memories where id = any(${memories})
              and exists (select from index_generations where embedding_generation = ${generation})`;
        }),
      ) as Promise<void>,
  };
}
