/** Resolves public ids for a caller, and hides successors that it may not see. */
import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord, SeenMemory } from "../../../core/memory/memory-record.ts";
import type { Which } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { columns, toSeen } from "./memory-row.ts";
import { ofEachOwner, role, visible } from "./visibility.ts";

/**
 * Resolves a public id to a memory for this caller. The caller's own memory comes first, then those of its current
 * teams, the oldest first. The state of the memory does not matter, so every operation resolves an id to the same
 * memory, and a repeated request does as well.
 */
export async function selectNamed(
  sql: AnySql,
  caller: Caller,
  memoryId: string,
  { teamId = null, item = null, isLocked = false }: Which & { readonly isLocked?: boolean } = {},
): Promise<SeenMemory | null> {
  const isNamed = sql`m.memory_id = ${memoryId} and ${visible(sql, caller)}
    ${teamId === null ? sql`` : sql`and m.owner_id = ${teamId}`}
    ${item === null ? sql`` : sql`and m.workspace_item = ${item.kind} and m.project_id = ${item.projectId}`}`;
  const seen = sql`${columns(sql)}, ${role(sql, caller)} as role`;
  const named = ofEachOwner(
    sql,
    caller,
    (owner) => sql`select m.* from memories m where m.owner_id = ${owner} and ${isNamed}`,
  );
  const inOrder = sql`${named} m order by ${inOrderOfMeaning(sql, caller)} limit 1`;
  if (!isLocked) {
    const [row] = await sql`select ${seen} from ${inOrder}`;
    return row ? toSeen(row) : null;
  }
  for (;;) {
    const [row] = await sql`
      select locked.* from (select m.owner_id, m.id from ${inOrder}) meant left join lateral (
        select ${seen} from memories m
        where m.owner_id = meant.owner_id and m.id = meant.id and ${isNamed} for update of m
      ) locked on true`;
    if (row === undefined) return null;
    // The transaction that held the lock has moved or removed the memory. Resolve the id again.
    if (row.id !== null) return toSeen(row);
  }
}

/**
 * Removes `supersededBy` from each record whose successor the caller may not see: ids outside its token's space must
 * not leak. A caller that is not confined sees either all memories of an owner or none.
 */
export async function withVisibleSuccessors<M extends Pick<MemoryRecord, "ownerId" | "supersededBy">>(
  sql: AnySql,
  caller: Caller,
  records: readonly M[],
): Promise<M[]> {
  const linked = records.filter((record) => record.supersededBy !== null);
  if (linked.length === 0 || !isConfined(caller)) return [...records];
  const owners = linked.map((record) => record.ownerId);
  const successors = linked.map((record) => record.supersededBy as string);
  const rows = await sql`
    select seen.owner_id, seen.memory_id
    from unnest(${owners}::uuid[], ${successors}::text[]) as named (owner_id, memory_id) cross join lateral (
      select m.owner_id, m.memory_id from memories m
      where m.owner_id = named.owner_id and m.memory_id = named.memory_id and ${visible(sql, caller)} offset 0
    ) seen`;
  const known = new Set(rows.map((row) => `${row.owner_id}:${row.memory_id}`));
  return records.map((record) =>
    record.supersededBy === null || known.has(`${record.ownerId}:${record.supersededBy}`)
      ? record
      : { ...record, supersededBy: null },
  );
}

/** True if the credential sees only a part of its owner's memories. */
export function isConfined({ space, scopes, onlooker }: Caller): boolean {
  const { teamId: _, ...limits } = space;
  return (
    onlooker !== undefined ||
    !scopes.has("knowledge:read") ||
    Object.values(limits).some((limit) => limit !== null)
  );
}

/** SQL order in which a public id is resolved among several rows `m`. The first row wins. */
export function inOrderOfMeaning(sql: AnySql, caller: Caller): Fragment {
  return sql`(m.owner_id = ${caller.owner.id}) desc, m.seq`;
}
