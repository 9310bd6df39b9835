/** A page of a list, newest first, with the number of all that the list has. */
import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../../core/caller.ts";
import { everyLiveMemory, type MemoryFilter } from "../../../core/memory/memory-filter.ts";
import { SHOWN_FROM } from "../../../core/memory/memory-record.ts";
import type { ListedMemories, ListPage } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { snapshot } from "../database/transactions.ts";
import { matches } from "./filter.ts";
import type { ListPlaces, Place } from "./list-places.ts";
import { selectionOf } from "./memory-row.ts";
import { withVisibleSuccessors } from "./seen-memories.ts";
import { keptTotal, totalOf, totalWithin } from "./total.ts";
import { visible, visibleOwners } from "./visibility.ts";

/** What of a memory a list reads: what is shown, and its place. Long lists are read faster so. */
const listed = selectionOf({ ...SHOWN_FROM, createdAt: true, seq: true });
type Listed = ReturnType<typeof listed.readValues>;

/** See `MemoryStore.list`. */
export async function list(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  page: ListPage,
  places: ListPlaces,
): Promise<ListedMemories> {
  const { rows, total } =
    (page.offset >= FAR && page.after === null ? await farPage(sql, caller, filter, page, places) : null) ??
    (await nearPage(sql, caller, filter, page));
  const memories = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? memories.at(-1) : undefined;
  return {
    memories: await withVisibleSuccessors(sql, caller, memories),
    total,
    next: last ? { createdAt: last.createdAt, seq: last.seq } : null,
  };
}

/** The page, and the memory after it if there is one. */
interface FoundPage {
  readonly rows: readonly Listed[];
  readonly total: number;
}

/** From the beginning of the list on. */
async function nearPage(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  { after, offset, limit }: ListPage,
): Promise<FoundPage> {
  const from = after ? sql`and (m.created_at, m.seq) < (${after.createdAt}, ${after.seq})` : sql``;
  const stretch = { order: "desc", from, skipped: offset, count: limit + 1 } as const;
  if (isOfAll(caller, filter) && offset === 0) return pageWithTotal(sql, caller, filter, stretch);
  const [rows, total] = await Promise.all([
    rowsFrom(sql, caller, filter, stretch),
    totalOf(sql, caller, filter),
  ]);
  return { rows, total };
}

/** In one statement, where that does for the total and there is a row to have it. */
async function pageWithTotal(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  stretch: Stretch,
): Promise<FoundPage> {
  const total = totalWithin(sql, caller, filter);
  const rows = await stretchOf(sql, caller, filter, stretch, sql`, ${total} as total`).values();
  const found = rows[0]?.at(-1) as number | null | undefined;
  return { rows: rows.map(listed.readValues), total: found ?? (await totalOf(sql, caller, filter)) };
}

/** From here on it is worth two statements more to know from where a page is nearest. */
const FAR = 1000;

/**
 * Read from whichever is nearest: an end of the list, or a place where a page of it was read before. Its total says where that
 * is, and all is of one moment. null where the total is not kept, since counting walks as far as the page does.
 */
function farPage(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  { offset, limit }: ListPage,
  places: ListPlaces,
): Promise<FoundPage | null> {
  return snapshot(sql, async (tx) => {
    const total = await keptTotal(tx, caller, filter);
    if (total === null) return null;
    // Counted from the oldest on, as places are.
    const newest = total - offset;
    const oldest = Math.max(1, newest - limit);
    if (newest <= 0) return { rows: [], total };
    const known = await places.of(tx, caller, filter);
    const { place, ...nearest } = nearestOf({ newest, oldest, offset }, known.places);
    const sign = nearest.order === "desc" ? sql`<=` : sql`>=`;
    const from = place ? sql`and (m.created_at, m.seq) ${sign} (${place.createdAt}, ${place.seq})` : sql``;
    const found = await rowsFrom(tx, caller, filter, { ...nearest, from, count: newest - oldest + 1 });
    const rows = nearest.order === "desc" ? found : found.toReversed();
    const last = rows.at(-1);
    if (last) known.note({ count: oldest, createdAt: last.createdAt, seq: last.seq });
    return { rows, total };
  });
}

