/** A page of a list, newest first, with the number of all that the list has. */
import type { Caller } from "../../../core/caller.ts";
import { everyLiveMemory, type MemoryFilter } from "../../../core/memory/memory-filter.ts";
import { SHOWN_FROM } from "../../../core/memory/memory-record.ts";
import type { ListedMemories, ListPage } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { snapshot } from "../database/transactions.ts";
import { memoryBytes, withinBytes } from "../database/within-bytes.ts";
import { askedOf } from "./filter.ts";
import type { ListPlaces, Place } from "./list-places.ts";
import { selectionOf } from "./memory-row.ts";
import { withVisibleSuccessors } from "./seen-memories.ts";
import { keptTotal, type PassingCallers, totalOf, totalWithin } from "./total.ts";

/** Columns that a list reads: those that are shown, and the place. Reading fewer makes long lists faster. */
const listed = selectionOf({ ...SHOWN_FROM, createdAt: true, seq: true });
type Listed = ReturnType<typeof listed.readValues>;

/** A list, as somebody asks for it. */
interface List {
  readonly caller: Caller;
  readonly filter: MemoryFilter;
  /** See `isOfAll`. */
  readonly ofAll: boolean;
  readonly known: KnownOfLists;
}

/** Hints of lists that were read before: they decide how a page is read, never what it shows. */
export interface KnownOfLists {
  readonly places: ListPlaces;
  readonly passing: PassingCallers;
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
  const { rows, isCut, total } =
    (isFar ? await farPage(sql, asked, page) : null) ?? (await nearPage(sql, asked, page));
  const memories = rows.slice(0, page.limit);
  return {
    memories: await withVisibleSuccessors(sql, caller, memories),
    total,
    hasMore: isCut || rows.length > page.limit,
  };
}

/** From the beginning of the list on: of everything in one statement, else with the total beside it. */
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

/** From here on it is worth a look at the total first to know from where a page is nearest. */
const FAR = 1000;

/** null where the total is not kept, since counting walks as far as the page does. */
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

/** So many memories are walked past from the end of the list before a place may be nearer. */
const WALKED_MAX = 1000;
/** So often a page near the end is read where the total was another one each time. */
const TRIES_MAX = 3;

/**
 * A page near the end of the list, in one statement: it is read from there, at where it lies if the total is the expected one,
 * and has the total of that moment, which says whether it is. null where it is not near the end, has no memories, or its total
 * is not told within the statement or was another one each time.
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
 * Read from whichever is nearest: an end of the list, or a place where a page of it was read before. Its total says where that
 * is, and all is of one moment. null where the total is not kept.
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

/** The memories of a page and the one after it, counted from the oldest on, as places are. `newest` is below `oldest`: none. */
function boundsOf({ offset, limit }: ListPage, total: number) {
  const newest = total - offset;
  return { newest, oldest: Math.max(1, newest - limit) };
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

/** The memories of a stretch, newest first, as many as fit into an answer. */
async function rowsFrom(sql: AnySql, asked: List, stretch: Stretch): Promise<Rows> {
  return rowsIn(await stretchOf(sql, asked, stretch, false).values());
}

/** The same with the total of that moment: null where there is no row to have it, or looking it up is not enough. */
async function rowsWithTotal(sql: AnySql, asked: List, stretch: Stretch) {
  const values = await stretchOf(sql, asked, stretch, true).values();
  return { ...rowsIn(values), total: (values[0]?.at(-3) ?? null) as number | null };
}

/** See `withinBytes`: the number of rows found is last but one. */
function rowsIn(values: readonly (readonly unknown[])[]): Rows {
  return { rows: values.map(listed.readValues), isCut: Number(values[0]?.at(-2) ?? 0) > values.length };
}

/** Its rows, owner by owner, each read in the order of its index; the total comes after the members of each. */
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
 * Whether a caller that sees everything lists everything. Such a list is read from one index, whatever is in it, and one plan
 * fits all of them. If something narrows a list, the best index depends on it.
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

/** Up to so many stand in the statement itself. */
const WRITTEN_MAX = 128;

/**
 * A limit that the planner knows: of a parameter it takes a plan for a tenth of the list for the usual one, and so plans each page
 * anew, which takes longer than to read it.
 */
function written(sql: AnySql, limit: number): Fragment {
  return limit <= WRITTEN_MAX ? sql.unsafe(String(limit)) : sql`${limit}`;
}
