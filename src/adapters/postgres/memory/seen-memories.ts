/** What a caller is shown: the memory that an id means to it, and the successors that it may know of. */
import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord, SeenMemory } from "../../../core/memory/memory-record.ts";
import type { Which } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
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
    order by ${inOrderOfMeaning(sql, caller)}
    limit 1 ${isLocked ? sql`for update of m` : sql``}`;
  return row ? toSeen(row) : null;
}

/**
 * The records with `supersededBy` only where the caller may see that memory too: the id of one outside its token's
 * space is not its to know. A caller that is not confined sees every memory of an owner it sees one of.
 */
export async function withVisibleSuccessors(
  sql: AnySql,
  caller: Caller,
  records: readonly MemoryRecord[],
): Promise<MemoryRecord[]> {
  const linked = records.filter((record) => record.supersededBy !== null);
  if (linked.length === 0 || !isConfined(caller)) return [...records];
  const owners = linked.map((record) => record.ownerId);
  const successors = linked.map((record) => record.supersededBy as string);
  const rows = await sql`
    select m.owner_id, m.memory_id from memories m
    join unnest(${owners}::uuid[], ${successors}::text[]) as named (owner_id, memory_id)
      on named.owner_id = m.owner_id and named.memory_id = m.memory_id
    where ${visible(sql, caller)}`;
  const known = new Set(rows.map((row) => `${row.owner_id}:${row.memory_id}`));
  return records.map((record) =>
    record.supersededBy === null || known.has(`${record.ownerId}:${record.supersededBy}`)
      ? record
      : { ...record, supersededBy: null },
  );
}

/** True where the credential sees only a part of its owner's memories. */
export function isConfined({ space, scopes, onlooker }: Caller): boolean {
  const { teamId: _, ...limits } = space;
  return (
    onlooker !== undefined ||
    !scopes.has("knowledge:read") ||
    Object.values(limits).some((limit) => limit !== null)
  );
}

/** The order in which a public id means one of several rows `m`: the first is meant. */
export function inOrderOfMeaning(sql: AnySql, caller: Caller): Fragment {
  return sql`(m.owner_id = ${caller.owner.id}) desc, m.seq`;
}
