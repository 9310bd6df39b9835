import { createHmac, randomUUID } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import { MEMORY_MEMBERS, type MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { Erasure, StoredReceipt } from "../../../core/memory/memory-store.ts";
import type { Fragment, TransactionSql } from "../database/client.ts";
import { secret } from "../database/service-secret.ts";
import { redactItems } from "../project/item-row.ts";
import { forgetQuestions } from "../recall/recall-log.ts";
import type { Context } from "./context.ts";
import { forgetAnswers } from "./idempotency.ts";
import { type MemoryRow, redactionOf } from "./memory-row.ts";
import { leaveTombstones } from "./move-memories.ts";
import { byOwner, pairsOf, type RowsOfOwner } from "./owned-rows.ts";
import { bequeathVersions, memoriesOfChain, updateHolds, withChain } from "./supersession.ts";
import { visible } from "./visibility.ts";

/**
 * Permanently removes memories, or only their contents, from every table, and stores a receipt. Indexes confirm the
 * removal later through the outbox. All memories must belong to owners in which the caller may erase.
 */
export async function eraseMemories(
  context: Context,
  memories: readonly MemoryRecord[],
  how: Erasure,
): Promise<StoredReceipt> {
  const ids = memories.map((memory) => memory.id);
  context.onErased(ids);
  const owners = byOwner(memories);
  const remaining = await restOfChains(context, owners);
  const digest = await digestOf(context, memories);
  const removed = await countOf(context, owners);
  await forgetAnswers(context.sql, ids);
  await forgetQuestions(context.sql, ids);
  for (const rows of owners) {
    await forgetMerged(context.sql, rows);
    await updateHolds(context.sql, rows, { now: how.at, gone: true });
    await bequeathVersions(context.sql, rows);
    if (how.mode === "hard_delete") await removeRows(context, rows);
    else await redactRows(context, rows, how);
  }
  const receipt = { id: randomUUID(), state: "pending" as const, removed, digest, remaining };
  await leaveTraces(context, memories, how, receipt);
  return receipt;
}

/**
 * Ids of the visible memories in the same chains: those that these superseded, and those that superseded them. Oldest
 * first.
 */
async function restOfChains({ sql, caller }: Context, owners: readonly RowsOfOwner[]): Promise<string[]> {
  const remaining: MemoryRow[] = [];
  for (const rows of owners)
    remaining.push(
      ...(await sql`
        ${withChain(sql, rows)}
        select m.memory_id, m.seq from ${memoriesOfChain(sql)} m
        where m.id <> all(${rows.ids as string[]}) and ${visible(sql, caller)}`),
    );
  return remaining
    .sort((a, b) => (a.seq as number) - (b.seq as number))
    .map((row) => row.memory_id as string);
}

/**
 * The owner that may read the receipt: the owner of all removed memories, or the caller if they have several owners.
 */
function ownerOf(caller: Caller, owners: readonly string[]): string {
  const [first] = owners;
  return first !== undefined && owners.every((owner) => owner === first) ? first : caller.owner.id;
}

async function digestOf({ sql }: Context, memories: readonly MemoryRecord[]): Promise<string> {
  const digest = createHmac("sha256", await secret(sql, "receipts"));
  for (const memory of memories) digest.update(JSON.stringify([memory.id, memory.revision, memory.content]));
  return digest.digest("hex");
}

async function countOf(
  { sql }: Context,
  owners: readonly RowsOfOwner[],
): Promise<{ memories: number; versions: number; embeddings: number }> {
  const removed = { memories: 0, versions: 0, embeddings: 0 };
  for (const { ownerId, ids } of owners) {
    const of = sql`owner_id = ${ownerId} and memory = any(${ids as string[]})`;
    const [counts] = await sql`
      select (select count(*) from memory_versions where ${of}) as versions,
             (select count(*) from embeddings where ${of}) as embeddings`;
    removed.memories += ids.length;
    removed.versions += Number(counts?.versions);
    removed.embeddings += Number(counts?.embeddings);
  }
  return removed;
}

async function removeRows({ sql }: Context, { ownerId, ids }: RowsOfOwner): Promise<void> {
  const rows = ids as string[];
  await leaveTombstones(
    sql,
    sql`select id, owner_id, revision + 1 from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })}`,
  );
  // Another memory may take the id one day, and what these had superseded must not become its history.
  // Maintenance items follow the new revision, so that a run that merged the memories can still be undone.
  await sql`
    with freed as (
      update memories m set superseded_by = null, revision = m.revision + 1, changed_xid = pg_current_xact_id()
      from memories gone where (gone.owner_id, gone.id) in ${pairsOf(sql, { ownerId, ids })} and m.owner_id = gone.owner_id
        and m.superseded_by = gone.memory_id and m.id <> all(${rows})
      returning m.id, m.owner_id, m.revision
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from freed
    )
    update maintenance_items i set revision = freed.revision
    from freed where i.owner_id = freed.owner_id and i.memory = freed.id and i.state = 'changed' and i.revision = freed.revision - 1`;
  // Maintenance items still hold the id that a caller gave the memory.
  await sql`update maintenance_items set memory_id = null where owner_id = ${ownerId} and memory = any(${rows})`;
  // This also deletes the versions, embeddings and feedback.
  await sql`delete from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })}`;
}

/** The new value of each column, from the table of members. The words and the metadata come from `given`. */
const REDACTED = redactionOf(MEMORY_MEMBERS);

async function redactRows({ sql }: Context, { ownerId, ids }: RowsOfOwner, how: Erasure): Promise<void> {
  const rows = ids as string[];
  const { content, metadata } = how.replacement ?? { content: "[redacted]", metadata: {} };
  await sql`delete from memory_versions where owner_id = ${ownerId} and memory = any(${rows})`;
  await sql`delete from embeddings where owner_id = ${ownerId} and memory = any(${rows})`;
  await redactItems(sql, { ownerId, ids }, content);
  await sql`
    update memories set ${sql.unsafe(REDACTED)}, revision = revision + 1, changed_xid = pg_current_xact_id()
    from (select ${content}::text as words, ${metadata as never}::jsonb as metadata) given
    where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })}`;
}

async function leaveTraces(
  { sql, caller }: Context,
  memories: readonly MemoryRecord[],
  how: Erasure,
  receipt: StoredReceipt,
): Promise<void> {
  const ids = memories.map((memory) => memory.id);
  const owners = memories.map((memory) => memory.ownerId);
  const revisions = memories.map((memory) => memory.revision + 1);
  await sql`
    insert into outbox (owner_id, memory, revision, kind, receipt)
    select owner_id, memory, revision, ${how.mode === "hard_delete" ? "remove" : "put"}, ${receipt.id}
    from unnest(${owners}::uuid[], ${ids}::uuid[], ${revisions}::bigint[]) as erased (owner_id, memory, revision)`;
  await sql`
    insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id, detail)
    select owner_id, ${how.mode}, memory, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
           ${{ ...how.detail, receipt: receipt.id } as never}::jsonb
    from unnest(${owners}::uuid[], ${ids}::uuid[]) as erased (owner_id, memory)`;
  await sql`
    insert into receipts (id, owner_id, token_id, remaining, removed, digest, pending)
    values (${receipt.id}, ${ownerOf(caller, owners)}, ${caller.tokenId}, ${receipt.remaining as string[]},
            ${receipt.removed as never}, ${receipt.digest}, ${ids.length})`;
}

/**
 * Removes memories that are about to be erased from the provenance of the memories that they were merged into, and from
 * their former states. Those memories are found by the chains that lead to them. Their revision stays: no index holds
 * provenance, and every change of a memory reads it under its lock.
 */
async function forgetMerged(sql: TransactionSql, { ownerId, ids }: RowsOfOwner): Promise<void> {
  const others = sql`
    ${withChain(sql, { ownerId, ids })}, gone as (
      select array_agg(memory_id) as names from memories
      where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })}
    ), other as (
      select owner_id, id from link where id <> all(${ids as string[]})
    )`;
  await sql`
    ${others}
    update memories m set provenance = ${withoutThem(sql, sql`m.provenance`)}
    from gone, other where m.owner_id = other.owner_id and m.id = other.id and ${namesThem(sql, sql`m.provenance`)}`;
  await sql`
    ${others}
    update memory_versions v set state = jsonb_set(v.state, '{provenance}', ${withoutThem(sql, sql`v.state -> 'provenance'`)})
    from gone, other where v.owner_id = other.owner_id and v.memory = other.id and ${namesThem(sql, sql`v.state -> 'provenance'`)}`;
}

function namesThem(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`exists (
    select from jsonb_array_elements(${mergedEntries(sql, provenance)}) entry where entry ->> 'id' = any(gone.names))`;
}

function withoutThem(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`jsonb_set(${provenance}, '{merged_from}', (
    select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(${mergedEntries(sql, provenance)}) entry
    where coalesce(entry ->> 'id' <> all(gone.names), true)))`;
}

/** Callers write provenance too, so it may have any shape. */
function mergedEntries(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`case jsonb_typeof(${provenance} -> 'merged_from') when 'array' then ${provenance} -> 'merged_from' else '[]' end`;
}
