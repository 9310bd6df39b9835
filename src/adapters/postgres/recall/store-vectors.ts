import { Buffer } from "node:buffer";
import type { MadeVector } from "../../../core/projection/outbox.ts";
import type { AnySql } from "../database/client.ts";

/**
 * Stores vectors made after the write, and tells indexes of them by the change feed. A memory that has changed since its
 * text was read is left alone: its own outbox line follows. Rows are locked in the order of their ids. Answers the memories.
 */
export async function storeVectors(
  sql: AnySql,
  generation: number,
  vectors: readonly MadeVector[],
): Promise<string[]> {
  const hex = vectors.map(({ vector }) =>
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("hex"),
  );
  const rows = await sql`
    with made as (
      select * from unnest(
        ${vectors.map(({ memory }) => memory)}::uuid[], ${vectors.map(({ revision }) => revision)}::bigint[], ${hex}::text[]
      ) as made (memory, revision, vector)
    ), unchanged as (
      select m.id, made.vector from memories m join made on m.id = made.memory and m.revision = made.revision
      order by m.id for update of m
    ), told as (
      update memories m set changed_xid = pg_current_xact_id() from unchanged where m.id = unchanged.id
    )
    insert into embeddings (memory, generation, vector)
    select id, ${generation}, decode(vector, 'hex') from unchanged
    on conflict (memory, generation) do update set vector = excluded.vector
    returning memory`;
  return rows.map((row) => row.memory as string);
}
