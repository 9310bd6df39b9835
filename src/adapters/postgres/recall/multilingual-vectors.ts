import { Buffer } from "node:buffer";
import type { EncodedMultilingual, ModelBacklog } from "../../../core/projection/encode-later.ts";
import type { Unembedded } from "../../../core/projection/reembed.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { ownedMemories } from "../memory/owned-rows.ts";

/** The embedding generation beside whose vectors they are kept, and the model that makes them. */
interface MultilingualBacklogOptions {
  readonly generation: number;
  readonly model: string;
}

/** Creates access to the memories that lack multilingual vectors of that model. */
export function createMultilingualBacklog(
  sql: Sql,
  { generation, model }: MultilingualBacklogOptions,
): ModelBacklog<EncodedMultilingual> {
  const columns = sql`m.owner_id, m.id as memory, m.revision, m.content`;
  const waiting = (): Fragment => sql`
    join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}
    where m.status <> 'redacted' and e.multilingual_model is distinct from ${model}`;
  return {
    async read(before, limit) {
      const rows = await sql`
        select ${columns} from memories m ${waiting()} ${before === null ? sql`` : sql`and m.id < ${before}`}
        order by m.id desc limit ${limit}`;
      return rows.map(fromRow<Unembedded>);
    },
    async readOf(memories) {
      const rows = await sql`
        select ${columns} from ${ownedMemories(sql, memories)}
        join memories m on m.owner_id = own.owner_id and m.id = own.id ${waiting()}`;
      return rows.map(fromRow<Unembedded>);
    },
    store: (encoded) =>
      retried(() => sql.begin((tx) => store(tx, { generation, model }, encoded))) as Promise<void>,
    // A memory has one vector of these, which the next model replaces.
    dropOthers: async () => {},
  };
}

/**
 * Stores the vectors, and notifies the indexes as of a write. Skips a memory that has changed since its text was read,
 * or whose row of that generation is gone. Rows are locked in the order of their ids.
 */
async function store(
  sql: AnySql,
  { generation, model }: MultilingualBacklogOptions,
  encoded: readonly EncodedMultilingual[],
): Promise<void> {
  await sql`
    with made as (
      select * from unnest(
        ${encoded.map(({ ownerId }) => ownerId)}::uuid[], ${encoded.map(({ memory }) => memory)}::uuid[],
        ${encoded.map(({ revision }) => revision)}::bigint[], ${encoded.map(hexOf)}::text[],
        ${encoded.map(({ language }) => language)}::text[]
      ) as made (owner_id, memory, revision, vector, language)
    ), unchanged as (
      select m.id, m.owner_id, m.revision, made.vector, made.language from memories m
      join made on m.owner_id = made.owner_id and m.id = made.memory and m.revision = made.revision
      where m.status <> 'redacted' order by m.id for update of m
    ), stored as (
      update embeddings e
      set multilingual = decode(unchanged.vector, 'hex'), multilingual_model = ${model}, language = unchanged.language
      from unchanged
      where e.owner_id = unchanged.owner_id and e.memory = unchanged.id and e.generation = ${generation}
    ), changed as (
      update memories m set changed_xid = pg_current_xact_id() from unchanged
      where m.owner_id = unchanged.owner_id and m.id = unchanged.id
    )
    insert into outbox (owner_id, memory, revision, kind)
    select owner_id, id, revision, 'put' from unchanged
    where exists (select from index_generations where embedding_generation = ${generation})`;
}

function hexOf({ vectors: { bytes } }: EncodedMultilingual): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
