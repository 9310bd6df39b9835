import { Buffer } from "node:buffer";
import type { EmbeddingGeneration } from "../../../core/embedding/embedder.ts";
import type { MadeVectors } from "../../../core/projection/outbox.ts";
import type { EmbeddingBacklog, Unembedded } from "../../../core/projection/reembed.ts";
import { PASSAGE_CHARACTERS, PASSAGES_MAX } from "../../../recall/language/passages.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { ownedMemories } from "../memory/owned-rows.ts";

/** Returns the number of the generation, which is created if it is new. */
export async function ensureGeneration(sql: Sql, generation: EmbeddingGeneration): Promise<number> {
  const { provider, model, dimension } = generation;
  await sql`
    insert into embedding_generations (provider, model, dimension) values (${provider}, ${model}, ${dimension})
    on conflict do nothing`;
  return (await findGeneration(sql, generation)) as number;
}

/** Returns the number of a generation that was ever in use, or null. */
export async function findGeneration(sql: Sql, generation: EmbeddingGeneration): Promise<number | null> {
  const { provider, model, dimension } = generation;
  const [row] = await sql`
    select id from embedding_generations
    where provider = ${provider} and model = ${model} and dimension = ${dimension}`;
  return row ? (row.id as number) : null;
}

/** The dimension of each generation that was ever in use, by its number. */
export async function generationDimensions(sql: Sql): Promise<Map<number, number>> {
  const rows = await sql`select id, dimension from embedding_generations`;
  return new Map(rows.map((row) => [row.id as number, row.dimension as number]));
}

/**
 * True if the embedding `e` exists and has a vector for each passage of the memory `m`, as `passageCount` counts them.
 * A caller's embedding has one vector, however long the text. Few texts are read for this: the size of most shows that
 * they are one passage.
 */
export function isEmbedded(sql: AnySql): Fragment {
  return sql`(e.memory is not null and (e.by_caller or e.passages =
    case when octet_length(m.content) <= ${PASSAGE_CHARACTERS}::int then 1
    else least(${PASSAGES_MAX}::int, ceil(char_length(m.content) / ${PASSAGE_CHARACTERS}::numeric)) end))`;
}

/**
 * Stores vectors that were made after the write, and notifies indexes through the change feed. Skips a memory that has
 * changed since its text was read: its own outbox line follows. Also skips one that has a vector for each passage by
 * now, since the projection's revision could not distinguish the two. Rows are locked in the order of their ids.
 * Returns the memories whose vectors were stored.
 */
export async function storeVectors(
  sql: AnySql,
  generation: number,
  made: readonly MadeVectors[],
): Promise<string[]> {
  const hex = made.map(({ vectors: { bytes } }) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"),
  );
  const rows = await sql`
    with made as (
      select * from unnest(
        ${made.map(({ ownerId }) => ownerId)}::uuid[], ${made.map(({ memory }) => memory)}::uuid[],
        ${made.map(({ revision }) => revision)}::bigint[], ${hex}::text[], ${made.map(({ vectors }) => vectors.count)}::int[]
      ) as made (owner_id, memory, revision, vector, passages)
    ), unchanged as (
      select m.id, m.owner_id, made.vector, made.passages from memories m
      join made on m.owner_id = made.owner_id and m.id = made.memory and m.revision = made.revision
      order by m.id for update of m
    ), told as (
      update memories m set changed_xid = pg_current_xact_id() from unchanged
      where m.owner_id = unchanged.owner_id and m.id = unchanged.id
    ), replaced as (
      update embeddings e set vector = decode(unchanged.vector, 'hex'), passages = unchanged.passages from unchanged
      where e.owner_id = unchanged.owner_id and e.memory = unchanged.id and e.generation = ${generation}
        and not e.by_caller and e.passages <> unchanged.passages
      returning e.memory
    ), added as (
      insert into embeddings (owner_id, memory, generation, vector, passages)
      select owner_id, id, ${generation}, decode(vector, 'hex'), passages from unchanged
      on conflict do nothing returning memory
    )
    select memory from replaced union all select memory from added`;
  return rows.map((row) => row.memory as string);
}

/**
 * SQL of the memories `m` that lack vectors of that embedding generation and could have them. A redacted memory has no
 * text left.
 */
export function withoutEmbedding(sql: Sql, generation: Fragment): Fragment {
  return sql`from memories m left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}
    where m.status <> 'redacted' and not ${isEmbedded(sql)}`;
}

/** Creates access to the memories that lack vectors of that embedding generation. */
export function createEmbeddingBacklog(sql: Sql, generation: number): EmbeddingBacklog {
  const missing = () => withoutEmbedding(sql, sql`${generation}`);
  return {
    async count() {
      const [row] = await sql`select count(*) as count ${missing()}`;
      return Number(row?.count);
    },
    async read(after, limit) {
      const rows = await sql`
        select m.owner_id, m.id as memory, m.revision, m.content ${missing()} ${after === null ? sql`` : sql`and m.id > ${after}`}
        order by m.id limit ${limit}`;
      return rows.map(fromRow<Unembedded>);
    },
    store: (vectors) =>
      retried(() =>
        sql.begin(async (transaction) => {
          const memories = new Set(await storeVectors(transaction, generation, vectors));
          const stored = vectors.filter(({ memory }) => memories.has(memory));
          // Notifies the search engine's indexes that hold vectors of this generation, as of a write.
          await transaction`
            insert into outbox (owner_id, memory, revision, kind)
            select m.owner_id, m.id, m.revision, 'put' from ${ownedMemories(transaction, stored)}
            join memories m on m.owner_id = own.owner_id and m.id = own.id
            where exists (select from index_generations where embedding_generation = ${generation})`;
        }),
      ) as Promise<void>,
  };
}
