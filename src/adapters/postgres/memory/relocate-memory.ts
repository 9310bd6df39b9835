import type { MemoryChange, MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { ChangeNote } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import type { Context } from "./context.ts";
import { changeAndSettle } from "./supersession.ts";
import { leaveTombstones } from "./tombstones.ts";

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
  const moved = await changeAndSettle(context, memory, change, { ...how, detail });
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
