import { Buffer } from "node:buffer";
import type { MemoryChange, MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type { ChangeNote, MayBear } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import { successionOf } from "../../../core/memory/supersession.ts";
import type { ChosenVector } from "../../../core/memory/vector.ts";
import type { StoredVectors } from "../../../recall/index/vector-bytes.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { locksTaken } from "../database/locks.ts";
import type { Context } from "./context.ts";
import { jsonBytes, toColumns, toJsonColumns, WRITTEN_COLUMNS } from "./memory-row.ts";

type Inserting = Pick<Context, "caller" | "generation"> & { readonly sql: AnySql };

/** Inserts the row, its embedding, its audit line and its outbox line in one statement. */
export async function insertMemory(
  context: Inserting,
  memory: NewMemory,
  vector: ChosenVector,
): Promise<MemoryRecord> {
  return (await insertWhere(context, memory, vector, context.sql`true`)) as MemoryRecord;
}

/** The same, if no stored memory may affect it, as far as `bearing` asks. Otherwise writes nothing and returns null. */
export async function insertUnopposed(
  context: Inserting,
  memory: NewMemory,
  vector: ChosenVector,
  bearing: MayBear | null,
): Promise<MemoryRecord | null> {
  if (bearing === null) return insertMemory(context, memory, vector);
  const { sql } = context;
  const { ownerId, memoryId, dedupeHash, semanticKey, path } = memory;
  const { dedupe, alike = [] } = bearing.ask;
  const hash = dedupe && dedupeHash ? Buffer.from(dedupeHash, "hex") : null;
  // The locks are taken first, so that `is_opposed` sees what others wrote while this transaction waited for them.
  const isFree = sql`case when ${locksTaken(sql, bearing.locks)} then not is_opposed(
    ${ownerId}, ${memoryId}, ${hash}::bytea, ${semanticKey}, ${path}, ${alike as string[]}::text[]) end`;
  return insertWhere(context, memory, vector, isFree);
}

async function insertWhere(
  { sql, caller, generation }: Inserting,
  memory: NewMemory,
  vector: ChosenVector,
  condition: Fragment,
): Promise<MemoryRecord | null> {
  const row = { ...toColumns(memory), author_token: caller.tokenId };
  const columns = sql.unsafe(Object.keys(row).join(", "));
  const bytes = vector.vectors === null ? null : bytesOf(vector.vectors);
  const passages = vector.vectors?.count ?? 0;
  const [written] = await sql`
    with m as (
      insert into memories (${columns}) select ${sql(row)} where ${condition} returning id, seq, revision
    ), embedded as (
      insert into embeddings (owner_id, memory, generation, vector, passages, by_caller)
      select ${memory.ownerId}, id, ${generation}, ${bytes}::bytea, ${passages}, ${isOfCaller(vector)} from m where ${bytes !== null}
    ), audited as (
      insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id)
      select ${memory.ownerId}, 'create', id, ${caller.tokenId}, ${memory.agentId}, ${caller.requestId} from m
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select ${memory.ownerId}, id, revision, 'put' from m
    )
    select seq, revision from m`;
  return written ? { ...memory, seq: written.seq as number, revision: written.revision as number } : null;
}

/** Inserts many memories in order, each as by `insertMemory`, in one statement. */
export async function insertMemories(
  { sql, caller, generation }: Context,
  written: readonly { readonly memory: NewMemory; readonly vector: ChosenVector }[],
): Promise<MemoryRecord[]> {
  if (written.length === 0) return [];
  const numbers = await inBulk(sql, {
    rows: written.map(({ memory, vector }) => ({
      columns: { ...toJsonColumns(memory), author_token: caller.tokenId, revision: 1 },
      vectors: vector.vectors,
      isOfCaller: isOfCaller(vector),
    })),
    generation,
    audited: sql`
      insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id)
      select owner_id, 'create', id, ${caller.tokenId}, agent_id, ${caller.requestId} from m`,
  });
  const byId = new Map(numbers.map(({ id, seq, revision }) => [id as string, { seq, revision }]));
  return written.map(({ memory }) => {
    const given = byId.get(memory.id) as { seq: number; revision: number };
    return { ...memory, seq: given.seq, revision: given.revision };
  });
}

/** A row to write, and the vectors of its text; null if they are made later. */
export interface BulkRow {
  readonly columns: Readonly<Record<string, unknown>>;
  readonly vectors: StoredVectors | null;
  readonly isOfCaller: boolean;
}

const BULK_COLUMNS = [...WRITTEN_COLUMNS, "author_token", "revision"].join(", ");

/**
 * SQL that inserts rows in order, with their embeddings and outbox lines, in one statement. `audited` writes the audit
 * lines of the rows `m`. Each table's rows are one parameter: with one for each column, there would be thousands.
 */
export function inBulk(
  sql: AnySql,
  {
    rows,
    generation,
    audited,
  }: { readonly rows: readonly BulkRow[]; readonly generation: number; readonly audited: Fragment },
): Fragment {
  const columns = sql.unsafe(BULK_COLUMNS);
  const memories = rows.map((row) => row.columns);
  const embeddings = rows.flatMap(({ columns: { id, owner_id }, vectors, isOfCaller: by_caller }) =>
    vectors === null
      ? []
      : [{ owner_id, memory: id, vector: jsonBytes(vectors.bytes), passages: vectors.count, by_caller }],
  );
  return sql`
    with m as (
      insert into memories (${columns})
      select ${columns} from json_populate_recordset(null::memories, ${memories as never}::json) with ordinality
      order by ordinality
      returning id, owner_id, agent_id, seq, revision
    ), embedded as (
      insert into embeddings (owner_id, memory, generation, vector, passages, by_caller)
      select e.owner_id, e.memory, ${generation}, e.vector, e.passages, e.by_caller
      from json_to_recordset(${embeddings as never}::json)
        as e (owner_id uuid, memory uuid, vector bytea, passages smallint, by_caller boolean)
    ), audited as (
      ${audited}
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from m
    )
    select id, seq, revision from m`;
}

/** Writes the changed row, its former state if that is kept, its audit line and its outbox line in one statement. */
export async function changeMemory(
  context: Context,
  memory: MemoryRecord,
  change: MemoryChange & Partial<Owned>,
  how: ChangeNote,
): Promise<MemoryRecord> {
  const { sql, caller } = context;
  const next = { ...memory, ...change };
  // The row of a memory that is live again still has the status `superseded`, until a change writes its status.
  const row = toColumns(change.status === undefined ? change : { ...successionOf(next), ...change });
  const [written] = await sql`
    with kept as (
      insert into memory_versions (owner_id, memory, revision, state, valid_to, reason)
      select m.owner_id, m.id, m.revision, to_jsonb(m), ${next.updatedAt}, ${how.reason ?? null}
      from memories m where m.owner_id = ${memory.ownerId} and m.id = ${memory.id} and ${how.keepVersion}
    ), changed as (
      update memories m set ${sql(row)}, revision = m.revision + 1, changed_xid = pg_current_xact_id()
      where m.owner_id = ${memory.ownerId} and m.id = ${memory.id} and m.revision = ${memory.revision}
      returning m.id, m.revision
    ), audited as (
      insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id, detail)
      select ${next.ownerId}, ${how.operation}, id, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
             ${(how.detail ?? {}) as never}::jsonb
      from changed where ${how.detail !== null}
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select ${next.ownerId}, id, revision, 'put' from changed
    )
    select revision from changed`;
  if (!written) throw new Error("a locked memory was changed by another transaction");
  if (how.vector !== undefined) await replaceVector(context, next, how.vector);
  return { ...next, revision: written.revision as number };
}

/** Removes every embedding of the old text and stores the new one. If there is none, the worker makes it. */
async function replaceVector(
  { sql, generation }: Context,
  { id, ownerId }: Pick<MemoryRecord, "id" | "ownerId">,
  vector: ChosenVector,
): Promise<void> {
  await sql`delete from embeddings where owner_id = ${ownerId} and memory = ${id}`;
  const { vectors } = vector;
  if (vectors === null) return;
  await sql`
    insert into embeddings (owner_id, memory, generation, vector, passages, by_caller)
    values (${ownerId}, ${id}, ${generation}, ${bytesOf(vectors)}, ${vectors.count}, ${isOfCaller(vector)})`;
}

function isOfCaller({ used }: ChosenVector): boolean {
  return used === "caller";
}

/** See `MemoryTransaction.hasVector`. */
export async function hasVector(
  { sql, generation }: Context,
  { id, ownerId }: Pick<MemoryRecord, "id" | "ownerId">,
  vector: ChosenVector,
): Promise<boolean> {
  const { vectors } = vector;
  if (vectors === null) return false;
  const [row] = await sql`
    select vector = ${bytesOf(vectors)} and (not by_caller or ${isOfCaller(vector)}) as is_it from embeddings
    where owner_id = ${ownerId} and memory = ${id} and generation = ${generation}`;
  return row?.is_it === true;
}

function bytesOf({ bytes }: StoredVectors): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
