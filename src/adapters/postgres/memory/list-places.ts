/**
 * Remembers the places of pages in long lists, so that the next page, and any page near it, can be read without walking
 * from an end of the list. A place is counted from the oldest memory on, so new memories, which are added at the other
 * end, do not shift it. Changes that may have shifted a place are looked up each time, in the snapshot in which the
 * page is read.
 */
import { createHash } from "node:crypto";
import { BoundedCache } from "../../../core/cache.ts";
import type { Caller } from "../../../core/caller.ts";
import type { MemoryFilter } from "../../../core/memory/memory-filter.ts";
import { sortedEntries } from "../../../recall/each-member.ts";
import { REMOVALS_KEPT_MS } from "../../../recall/index/index-document.ts";
import type { Fragment, TransactionSql } from "../database/client.ts";
import { stamp } from "../database/incarnation.ts";
import { LIVE } from "./supersession.ts";
import { visibleOwners } from "./visibility.ts";

/** A memory of a list, and the number of memories from the oldest up to this one. */
export interface Place {
  readonly count: number;
  readonly createdAt: number;
  readonly seq: number;
}

/** Places of one list that are valid in one snapshot, the latest noted last. */
interface Places {
  readonly owners: string;
  /** The oldest transaction that was still running. Every later change belongs to it or to a later one. */
  readonly xmin: string;
  /** Transaction ids can be compared only under the same stamp. */
  readonly stamp: string;
  /** The time at which memories were live or expired. */
  readonly now: number;
  readonly places: readonly Place[];
}

const CACHED_BYTES_MAX = 4 * 1024 * 1024;
const TOTALS_BYTES_MAX = 1024 * 1024;
const PLACES_MAX = 64;
/** If there are more changes than this, all places are dropped. */
const CHANGES_MAX = 1000;
/** How long places may be used: a small part of the time for which removals are recorded. */
const KEPT_MS = REMOVALS_KEPT_MS / 24;

export class ListPlaces {
  readonly #lists = new BoundedCache<string, Places>({
    name: "places in lists",
    bytesMax: CACHED_BYTES_MAX,
    bytesOf: ({ owners, places }) => 300 + owners.length + 80 * places.length,
  });

  readonly #totals = new BoundedCache<string, number>({
    name: "totals of long lists",
    bytesMax: TOTALS_BYTES_MAX,
    bytesOf: () => 16,
  });

  /** Total of a long list when it was last read; null if not known. It may have changed since. */
  lastTotal(caller: Caller, filter: MemoryFilter): number | null {
    return this.#totals.get(keyOf(caller, filter)) ?? null;
  }

  noteTotal(caller: Caller, filter: MemoryFilter, total: number): void {
    this.#totals.set(keyOf(caller, filter), total);
  }

  /** Returns the places of a list that are valid in this snapshot, and a function to note another one. */
  async of(sql: TransactionSql, caller: Caller, filter: MemoryFilter) {
    const key = keyOf(caller, filter);
    const held = this.#lists.get(key);
    const isUsable = held !== undefined && held.now <= filter.now && filter.now - held.now < KEPT_MS;
    const found = await look(sql, caller, filter, isUsable ? held : null);
    return {
      places: found.places,
      note: (place: Place) => {
        const others = found.places.filter(({ count }) => count !== place.count);
        this.#lists.set(key, { ...found, places: [...others, place].slice(-PLACES_MAX) });
      },
    };
  }
}

/** Cache key: a hash of everything that decides a list's contents, except the current time and its current owners. */
function keyOf(caller: Caller, { now: _now, ...members }: MemoryFilter): string {
  const eyes: unknown[] = [];
  for (let one: Caller | undefined = caller; one !== undefined; one = one.onlooker) {
    const { owner, space, scopes } = one;
    eyes.push(owner.id, owner.kind, sortedEntries(space), scopes.has("knowledge:read"));
  }
  return createHash("sha256")
    .update(JSON.stringify([eyes, sortedEntries(members)]))
    .digest("base64");
}

/** Reads the state of the list in this snapshot, and keeps the earlier places that are still valid. */
async function look(
  sql: TransactionSql,
  caller: Caller,
  filter: MemoryFilter,
  held: Places | null,
): Promise<Places> {
  const [row] = await sql`
    with owner as materialized (select unnest(${visibleOwners(sql, caller)}) as id),
      shifted as materialized (${held === null ? nothing(sql) : shiftedSince(sql, held, filter.now)})
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, ${stamp(sql)} as stamp,
      (select coalesce(string_agg(id::text, ' ' order by id), '') from owner) as owners,
      (select count(*) from shifted) as changes, oldest.*
    from (select) one left join (select created_at, seq from shifted order by created_at nulls first, seq limit 1) oldest on true`;
  const { xmin, stamp: stamped, owners } = row as unknown as Pick<Places, "xmin" | "stamp" | "owners">;
  const isSame = held !== null && held.owners === owners && held.stamp === stamped;
  const found = { xmin, stamp: stamped, owners, now: filter.now, places: [] };
  if (!isSame || row?.changes > CHANGES_MAX) return found;
  if (row?.changes === 0) return { ...found, places: held.places };
  const oldest = { createdAt: row?.created_at as number | null, seq: row?.seq as number };
  return { ...found, places: held.places.filter((place) => isBefore(place, oldest)) };
}

/**
 * True if a place is older than the oldest change, and so unaffected. Always false if the place of a change is unknown.
 */
function isBefore(
  { createdAt, seq }: Place,
  change: { readonly createdAt: number | null; readonly seq: number },
): boolean {
  if (change.createdAt === null) return false;
  return createdAt < change.createdAt || (createdAt === change.createdAt && seq < change.seq);
}

function nothing(sql: TransactionSql): Fragment {
  return sql`select null::timestamptz as created_at, null::bigint as seq where false`;
}

/**
 * SQL of the changes of these owners that may have moved memories into or out of a list: writes, expiries, ends of
 * supersessions, and, without a place, removals and moves to another owner.
 */
function shiftedSince(sql: TransactionSql, { xmin, now: then }: Places, now: number): Fragment {
  const hasPassed = (instant: Fragment) => sql`(${instant} > ${then} and ${instant} <= ${now})`;
  return sql`
    (select m.created_at, m.seq from owner join memories m on m.owner_id = owner.id and m.changed_xid >= ${xmin}::xid8
      limit ${CHANGES_MAX + 1})
    union all
    (select m.created_at, m.seq from owner join memories m on m.owner_id = owner.id
      where m.expires_at is not null and m.workspace_item is null and m.status in ${LIVE(sql)}
        and ${hasPassed(sql`m.expires_at`)})
    union all
    (select m.created_at, m.seq from owner join memories m on m.owner_id = owner.id
      where m.superseded_until is not null and m.workspace_item is null and m.status = 'superseded'
        and (${hasPassed(sql`m.superseded_until`)} or ${hasPassed(sql`m.expires_at`)}))
    union all
    (select null, null from owner join tombstones t on t.owner_id = owner.id and t.changed_xid >= ${xmin}::xid8 limit 1)`;
}
