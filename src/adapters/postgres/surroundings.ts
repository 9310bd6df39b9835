import { Buffer } from "node:buffer";
import { mayWrite } from "../../core/memory/access.ts";
import type { MemoryRecord, NewMemory } from "../../core/memory/memory-record.ts";
import type { Surroundings } from "../../core/memory/memory-store.ts";
import type { Context } from "./context.ts";
import { columns, toRecord, toSeen } from "./memory-row.ts";
import { standing, visible } from "./visibility.ts";

/**
 * Who holds the id, what is equal, and what states the same fact, in one statement; the rows are locked.
 * It looks at the whole owner, and says of each row whether the caller may see it.
 */
export async function surroundings(
  { sql, caller }: Context,
  memory: NewMemory | MemoryRecord,
  ask: { dedupe: boolean },
): Promise<Surroundings> {
  const live = sql`m.status in ('active', 'started', 'completed') and (m.expires_at is null or m.expires_at > ${memory.updatedAt})`;
  const hash = ask.dedupe && memory.dedupeHash ? Buffer.from(memory.dedupeHash, "hex") : null;
  const rows = await sql`
    with holder as (
      select m.id, 'holder' as role from memories m
      where m.owner_id = ${memory.ownerId} and m.memory_id = ${memory.memoryId}
    ), equal as (
      select m.id, 'equal' as role from memories m
      where m.owner_id = ${memory.ownerId} and m.dedupe_hash = ${hash} and ${live}
      order by m.seq limit 1
    ), same_key as (
      select m.id, 'key' as role from memories m
      where m.owner_id = ${memory.ownerId} and m.semantic_key = ${memory.semanticKey} and ${live}
        and m.project_id is not distinct from ${memory.projectId} and m.bucket = ${memory.bucket} and m.scope = ${memory.scope}
    ), found as (
      select * from holder union all select * from equal union all select * from same_key
    )
    select ${columns(sql)}, found.role, ${standing(sql, caller)} as standing, ${visible(sql, caller)} as is_visible
    from memories m join found on found.id = m.id order by m.seq for update of m`;
  const holder = rows.find((row) => row.role === "holder");
  const equal = rows.find((row) => row.role === "equal" && row.is_visible);
  return {
    idHolder: holder ? (holder.is_visible ? toSeen(holder) : "unseen") : null,
    duplicate: equal ? toRecord(equal) : null,
    sameKey: rows
      .filter((row) => row.role === "key")
      .map((row) => ({ memory: toRecord(row), writable: row.is_visible && mayWrite(toSeen(row).standing) })),
  };
}
