/** Moves memories to another owner, and notifies the indexes of both. */
import { EARLIER_STATES, type Moved } from "../../../core/agent/adopted-memory.ts";
import type { AgentAudit } from "../../../core/agent/agent-store.ts";
import type { MemoryChange, MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { ChangeNote } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import type { Actor } from "../../../core/project/actor.ts";
import type { Decision } from "../../../core/project/decision.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import { decisionState, eventColumns, todoState } from "../project/item-row.ts";
import type { Context } from "./context.ts";
import { toColumns } from "./memory-row.ts";
import { byOwner, pairsOf, type RowsOfOwner } from "./owned-rows.ts";
import { changeWithFact } from "./supersession.ts";

/** The members that an adoption changes. */
const ADOPTED = [
  "ownerId",
  "scope",
  "authorId",
  "memoryId",
  "projectId",
  "status",
  "content",
  "createHash",
  "dedupeHash",
  "semanticKey",
  "supersededBy",
  "supersededAt",
  "supersededByKey",
  "supersededStatus",
  "supersededUntil",
  "factVersion",
  "importance",
  "confidence",
  "metadata",
  "provenance",
  "itemStatus",
  "itemAgent",
  "dueAt",
] as const satisfies readonly (keyof MemoryRecord)[];

/**
 * Moves memories out of a quarantine, with their earlier states. The new owner sees all of their history, and the old
 * owner nothing. A tombstone notifies the old owner's index, and the rows notify the new owner's. Embeddings are made
 * again.
 */
export async function adoptMemories(
  sql: TransactionSql,
  from: string,
  moved: readonly Moved[],
  audit: AgentAudit,
  by: { readonly at: number; readonly actor: Actor },
): Promise<void> {
  const ids = moved.map(({ memory }) => memory.id);
  await moveVersions(sql, from, moved);
  await sql`delete from embeddings where owner_id = ${from} and memory = any(${ids})`;
  // Sent together, so that they do not wait for each other's answers.
  await Promise.all(moved.map(({ memory }) => moveRow(sql, from, memory)));
  await Promise.all(moved.flatMap((one) => saveState(sql, one, audit, by)));
  for (const rows of byOwner(moved.map(({ memory }) => memory))) await tellOfMoved(sql, from, rows, audit);
}

/** Notifies the former owner's indexes, the new owner's indexes and the new owner's audit log of moved memories. */
async function tellOfMoved(
  sql: TransactionSql,
  from: string,
  rows: RowsOfOwner,
  { operation, tokenId = null, agentId, requestId = null }: AgentAudit,
): Promise<void> {
  const theirs = sql`memories where (owner_id, id) in ${pairsOf(sql, rows)}`;
  await leaveTombstones(sql, sql`select id, ${from}::uuid, revision from ${theirs}`);
  await sql`
    insert into outbox (owner_id, memory, revision, kind)
    select ${from}::uuid, id, revision, 'remove' from ${theirs}
    union all
    select owner_id, id, revision, 'put' from ${theirs}`;
  await sql`
    insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id)
    select owner_id, ${operation}, id, ${tokenId}, ${agentId}, ${requestId} from ${theirs}`;
}

function moveRow(sql: TransactionSql, from: string, memory: MemoryRecord) {
  const changed = Object.fromEntries(ADOPTED.map((name) => [name, memory[name]]));
  return sql`
    update memories m set ${sql(toColumns(changed))}, revision = m.revision + 1, changed_xid = pg_current_xact_id()
    where m.owner_id = ${from} and m.id = ${memory.id}`;
}

/** Saves the state of a todo or decision, and a line of its audit trail. */
function saveState(
  sql: TransactionSql,
  { memory, todo, decision, formerStatus }: Moved,
  { operation, tokenId }: AgentAudit,
  { at, actor }: { readonly at: number; readonly actor: Actor },
) {
  const state = todo ?? decision;
  if (state === null) return [];
  const { id, ownerId } = memory;
  const event = { at, operation, from: formerStatus, to: state.status, actor, note: null };
  return [
    todo
      ? sql`update todos set ${sql(todoState.columns(todo))} where owner_id = ${ownerId} and id = ${id}`
      : sql`
          update decisions set ${sql(decisionState.columns(state as Decision))}
          where owner_id = ${ownerId} and id = ${id}`,
    sql`
      insert into workspace_events
      ${sql({ owner_id: ownerId, item: id, ...eventColumns(event, tokenId as string) })}`,
  ];
}

/**
 * Changes the owner, place and id in each earlier state, and removes from it what the memory itself loses. Runs before
 * the rows change, since the states name successors by their old ids.
 */
async function moveVersions(sql: TransactionSql, from: string, moved: readonly Moved[]): Promise<void> {
  const { importanceMax, confidenceMax, withoutMetadata } = EARLIER_STATES;
  const rows = moved.map(({ memory }) => ({
    id: memory.id,
    memory_id: memory.memoryId,
    owner_id: memory.ownerId,
    scope: memory.scope,
    author_id: memory.authorId,
    project_id: memory.projectId,
    has_fact: memory.semanticKey !== null,
    adopted_from: memory.provenance.adopted_from,
  }));
  await sql`
    with moved as (
      select n.*, m.memory_id as old_id
      from jsonb_to_recordset(${rows as never}::jsonb) as n (
        id uuid, memory_id text, owner_id text, scope text, author_id text, project_id text, has_fact boolean,
        adopted_from jsonb
      ) join memories m on m.id = n.id
      where m.owner_id = ${from}
    )
    update memory_versions v set state = v.state || jsonb_build_object(
      'owner_id', moved.owner_id, 'scope', moved.scope, 'author_id', moved.author_id, 'memory_id', moved.memory_id,
      'project_id', coalesce(v.state ->> 'project_id', moved.project_id),
      'superseded_by',
        (select successor.memory_id from moved successor where successor.old_id = v.state ->> 'superseded_by'),
      'importance', least((v.state ->> 'importance')::double precision, ${importanceMax}),
      'confidence', least((v.state ->> 'confidence')::double precision, ${confidenceMax}),
      'due_at', null, 'dedupe_hash', null,
      'metadata', (v.state -> 'metadata') - ${withoutMetadata as unknown as string[]}::text[],
      'provenance', (v.state -> 'provenance') || jsonb_build_object('adopted_from', moved.adopted_from)
    ) || case when moved.has_fact then '{}'::jsonb else jsonb_build_object(
      'semantic_key', null, 'superseded_by_key', false, 'superseded_status', null, 'superseded_until', null
    ) end
    from moved where v.owner_id = ${from} and v.memory = moved.id`;
}

/**
 * Changes a memory and gives it to another owner. Its earlier states stay with the former owner, and cannot be read
 * through the new one. A tombstone notifies the former owner's index, and the former owner's audit log gets a line of
 * its own.
 */
export async function relocateMemory(
  context: Context,
  memory: MemoryRecord,
  change: MemoryChange & Owned,
  how: ChangeNote,
): Promise<MemoryRecord> {
  const { sql, caller } = context;
  const detail = { ...how.detail, from: memory.ownerId, to: change.ownerId };
  const moved = await changeWithFact(context, memory, change, { ...how, detail });
  await leaveTombstones(
    sql,
    sql`values (${memory.id}::uuid, ${memory.ownerId}::uuid, ${moved.revision}::bigint)`,
  );
  await sql`
    insert into outbox (owner_id, memory, revision, kind)
    values (${memory.ownerId}, ${memory.id}, ${moved.revision}, 'remove')`;
  await sql`
    insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id, detail)
    values (${memory.ownerId}, ${how.operation}, ${memory.id}, ${caller.tokenId}, ${caller.attribution.agentId},
            ${caller.requestId}, ${detail as never}::jsonb)`;
  return moved;
}

/**
 * Records which memories an owner no longer has, for indexes that are read by owner. `gone` selects the memory, the
 * owner and the revision that removed it. A memory may return to an owner and leave it again.
 */
export async function leaveTombstones(sql: AnySql, gone: Fragment): Promise<void> {
  await sql`
    insert into tombstones (memory, owner_id, revision) ${gone}
    on conflict (memory, owner_id) do update
      set revision = excluded.revision, changed_xid = excluded.changed_xid, removed_at = excluded.removed_at`;
}
