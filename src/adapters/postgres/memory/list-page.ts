/** Pages of a list, newest first unless it is sorted, with the list's total. */
import type { ListSort } from "../../../contract/filter.ts";
import type { Caller } from "../../../core/caller.ts";
import { everyLiveMemory, type MemoryFilter } from "../../../core/memory/memory-filter.ts";
import { SHOWN_FROM } from "../../../core/memory/memory-record.ts";
import type { ListedMemories, ListOrder, ListPage } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { snapshot } from "../database/transactions.ts";
import { memoryBytes, withinBytes } from "../database/within-bytes.ts";
import { askedOf } from "./filter.ts";
import type { ListPlaces, Place } from "./list-places.ts";
import { selectionOf } from "./memory-row.ts";
import { recallCounts } from "./recall-counts.ts";
import { withVisibleSuccessors } from "./seen-memories.ts";
import { type ChangingCallers, keptTotal, totalOf, totalWithin } from "./total.ts";

/**
 * Columns that a list reads: those that are shown, and those of its places. Reading few columns keeps long lists fast.
 */
const listed = selectionOf({ ...SHOWN_FROM, id: true, createdAt: true, seq: true });
type Listed = ReturnType<typeof listed.readValues>;

/** A requested list. */
interface List {
  readonly caller: Caller;
  readonly filter: MemoryFilter;
  /** See `isOfAll`. */
  readonly ofAll: boolean;
  readonly known: KnownOfLists;
}

/** Hints from lists that were read before. They decide how a page is read, never what it shows. */
export interface KnownOfLists {
  readonly places: ListPlaces;
  readonly passing: ChangingCallers;
}

/** The page, and the memory after it if there is one; fewer if they are too large for one answer. */
interface FoundPage extends Rows {
  readonly total: number;
}

interface Rows {
  readonly rows: readonly Listed[];
  /** True if rows were left out because of their size. */
  readonly isCut: boolean;
}

/** See `MemoryStore.list`. */
export async function list(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  page: ListPage,
  known: KnownOfLists,
): Promise<ListedMemories> {
  const asked = { caller, filter, ofAll: isOfAll(caller, filter), known };
  const isFar = page.offset >= FAR && page.after === null;
  const { rows, isCut, total } = page.order
    ? await sortedPage(sql, asked, { ...page, order: page.order })
    : ((isFar ? await farPage(sql, asked, page) : null) ?? (await nearPage(sql, asked, page)));
  const memories = rows.slice(0, page.limit);
  return {
    memories: await withVisibleSuccessors(sql, caller, memories),
    total,
    hasMore: isCut || rows.length > page.limit,
  };
}

/**
 * Reads a page from the beginning of the list. If the list is `ofAll`, one statement returns the page and the total.
 * Otherwise the total is read concurrently.
 */
async function nearPage(sql: Sql, asked: List, { after, offset, limit }: ListPage): Promise<FoundPage> {
  const from = after ? sql`and (m.created_at, m.seq) < (${after.createdAt}, ${after.seq})` : sql``;
  const stretch = { order: "desc", from, skipped: offset, count: limit + 1 } as const;
  const { caller, filter, ofAll, known } = asked;
  const counted = () => totalOf(sql, caller, filter, known.passing);
  if (ofAll) {
    const { total, ...found } = await rowsWithTotal(sql, asked, stretch);
    return { ...found, total: total ?? (await counted()) };
  }
  const [found, total] = await Promise.all([rowsFrom(sql, asked, stretch), counted()]);
  return { ...found, total };
}

/** Value that a list is sorted by. Long texts that begin alike keep the order of their memories. */
const SORTED_BY: Readonly<Record<ListSort, (sql: AnySql) => Fragment>> = {
  stored: (sql) => sql`m.created_at`,
  changed: (sql) => sql`m.updated_at`,
  content: (sql) => sql`lower(left(m.content, 40)) collate "C"`,
  path: (sql) => sql`m.path collate "C"`,
  type: (sql) => sql`m.memory_type`,
  importance: (sql) => sql`m.importance`,
  confidence: (sql) => sql`m.confidence`,
  recalls: (sql) => sql`coalesce(came.recalls, 0)`,
};

