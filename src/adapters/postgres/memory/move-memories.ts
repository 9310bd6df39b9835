/** Memories that leave their owner for another one, and what the former owner's indexes are told. */
import type { AgentAudit, Moved, NewPlace } from "../../../core/agent/agent-store.ts";
import type { MemoryChange, MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { ChangeNote } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import type { Context } from "./context.ts";
import { changeWithFact } from "./supersession.ts";

/**
 * Moves memories to another owner, with their earlier states, so that the new owner sees all of their history and the
 * old one nothing. The old owner's index learns of it by a tombstone, the new one's by the rows.
 */
export async function moveMemories(
  sql: TransactionSql,
  from: string,
  place: NewPlace,
  memories: readonly Moved[],
  audit: AgentAudit,
): Promise<void> {
  const ids = memories.map((memory) => memory.id);
  await moveVersions(sql, from, place, memories);
  await moveRows(sql, place, memories);
  await leaveTombstones(sql, sql`select id, ${from}::uuid, revision from memories where id = any(${ids})`);
  await sql`
    insert into outbox (owner_id, memory, revision, kind)
    select ${from}::uuid, id, revision, 'remove' from memories where id = any(${ids})
    union all
    select owner_id, id, revision, 'put' from memories where id = any(${ids})`;
  await sql`
    insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id)
    select owner_id, ${audit.operation}, id, ${audit.tokenId ?? null}, ${audit.agentId}, ${audit.requestId ?? null}
    from memories where id = any(${ids})`;
}

async function moveRows(sql: TransactionSql, place: NewPlace, memories: readonly Moved[]): Promise<void> {
  const rows = memories.map((memory) => ({
    id: memory.id,
    memory_id: memory.memoryId,
    superseded_by: memory.supersededBy,
    project_id: memory.projectId,
    provenance: memory.provenance,
    create_hash: memory.createHash,
    dedupe_hash: memory.dedupeHash,
  }));
  await sql`
    update memories m set
      owner_id = ${place.ownerId}, scope = ${place.scope}, author_id = ${place.authorId}, memory_id = moved.memory_id,
      superseded_by = moved.superseded_by, project_id = moved.project_id, provenance = moved.provenance,
      create_hash = decode(moved.create_hash, 'hex'), dedupe_hash = decode(moved.dedupe_hash, 'hex'),
      revision = m.revision + 1, changed_xid = pg_current_xact_id()
    from jsonb_to_recordset(${rows as never}::jsonb) as moved (
      id uuid, memory_id text, superseded_by text, project_id text, provenance jsonb, create_hash text, dedupe_hash text
    )
    where m.id = moved.id`;
}

/**
 * Each earlier state has an owner, a place and an id of its own. The rows come later, since the states name successors by
 * the ids that these still have.
 */
async function moveVersions(
  sql: TransactionSql,
  from: string,
  place: NewPlace,
  memories: readonly Moved[],
): Promise<void> {
  const rows = memories.map(({ id, memoryId }) => ({ id, memory_id: memoryId }));
  await sql`
    with moved as (
      select n.id, n.memory_id as new_id, m.memory_id as old_id
      from jsonb_to_recordset(${rows as never}::jsonb) as n (id uuid, memory_id text) join memories m on m.id = n.id
      where m.owner_id = ${from}
    )
    update memory_versions v set state = v.state || jsonb_build_object(
      'owner_id', ${place.ownerId}::text, 'scope', ${place.scope}::text, 'author_id', ${place.authorId}::text,
      'memory_id', moved.new_id, 'project_id', coalesce(v.state->>'project_id', ${place.projectId}::text),
      'superseded_by', coalesce(
        (select successor.new_id from moved successor where successor.old_id = v.state->>'superseded_by'),
        v.state->>'superseded_by'
      )
    )
    from moved where v.memory = moved.id`;
}

/**
 * A change that gives the memory to another owner. Its earlier states stay the former owner's: nobody reads them through
 * the new one. The former owner's index learns of it by a tombstone, and its audit log has a line of its own.
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
 * Notes which memories an owner no longer has, for indexes that are read by owner. `gone` selects memory, owner and the
 * revision that took it away. A memory may come back to an owner and leave it again.
 */
export async function leaveTombstones(sql: AnySql, gone: Fragment): Promise<void> {
  await sql`
    insert into tombstones (memory, owner_id, revision) ${gone}
    on conflict (memory, owner_id) do update
      set revision = excluded.revision, changed_xid = excluded.changed_xid, removed_at = excluded.removed_at`;
}
