/**
 * Statements name rows by owner and id. A statement with both touches only the owner's partition, and finds nothing if
 * the row has another owner (docs/decisions/0063).
 */

import type { OwnedRow } from "../../../core/project/workspace-store.ts";
import type { OwnedMemory } from "../../../core/projection/outbox.ts";
import type { AnySql, Fragment } from "../database/client.ts";

export interface RowsOfOwner {
  readonly ownerId: string;
  readonly ids: readonly string[];
}

/** Groups rows by owner, in the order of owners in which every transaction takes its locks. */
export function byOwner(rows: readonly OwnedRow[]): RowsOfOwner[] {
  const ids = new Map<string, string[]>();
  for (const { id, ownerId } of rows) {
    const known = ids.get(ownerId);
    if (known) known.push(id);
    else ids.set(ownerId, [id]);
  }
  return [...ids]
    .map(([ownerId, of]) => ({ ownerId, ids: of }))
    .sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1));
}

/**
 * SQL of the pairs of owner and id, for a condition `(m.owner_id, m.id) in …`. If the owner were a condition of its
 * own, the planner would read an index of the owner besides that of ids, and an owner may have a million rows.
 */
export function pairsOf(sql: AnySql, { ownerId, ids }: RowsOfOwner): Fragment {
  return sql`(select own.owner_id, own.id from ${ownedRows(
    sql,
    ids.map((id) => ({ ownerId, id })),
  )})`;
}

/** Rows of many owners in one statement: an SQL table `own` with their `owner_id` and `id`. Join it by both. */
export function ownedRows(sql: AnySql, rows: readonly OwnedRow[]): Fragment {
  return sql`unnest(${rows.map(({ ownerId }) => ownerId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as own (owner_id, id)`;
}

/** The same for references to memories. */
export function ownedMemories(sql: AnySql, memories: readonly OwnedMemory[]): Fragment {
  return ownedRows(
    sql,
    memories.map(({ ownerId, memory }) => ({ ownerId, id: memory })),
  );
}

/**
 * SQL table of the memories with these ids that belong to any of these owners. Each is looked up by itself, by its id.
 * `offset 0` keeps the planner from any other plan, whatever the table's statistics are.
 */
export function memoriesById(
  sql: AnySql,
  { owners, ids }: { readonly owners: readonly string[]; readonly ids: readonly string[] },
): Fragment {
  return sql`(
    select one.* from unnest(${ids as string[]}::uuid[]) as given (id) cross join lateral (
      select * from memories where owner_id = any(${owners as string[]}::uuid[]) and id = given.id offset 0
    ) one
  )`;
}