/** Reads a page in another order than by age. No index has it, so the value and place of every match are sorted. */
async function sortedPage(
  sql: Sql,
  { caller, filter, known: { passing } }: List,
  { order, offset, limit }: ListPage & { readonly order: ListOrder },
): Promise<FoundPage> {
  const along = order.isAscending ? sql`asc` : sql`desc`;
  const { seen, owners, allowed } = askedOf(sql, caller, filter);
  const page = sql`
    select m.* from unnest(${owners}) as o (id) cross join lateral (
      select m.id, m.owner_id, m.seq, ${SORTED_BY[order.by](sql)} as value from memories m
        ${order.by === "recalls" ? sql`left join ${recallCounts(sql)} came on came.memory = m.id` : sql``}
      where m.owner_id = o.id and ${allowed} offset 0
    ) m
    order by m.value ${along}, m.seq ${along} limit ${limit + 1} offset ${offset}`;
  const whole = sql`
    select ${listed.columns(sql)}, row_number() over (order by p.value ${along}, p.seq ${along}) as place from (${page}) p
    join memories m on m.owner_id = p.owner_id and m.id = p.id`;
  const within = withinBytes(sql, whole, { bytes: memoryBytes(sql), order: sql`r.place` });
  const [values, total] = await Promise.all([
    sql`with ${seen} ${within}`.values(),
    totalOf(sql, caller, filter, passing),
  ]);
  return { ...rowsIn(values), total };
}

/** From this offset on, the total is read first, to find the nearest point from which to read the page. */
const FAR = 1000;

/**
 * Reads a page far into the list. null if the total is not kept, since counting would take as long as reading the page.
 */
async function farPage(sql: Sql, asked: List, page: ListPage): Promise<FoundPage | null> {
  const { caller, filter } = asked;
  const { places, passing } = asked.known;
  const last = places.lastTotal(caller, filter);
  const expected = last ?? (await keptTotal(sql, caller, filter, passing));
  if (expected === null) return null;
  const found = (await pageOfOldest(sql, asked, page, expected)) ?? (await pageBetween(sql, asked, page));
  if (found !== null && found.total !== last) places.noteTotal(caller, filter, found.total);
  return found;
}

/** Maximum number of memories to skip from the end of the list. Beyond that, a place may be nearer. */
const WALKED_MAX = 1000;
/** Maximum number of attempts to read a page near the end while the total keeps changing. */
const TRIES_MAX = 3;

/**
 * Reads a page near the end of the list, from the end, in one statement. The page's position follows from the expected
 * total. The statement also returns the current total, which confirms the position. null if the page is not near the
 * end, if it has no memories, if the statement cannot return the total, or if the total was different each time.
 */
async function pageOfOldest(
  sql: Sql,
  asked: List,
  page: ListPage,
  expected: number,
): Promise<FoundPage | null> {
  for (let tries = 0, total: number | null = expected; tries < TRIES_MAX && total !== null; tries++) {
    const { newest, oldest } = boundsOf(page, total);
    if (newest < oldest || oldest > WALKED_MAX) return null;
    const stretch = { order: "asc", from: sql``, skipped: oldest - 1, count: newest - oldest + 1 } as const;
    const found = await rowsWithTotal(sql, asked, stretch);
    if (found.total === total) return { ...found, total };
    total = found.total;
  }
  return null;
}

/**
 * Reads a page from the nearest point: an end of the list, or a place where an earlier page was read. The total shows
 * how far each is. Everything is read in one snapshot. null if the total is not kept.
 */
function pageBetween(sql: Sql, asked: List, page: ListPage): Promise<FoundPage | null> {
  const { caller, filter } = asked;
  const { places, passing } = asked.known;
  return snapshot(sql, async (tx) => {
    const [total, known] = await Promise.all([
      keptTotal(tx, caller, filter, passing),
      places.of(tx, caller, filter),
    ]);
    if (total === null) return null;
    const { newest, oldest } = boundsOf(page, total);
    if (newest < oldest) return { rows: [], isCut: false, total };
    const { place, ...nearest } = nearestOf({ newest, oldest, offset: page.offset }, known.places);
    const sign = nearest.order === "desc" ? sql`<=` : sql`>=`;
    const from = place ? sql`and (m.created_at, m.seq) ${sign} (${place.createdAt}, ${place.seq})` : sql``;
    const found = await rowsFrom(tx, asked, { ...nearest, from, count: newest - oldest + 1 });
    const last = found.rows.at(-1);
    if (last) known.note({ count: newest - found.rows.length + 1, createdAt: last.createdAt, seq: last.seq });
    return { ...found, total };
  });
}

