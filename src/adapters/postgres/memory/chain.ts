import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/**
 * A `with` clause: the table `link` has the ids of these memories, of those that state the same facts, and of all that
 * superseded any of them or were superseded by them, near and far. Each step asks an index, forwards and backwards.
 */
export function withChain(sql: AnySql, ids: readonly string[]): Fragment {
  return sql`
    with recursive link as (
      select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m where m.id = any(${ids as string[]})
      union
      -- A fact that has given way to an older one is in no later one's succession.
      select m.id, m.owner_id, m.memory_id, m.superseded_by from memories given join memories m
        on m.owner_id = given.owner_id and m.semantic_key = given.semantic_key and m.bucket = given.bucket
        and m.scope = given.scope and m.project_id is not distinct from given.project_id
      where given.id = any(${ids as string[]})
      union
      select next.* from link cross join lateral (
        select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m
        where m.owner_id = link.owner_id and m.superseded_by = link.memory_id
        union all
        select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m
        where m.owner_id = link.owner_id and m.memory_id = link.superseded_by
      ) next
    )`;
}

/** See `MemoryTransaction.isSuccessor`. */
export async function isSuccessor(
  sql: AnySql,
  { ownerId, memoryId }: Pick<MemoryRecord, "ownerId" | "memoryId">,
): Promise<boolean> {
  const [row] = await sql`
    select exists (select from memories m where m.owner_id = ${ownerId} and m.superseded_by = ${memoryId}) as is_named`;
  return row?.is_named === true;
}
