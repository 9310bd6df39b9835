import { Buffer } from "node:buffer";
import { uuidv7 } from "uuidv7";
import type { OwnerRef } from "../../contract/transfer.ts";
import {
  type Fact,
  type ImportTarget,
  type ImportTransaction,
  ownerKey,
} from "../../core/transfer/import-target.ts";
import type { Restored } from "../../core/transfer/line.ts";
import type { Sql, TransactionSql } from "./client.ts";
import { isLive } from "./liveness.ts";
import { takeOwnerLocks } from "./locks.ts";
import { columns, toColumns, toRecord } from "./memory-row.ts";
import { retried } from "./retry.ts";

/** No token wrote an imported memory. */
const NO_TOKEN = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an import writes. `generation`: the embedding generation of the vectors it is given. */
export function createImportTarget(sql: Sql, generation: number): ImportTarget {
  return {
    transaction: (work) =>
      retried(() => sql.begin((tx) => work(createImportTransaction(tx, generation)))) as never,
  };
}

function createImportTransaction(sql: TransactionSql, generation: number): ImportTransaction {
  return {
    findOwners: (owners) => findOwners(sql, owners),
    async ensureOwners(owners) {
      const rows = owners.map(({ kind, name }) => ({ id: uuidv7(), kind, name }));
      await sql`insert into owners ${sql(rows)} on conflict do nothing`;
      return findOwners(sql, owners);
    },
    lockOwners: (ownerIds) => takeOwnerLocks(sql, ownerIds),
    async holders(ids) {
      const known = ids.filter(({ ownerId }) => UUID.test(ownerId));
      const rows = await sql`
        select ${columns(sql)} from unnest(
          ${known.map((id) => id.ownerId)}::uuid[], ${known.map((id) => id.memoryId)}::text[]
        ) as asked (owner_id, memory_id)
        join memories m on m.owner_id = asked.owner_id and m.memory_id = asked.memory_id`;
      return rows.map(toRecord);
    },
    liveFacts: (facts, now) => liveFacts(sql, facts, now),
    insert: (memories, from) => insert(sql, generation, memories, from),
  };
}

async function findOwners(sql: TransactionSql, owners: readonly OwnerRef[]): Promise<Map<string, string>> {
  const rows = await sql`
    select o.id, o.kind, o.name from owners o
    join unnest(${owners.map((owner) => owner.kind)}::text[], ${owners.map((owner) => owner.name)}::text[]) as asked (kind, name)
      on o.kind = asked.kind and o.name = asked.name`;
  return new Map(rows.map((row) => [ownerKey({ kind: row.kind, name: row.name }), row.id as string]));
}

async function liveFacts(sql: TransactionSql, facts: readonly Fact[], now: number) {
  const known = facts.filter(({ ownerId }) => UUID.test(ownerId));
  if (known.length === 0) return [];
  const rows = await sql`
    select ${columns(sql)} from unnest(
      ${known.map((fact) => fact.ownerId)}::uuid[], ${known.map((fact) => fact.semanticKey)}::text[],
      ${known.map((fact) => fact.projectId)}::text[], ${known.map((fact) => fact.bucket)}::text[],
      ${known.map((fact) => fact.scope)}::text[]
    ) as asked (owner_id, semantic_key, project_id, bucket, scope)
    join memories m on m.owner_id = asked.owner_id and m.semantic_key = asked.semantic_key
      and m.project_id is not distinct from asked.project_id and m.bucket = asked.bucket and m.scope = asked.scope
    where ${isLive(sql, now)}`;
  return rows.map(toRecord);
}

async function insert(
  sql: TransactionSql,
  generation: number,
  memories: readonly (Restored & { readonly vector: Uint8Array | null })[],
  from: string,
): Promise<void> {
  // Each earlier state had a revision of its own, so the row's comes after theirs.
  const rows = memories.map(({ memory, versions }) => ({
    ...toColumns(memory),
    author_token: NO_TOKEN,
    revision: versions.length + 1,
  }));
  await sql`insert into memories ${sql(rows)}`;
  await insertVersions(sql, memories);
  const vectors = memories.flatMap(({ memory, vector }) =>
    vector ? [{ memory: memory.id, generation, vector: Buffer.from(vector) }] : [],
  );
  if (vectors.length > 0) await sql`insert into embeddings ${sql(vectors)}`;
  const ids = memories.map(({ memory }) => memory.id);
  await sql`
    with m as (select id, owner_id, revision from memories where id = any(${ids})), audited as (
      insert into audit_log (owner_id, operation, memory, detail)
      select owner_id, 'import', id, jsonb_build_object('from', ${from}::text) from m
    )
    insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from m`;
}

/**
 * The earlier states, each as the service would have kept it: a state that the columns of today cannot hold fails here,
 * and not when somebody asks for the history.
 */
async function insertVersions(sql: TransactionSql, memories: readonly Restored[]): Promise<void> {
  const rows = memories.flatMap(({ memory, versions }) =>
    versions.map(({ state, validTo, reason }, index) => ({
      memory: memory.id,
      revision: index + 1,
      state: { ...toColumns(state), author_token: NO_TOKEN, revision: index + 1 },
      valid_to: new Date(validTo).toISOString(),
      reason,
    })),
  );
  if (rows.length === 0) return;
  const instants = await instantColumns(sql);
  for (let at = 0; at < rows.length; at += 1000) {
    const some = rows.slice(at, at + 1000).map((row) => ({ ...row, state: asJson(row.state, instants) }));
    await sql`
      insert into memory_versions (memory, revision, state, valid_to, reason)
      select v.memory, v.revision, to_jsonb(m), v.valid_to, v.reason
      from jsonb_to_recordset(${some as never}::jsonb)
        as v (memory uuid, revision bigint, state jsonb, valid_to timestamptz, reason text)
      cross join lateral jsonb_populate_record(null::memories, v.state) m`;
  }
}

/** The columns of memories that are instants, as the schema says: a list by hand would miss the next one. */
async function instantColumns(sql: TransactionSql): Promise<ReadonlySet<string>> {
  const rows = await sql`
    select attname as name from pg_attribute
    where attrelid = 'memories'::regclass and atttypid = 'timestamptz'::regtype and not attisdropped`;
  return new Set(rows.map((row) => row.name as string));
}

/** A row as JSON that Postgres can read as one. */
function asJson(row: Readonly<Record<string, unknown>>, instants: ReadonlySet<string>) {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]): [string, unknown] => {
      if (typeof value === "number" && instants.has(column)) return [column, new Date(value).toISOString()];
      return [column, value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value];
    }),
  );
}