/**
 * Bounds of a page and the memory after it, counted from the oldest on, as places are. Empty if `newest` is below
 * `oldest`.
 */
function boundsOf({ offset, limit }: ListPage, total: number) {
  const newest = total - offset;
  return { newest, oldest: Math.max(1, newest - limit) };
}

/**
 * Finds the start that skips the fewest memories: a place, or, if `place` is null, the end at which the order begins.
 */
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
  /** A further condition, which defines the beginning. */
  readonly from: Fragment;
  /** Number of memories to skip. */
  readonly skipped: number;
  readonly count: number;
}

/** Reads the memories of a stretch, newest first, as many as fit into an answer. */
async function rowsFrom(sql: AnySql, asked: List, stretch: Stretch): Promise<Rows> {
  return rowsIn(await stretchOf(sql, asked, stretch, false).values());
}

/**
 * The same, with the total at that moment. The total is null if there is no row to carry it, or if `totalOf` is needed.
 */
async function rowsWithTotal(sql: AnySql, asked: List, stretch: Stretch) {
  const values = await stretchOf(sql, asked, stretch, true).values();
  return { ...rowsIn(values), total: (values[0]?.at(-3) ?? null) as number | null };
}

/** See `withinBytes`: the second to last value of a row is the number of rows found. */
function rowsIn(values: readonly (readonly unknown[])[]): Rows {
  return { rows: values.map(listed.readValues), isCut: Number(values[0]?.at(-2) ?? 0) > values.length };
}

/**
 * SQL of a stretch. Its rows are read owner by owner, each in the order of its index. In each row, the total follows
 * the members.
 */
function stretchOf(
  sql: AnySql,
  { caller, filter, ofAll, known: { passing } }: List,
  { order, from, skipped, count }: Stretch,
  hasTotal: boolean,
): Fragment {
  // Skipped rows are sorted by their place alone; whole rows are read only for the page.
  const isWalked = skipped > 0;
  const along = order === "desc" ? sql`desc` : sql`asc`;
  const asked = askedOf(sql, caller, filter);
  const total = hasTotal ? sql`, ${totalWithin(sql, caller, filter, { asked, passing })} as total` : sql``;
  const limit = ofAll ? written(sql, skipped + count) : sql`${skipped + count}`;
  const paged = sql`
    select m.*${total} from unnest(${asked.owners}) as o (id) cross join lateral (
      select ${isWalked ? sql`m.id, m.owner_id, m.created_at, m.seq` : listed.columns(sql)} from memories m
      where m.owner_id = o.id and ${asked.allowed} ${from}
      order by m.created_at ${along}, m.seq ${along} limit ${limit}
    ) m
    order by m.created_at ${along}, m.seq ${along} limit ${count} offset ${skipped}`;
  const whole = sql`
    select ${listed.columns(sql)}${hasTotal ? sql`, p.total` : sql``} from (${paged}) p
    join memories m on m.owner_id = p.owner_id and m.id = p.id order by p.created_at ${along}, p.seq ${along}`;
  const within = { bytes: memoryBytes(sql), order: sql`r.created_at desc, r.seq desc` };
  return sql`with ${asked.seen} ${withinBytes(sql, isWalked ? whole : paged, within)}`;
}

/**
 * True if neither the caller's credential nor the filter narrows the list. Such a list is read from one index, and one
 * plan fits all of them. If something narrows a list, the best index depends on what does.
 */
function isOfAll({ space, onlooker }: Caller, filter: MemoryFilter): boolean {
  if (onlooker !== undefined || Object.values(space).some((part) => part !== null)) return false;
  const { includeKnowledge, withoutItems, now, memoryTypes } = filter;
  const status = filter.status === "%" ? "%" : "active";
  const nothing = { ...everyLiveMemory(now), includeKnowledge, withoutItems, status, memoryTypes };
  return (
    memoryTypes.includes("%") &&
    Object.entries(nothing).every(([member, value]) => filter[member as keyof MemoryFilter] === value)
  );
}

/** Limits up to this number are written into the statement itself. */
const WRITTEN_MAX = 128;

/**
 * A limit that the planner knows. For a parameter, its generic plan assumes a tenth of the list, so it would plan each
 * page again, which takes longer than reading the page.
 */
function written(sql: AnySql, limit: number): Fragment {
  return limit <= WRITTEN_MAX ? sql.unsafe(String(limit)) : sql`${limit}`;
}
