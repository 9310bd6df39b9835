import type { Caller } from "../../../core/caller.ts";
import type { SeenMemory } from "../../../core/memory/memory-record.ts";
import type { Which } from "../../../core/memory/memory-store.ts";
import type { AnySql } from "../database/client.ts";
import { columns, toSeen } from "./memory-row.ts";
import { role, visible } from "./visibility.ts";

/**
 * The memory that a public id means to this caller: the one in the credential's own space first, then those in its live
 * teams, the oldest first. It goes by the spaces alone, whatever has become of the memory, so that every operation means
 * the same one, and a request that is sent again as well.
 */
export async function selectNamed(
  sql: AnySql,
  caller: Caller,
  memoryId: string,
  { teamId = null, item = null, isLocked = false }: Which & { readonly isLocked?: boolean } = {},
): Promise<SeenMemory | null> {
  const [row] = await sql`
    select ${columns(sql)}, ${role(sql, caller)} as role from memories m
    where m.memory_id = ${memoryId} and ${visible(sql, caller)} ${teamId === null ? sql`` : sql`and m.owner_id = ${teamId}`}
      ${item === null ? sql`` : sql`and m.workspace_item = ${item.kind} and m.project_id = ${item.projectId}`}
    order by (m.owner_id = ${caller.owner.id}) desc, m.seq
    limit 1 ${isLocked ? sql`for update of m` : sql``}`;
  return row ? toSeen(row) : null;
}
