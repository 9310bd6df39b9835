import { Buffer } from "node:buffer";
import type { TokenGeneration } from "../../../core/embedding/token-encoder.ts";
import type { EncodedTokens, TokenBacklog } from "../../../core/projection/encode-later.ts";
import type { Unembedded } from "../../../core/projection/reembed.ts";
import type { PackedTokens } from "../../../recall/index/packed-tokens.ts";
import type { ReadPassages } from "../../../recall/index/token-model.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { ownedMemories } from "../memory/owned-rows.ts";

/** Returns the number of the generation, which is created if it is new. */
export async function ensureTokenGeneration(
  sql: Sql,
  { model, dimension }: TokenGeneration,
): Promise<number> {
  await sql`insert into token_generations (model, dimension) values (${model}, ${dimension}) on conflict do nothing`;
  const [row] =
    await sql`select id from token_generations where model = ${model} and dimension = ${dimension}`;
  return row?.id as number;
}

/**
 * Reads the vectors of passages, in order; null for a passage that has none of that generation. The passages are
 * proposals of an index. Whether a caller may see them is decided when memories are read.
 */
export function createPassageReader(sql: Sql, generation: number): ReadPassages {
  return async (passages) => {
    const rows = await sql`
      select wanted.place, t.vectors
      from unnest(
        ${passages.map(({ ownerId }) => ownerId)}::uuid[], ${passages.map(({ memory }) => memory)}::uuid[],
        ${passages.map(({ passage }) => passage)}::int[]
      ) with ordinality as wanted (owner_id, memory, passage, place)
      join token_vectors t on t.owner_id = wanted.owner_id and t.memory = wanted.memory and t.generation = ${generation} and t.passage = wanted.passage`;
    const found: (PackedTokens | null)[] = passages.map(() => null);
    for (const { place, vectors } of rows) found[Number(place) - 1] = vectors;
    return found;
  };
}

/** Creates access to the memories without token vectors of that generation. */
export function createTokenBacklog(sql: Sql, generation: number): TokenBacklog {
  return {
    async count() {
      const [row] = await sql`select count(*) as count ${withoutTokenVectors(sql, sql`${generation}`)}`;
      return Number(row?.count);
    },
    async read(before, limit) {
      const rows = await sql`
        select m.owner_id, m.id as memory, m.revision, m.content ${withoutTokenVectors(sql, sql`${generation}`)}
          ${before === null ? sql`` : sql`and m.id < ${before}`}
        order by m.id desc limit ${limit}`;
      return rows.map(fromRow<Unembedded>);
    },
    async readOf(memories) {
      const rows = await sql`
        select m.owner_id, m.id as memory, m.revision, m.content ${withoutTokenVectors(sql, sql`${generation}`)}
          and (m.owner_id, m.id) in (select own.owner_id, own.id from ${ownedMemories(sql, memories)})`;
      return rows.map(fromRow<Unembedded>);
    },
    store: (encoded) => retried(() => store(sql, generation, encoded)),
    async dropOthers() {
      // A few at a time, so that requests can run in between.
      for (let dropped = 1; dropped > 0; ) {
        const rows = await sql`
          delete from token_vectors where (owner_id, memory, generation, passage) in (
            select owner_id, memory, generation, passage from token_vectors where generation < ${generation} limit 1000)`;
        dropped = rows.count;
      }
    },
  };
}

/**
 * SQL of the memories `m` that could have token vectors of that generation, but have none. A redacted memory has no
 * text left.
 */
export function withoutTokenVectors(sql: Sql, generation: Fragment): Fragment {
  return sql`from memories m where m.status <> 'redacted'
    and not exists (select from token_vectors t where t.owner_id = m.owner_id and t.memory = m.id and t.generation = ${generation})`;
}

/**
 * Stores all rows of each memory, or none if it has changed since its text was read. Memories' rows are locked
 * meanwhile, in the order of their ids, so that no text changes in between.
 */
async function store(sql: AnySql, generation: number, encoded: readonly EncodedTokens[]): Promise<void> {
  const rows = encoded.flatMap(({ ownerId, memory, revision, passages }) =>
    passages.map((vectors, passage) => ({ ownerId, memory, revision, passage, hex: hexOf(vectors) })),
  );
  await sql`
    with made as (
      select * from unnest(
        ${rows.map(({ ownerId }) => ownerId)}::uuid[], ${rows.map(({ memory }) => memory)}::uuid[], ${rows.map(({ revision }) => revision)}::bigint[],
        ${rows.map(({ passage }) => passage)}::int[], ${rows.map(({ hex }) => hex)}::text[]
      ) as made (owner_id, memory, revision, passage, vectors)
    ), unchanged as (
      select m.id, m.owner_id from memories m
      where (m.owner_id, m.id, m.revision) in (select owner_id, memory, revision from made) and m.status <> 'redacted'
      order by m.id for share of m
    )
    insert into token_vectors (owner_id, memory, generation, passage, vectors)
    select unchanged.owner_id, made.memory, ${generation}, made.passage, decode(made.vectors, 'hex')
    from made join unchanged on unchanged.id = made.memory
    on conflict do nothing`;
}

function hexOf(vectors: PackedTokens): string {
  return Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength).toString("hex");
}