/** From where the fewest memories are walked past: a place, or, without one, the end of the list that the order begins at. */
function nearestOf(
  { newest, oldest, offset }: { readonly newest: number; readonly oldest: number; readonly offset: number },
  places: readonly Place[],
) {
  interface Start extends Pick<Stretch, "order" | "skipped"> {
    readonly place: Place | null;
  }
  const starts: Start[] = [
    { place: null, order: "desc", skipped: offset },
    { place: null, order: "asc", skipped: oldest - 1 },
  ];
  for (const place of places) {
    if (place.count >= newest) starts.push({ place, order: "desc", skipped: place.count - newest });
    if (place.count <= oldest) starts.push({ place, order: "asc", skipped: oldest - place.count });
  }
  return starts.reduce((best, start) => (start.skipped < best.skipped ? start : best));
}

interface Stretch {
  /** `desc`: the newest first, as lists are. */
  readonly order: "desc" | "asc";
  /** A further condition: where it begins. */
  readonly from: Fragment;
  /** So many are walked past. */
  readonly skipped: number;
  readonly count: number;
}

/** The memories of a stretch, in its order. */
async function rowsFrom(
  sql: AnySql,
  caller: Caller,
  filter: MemoryFilter,
  stretch: Stretch,
): Promise<readonly Listed[]> {
  return (await stretchOf(sql, caller, filter, stretch).values()).map(listed.readValues);
}

/** Its rows, owner by owner, each in the order of its index. `besides`: what each row has besides its memory, where nothing is walked past. */
function stretchOf(
  sql: AnySql,
  caller: Caller,
  filter: MemoryFilter,
  { order, from, skipped, count }: Stretch,
  besides: Fragment = sql``,
): Fragment {
  // What is walked past is sorted: by what it is sorted by alone, and the page is read of what is left.
  const isWalked = skipped > 0;
  const along = order === "desc" ? sql`desc` : sql`asc`;
  const paged = sql`
    select m.*${besides} from unnest(${visibleOwners(sql, caller)}) as o (id) cross join lateral (
      select ${isWalked ? sql`m.id, m.owner_id, m.created_at, m.seq` : listed.columns(sql)} from memories m
      where m.owner_id = o.id and ${visible(sql, caller)} and ${matches(sql, filter)} ${from}
      order by m.created_at ${along}, m.seq ${along} limit ${isOfAll(caller, filter) ? written(sql, skipped + count) : sql`${skipped + count}`}
    ) m
    order by m.created_at ${along}, m.seq ${along} limit ${count} offset ${skipped}`;
  return isWalked
    ? sql`
        select ${listed.columns(sql)} from (${paged}) p join memories m on m.owner_id = p.owner_id and m.id = p.id
        order by p.created_at ${along}, p.seq ${along}`
    : paged;
}

/**
 * Whether somebody who may see everything asks for nothing in particular. Such a list is read from one index, whatever is in it,
 * and one plan does for all of them. Of what narrows a list it depends which index has the fewest to walk past.
 */
function isOfAll({ space, onlooker }: Caller, filter: MemoryFilter): boolean {
  const { includeKnowledge, withoutItems, now } = filter;
  const asksForAll = { ...everyLiveMemory(now), includeKnowledge, withoutItems };
  return (
    onlooker === undefined &&
    Object.values(space).every((part) => part === null) &&
    isDeepStrictEqual(filter, asksForAll)
  );
}

/** Up to so many stand in the statement itself. */
const WRITTEN_MAX = 128;

/**
 * A limit that the planner knows: of a parameter it takes a plan for a tenth of the list for the usual one, and so plans each page
 * anew, which takes longer than to read it.
 */
function written(sql: AnySql, limit: number): Fragment {
  return limit <= WRITTEN_MAX ? sql.unsafe(String(limit)) : sql`${limit}`;
}
