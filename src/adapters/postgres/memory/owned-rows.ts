/**
 * Rows as statements name them: by their owner and their id. A statement that has both touches the owner's part of the record
 * alone, and finds nothing where the owner is another one (docs/decisions/0063).
 */

import type { OwnedRow } from "../../../core/project/workspace-store.ts";
import type { OwnedMemory } from "../../../core/projection/outbox.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** Rows of one owner. */
export interface RowsOfOwner {
  readonly ownerId: string;
  readonly ids: readonly string[];
}

/** Rows of one or several owners, owner by owner, in the one order of owners in which all take their locks. */
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
 * The same as what pairs of owner and id are in, for memories by an array of ids: `(m.owner_id, m.id) in …`. With the owner as a
 * condition of its own the planner would read an owner's index beside that of ids, and an owner may have a million rows.
 */
export function pairsOf(sql: AnySql, { ownerId, ids }: RowsOfOwner): Fragment {
  return sql`(select own.owner_id, own.id from ${ownedRows(
    sql,
    ids.map((id) => ({ ownerId, id })),
  )})`;
}

/** Rows of many owners in one statement: a table `own` with their `owner_id` and `id`, to be joined with by both. */
export function ownedRows(sql: AnySql, rows: readonly OwnedRow[]): Fragment {
  return sql`unnest(${rows.map(({ ownerId }) => ownerId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as own (owner_id, id)`;
}

/** The same of memories. */
export function ownedMemories(sql: AnySql, memories: readonly OwnedMemory[]): Fragment {
  return ownedRows(
    sql,
    memories.map(({ ownerId, memory }) => ({ ownerId, id: memory })),
  );
}

/**
 * The memories of these ids that are any of these owners': a table of their rows. Each is looked up by itself, by its id (offset 0
 * keeps the planner from anything else), whatever is known of the table.
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
