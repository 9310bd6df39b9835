import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { AnySql } from "../database/client.ts";
import { visible } from "./visibility.ts";

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
export function isConfined({ space, scopes }: Caller): boolean {
  return (
    space.projects !== null ||
    space.pathPrefix !== null ||
    space.buckets !== null ||
    !scopes.has("knowledge:read")
  );
}
