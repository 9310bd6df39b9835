import { WINDOW, windowNorm } from "../weights.ts";
import { FREQUENCY_BITS, type MemorySet, type VectorColumn } from "./memory-set.ts";

/** One owner's memories for a view. */
export interface Selection {
  readonly ownerId: string;
  readonly memories: MemorySet;
  /** In order of storing; the passages of a memory in their own order. */
  readonly slots: Int32Array;
}

/** One owner's part of a view. */
export interface ViewPart {
  readonly ownerId: string;
  readonly memories: MemorySet;
  /** Maps slots to positions in the view; −1 if out of scope. */
  readonly positionOf: Int32Array;
  /** Number of memories. */
  readonly count: number;
  /** Filled lazily as vectors are compared. */
  readonly rows: Map<VectorColumn, VectorRows>;
}

/** The positions of a part's vectors of one column. */
export interface VectorRows {
  /** Maps rows to positions in the view; −1 if out of scope. */
  readonly positionOfRow: Int32Array;
  /** Number of memories that have such a vector. */
  readonly covered: number;
}

/**
 * The memories in a request's scope, or those that a search proposed, of all its owners. Passages of one memory have
 * adjacent positions, and memories are in order of storing.
 */
export interface ScopeView {
  /** Number of passages; `memoryCount` counts memories. */
  readonly size: number;
  readonly memoryCount: number;
  /** Per position: the index of its memory, from 0. */
  readonly memory: Int32Array;
  readonly parts: readonly ViewPart[];
  /** Per position: its part, and its slot in that part. */
  readonly part: Uint16Array;
  readonly slot: Int32Array;
  /**
   * Per position: its neighbours, first within the memory and then within the session, −1 for none; and the session's
   * number within the view.
   */
  readonly previous: Int32Array;
  readonly next: Int32Array;
  readonly session: Int32Array;
  readonly length: Float32Array;
  readonly contextLength: Float32Array;
  /** BM25's denominator for the window at each position. */
  readonly contextNorm: Float32Array;
  readonly meanLength: number;
  readonly meanContextLength: number;
  readonly sessionLength: Float64Array;
  readonly speakers: readonly string[];
  readonly languages: readonly string[];
  /** Cache, filled as pieces are requested. */
  readonly frequencies: Map<number, number>;
}

/** Facts about the sessions that a partial view cannot derive itself. Memories are identified by `seq`. */
export interface KnownSessions {
  readonly meanContextLength: number;
  /** Whether no memory of their session lies between these two memories of the view. */
  isNext(ownerId: string, session: string, before: number, after: number): boolean;
  /** In word pieces. undefined if unknown; then the session's length within the view is used. */
  sessionLength(ownerId: string, session: string): number | undefined;
}

/**
 * Combines the memories of several owners. `known`: facts about their sessions, if the memories are not everything in
 * scope.
 */
export function createScopeView(selected: readonly Selection[], known?: KnownSessions): ScopeView {
  const parts = selected.map(
    ({ ownerId, memories, slots }): ViewPart => ({
      ownerId,
      memories,
      positionOf: new Int32Array(memories.slots.count).fill(-1),
      count: memoriesIn(memories, slots),
      rows: new Map(),
    }),
  );
  const order = mergeBySeq(
    parts,
    selected.map(({ slots }) => slots),
  );
  const neighbours = linkSessions(parts, order, known);
  const lengths = measureLengths(parts, order, neighbours, known);
  return {
    size: order.slot.length,
    memoryCount: parts.reduce((sum, { count }) => sum + count, 0),
    memory: memoriesOf(parts, order),
    parts,
    ...order,
    ...neighbours,
    ...lengths,
    speakers: collectValues(parts, order, "speaker"),
    languages: collectValues(parts, order, "language"),
    frequencies: new Map(),
  };
}

/** Maximum number of cached frequencies per view, at about 40 bytes each. */
export const FREQUENCIES_MAX = 10_000;

/** Number of the view's memories in which a piece occurs, including in a leading speaker's name. */
export function documentFrequency(view: ScopeView, piece: number): number {
  const known = view.frequencies.get(piece);
  if (known !== undefined) return known;
  let frequency = 0;
  for (const { memories, positionOf } of view.parts) {
    const posting = memories.postings.get(piece);
    if (posting === undefined) continue;
    const { entries, count } = posting;
    // The passages of a memory are adjacent.
    for (let at = 0, last = -1; at < count; at++) {
      const position = positionOf[(entries[at] as number) >>> FREQUENCY_BITS] as number;
      if (position < 0 || view.memory[position] === last) continue;
      last = view.memory[position] as number;
      frequency++;
    }
  }
  // Not cached: for a piece that occurs nowhere, the count is immediate.
  if (frequency === 0) return 0;
  if (view.frequencies.size >= FREQUENCIES_MAX) view.frequencies.clear();
  view.frequencies.set(piece, frequency);
  return frequency;
}

/** Maps the vectors of a column to positions in a part of a view. */
export function rowsOf(
  { memories: { slots }, positionOf, rows }: ViewPart,
  column: VectorColumn,
): VectorRows {
  const known = rows.get(column);
  if (known !== undefined) return known;
  const positionOfRow = new Int32Array(column.count).fill(-1);
  let covered = 0;
  for (let row = 0; row < column.count; row++) {
    const slot = column.slotOfRow[row] as number;
    const position = slot < 0 ? -1 : (positionOf[slot] ?? -1);
    if (position < 0) continue;
    positionOfRow[row] = position;
    // A memory that has any vector has one for its first passage.
    if (slots.passage[slot] === 0) covered++;
  }
  const found = { positionOfRow, covered };
  rows.set(column, found);
  return found;
}

function memoriesIn({ slots: { passage } }: MemorySet, slots: Int32Array): number {
  let count = 0;
  for (let at = 0; at < slots.length; at++) if (passage[slots[at] as number] === 0) count++;
  return count;
}

function memoriesOf(parts: readonly ViewPart[], { part, slot }: Order): Int32Array {
  const memory = new Int32Array(slot.length);
  let last = -1;
  for (let position = 0; position < slot.length; position++) {
    if (isFirstPassage(parts, { part, slot }, position)) last++;
    memory[position] = last;
  }
  return memory;
}

function isFirstPassage(parts: readonly ViewPart[], { part, slot }: Order, position: number): boolean {
  const { memories } = parts[part[position] as number] as ViewPart;
  return memories.slots.passage[slot[position] as number] === 0;
}

type Order = Pick<ScopeView, "part" | "slot">;
type Neighbours = Pick<ScopeView, "previous" | "next" | "session"> & { sessionCount: number };

function mergeBySeq(parts: readonly ViewPart[], chosen: readonly Int32Array[]): Order {
  const size = chosen.reduce((sum, slots) => sum + slots.length, 0);
  const part = new Uint16Array(size);
  const slot = new Int32Array(size);
  const at = new Int32Array(parts.length);
  for (let position = 0; position < size; position++) {
    let first = -1;
    let firstSeq = Infinity;
    for (let p = 0; p < parts.length; p++) {
      const slots = chosen[p] as Int32Array;
      const next = at[p] as number;
      if (next >= slots.length) continue;
      const seq = parts[p]?.memories.slots.seq[slots[next] as number] as number;
      if (first < 0 || seq < firstSeq) {
        first = p;
        firstSeq = seq;
      }
    }
    const taken = chosen[first]?.[at[first] as number] as number;
    at[first] = (at[first] as number) + 1;
    part[position] = first;
    slot[position] = taken;
    (parts[first] as ViewPart).positionOf[taken] = position;
  }
  return { part, slot };
}

/** Sessions belong to one owner. A memory without a session forms its own. A memory's passages follow each other. */
function linkSessions(
  parts: readonly ViewPart[],
  { part, slot }: Order,
  known: KnownSessions | undefined,
): Neighbours {
  const size = slot.length;
  const previous = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  const session = new Int32Array(size);
  const last = parts.map(({ memories }) => new Int32Array(memories.slots.sessions.values.length).fill(-1));
  let sessionCount = 0;
  for (let position = 0; position < size; position++) {
    const p = part[position] as number;
    const key = parts[p]?.memories.slots.session[slot[position] as number] as number;
    const isFirst = isFirstPassage(parts, { part, slot }, position);
    const before = isFirst ? (key < 0 ? -1 : (last[p]?.[key] as number)) : position - 1;
    const isLinked = !isFirst || known === undefined || before < 0;
    if (before >= 0 && (isLinked || areNext(parts, { part, slot }, before, position, known))) {
      previous[position] = before;
      next[before] = position;
    }
    session[position] = before >= 0 ? (session[before] as number) : sessionCount++;
    if (key >= 0) (last[p] as Int32Array)[key] = position;
  }
  return { previous, next, session, sessionCount };
}

function areNext(
  parts: readonly ViewPart[],
  { part, slot }: Order,
  before: number,
  after: number,
  known: KnownSessions,
): boolean {
  const { ownerId, memories } = parts[part[after] as number] as ViewPart;
  const { sessions, session, seq } = memories.slots;
  const [first, second] = [slot[before] as number, slot[after] as number];
  const name = sessions.decode(session[second] as number) as string;
  return known.isNext(ownerId, name, seq[first] as number, seq[second] as number);
}

type Lengths = Pick<
  ScopeView,
  "length" | "contextLength" | "contextNorm" | "meanLength" | "meanContextLength" | "sessionLength"
>;

function measureLengths(
  parts: readonly ViewPart[],
  { part, slot }: Order,
  neighbours: Neighbours,
  known: KnownSessions | undefined,
): Lengths {
  const { previous, next, session } = neighbours;
  const size = slot.length;
  const length = new Float32Array(size);
  const sessionLength = new Float64Array(neighbours.sessionCount);
  let total = 0;
  for (let position = 0; position < size; position++) {
    const own = parts[part[position] as number]?.memories.slots.length[slot[position] as number] as number;
    const at = session[position] as number;
    length[position] = own;
    sessionLength[at] = (sessionLength[at] as number) + own;
    total += own;
  }
  const at = (position: number) => (position < 0 ? 0 : (length[position] as number));
  const contextLength = new Float32Array(size);
  let contextTotal = 0;
  for (let position = 0; position < size; position++) {
    const [p, n] = [previous[position] as number, next[position] as number];
    const context =
      at(position) +
      WINDOW.previous * at(p) +
      WINDOW.next * at(n) +
      (p < 0 ? 0 : WINDOW.previous2 * at(previous[p] as number)) +
      (n < 0 ? 0 : WINDOW.next2 * at(next[n] as number));
    contextLength[position] = context;
    contextTotal += context;
  }
  const meanContextLength = known?.meanContextLength ?? (size === 0 ? 0 : contextTotal / size);
  if (known !== undefined) setKnownLengths(parts, { part, slot }, session, sessionLength, known);
  return {
    length,
    contextLength,
    contextNorm: contextLength.map((context) => windowNorm(context, meanContextLength)),
    meanLength: size === 0 ? 0 : total / size,
    meanContextLength,
    sessionLength,
  };
}

function setKnownLengths(
  parts: readonly ViewPart[],
  { part, slot }: Order,
  session: Int32Array,
  sessionLength: Float64Array,
  known: KnownSessions,
): void {
  for (let position = 0; position < slot.length; position++) {
    const { ownerId, memories } = parts[part[position] as number] as ViewPart;
    const name = memories.slots.sessions.decode(memories.slots.session[slot[position] as number] as number);
    const length = name === null ? undefined : known.sessionLength(ownerId, name);
    if (length !== undefined) sessionLength[session[position] as number] = length;
  }
}

/** The values that the memories have in a column of dictionary codes, each once. */
function collectValues(
  parts: readonly ViewPart[],
  { part, slot }: Order,
  column: "speaker" | "language",
): string[] {
  const dictionaries = parts.map(({ memories }) => memories.slots[`${column}s`].values);
  const seen = dictionaries.map((values) => new Uint8Array(values.length));
  for (let position = 0; position < slot.length; position++) {
    const p = part[position] as number;
    const code = parts[p]?.memories.slots[column][slot[position] as number] as number;
    if (code >= 0) (seen[p] as Uint8Array)[code] = 1;
  }
  const found = dictionaries.flatMap((values, p) => values.filter((_, code) => seen[p]?.[code] === 1));
  return [...new Set(found)].sort();
}

/**
 * The scores, keeping only that of each memory's best passage, so that the number of proposed memories does not depend
 * on their length.
 */
export function bestOfMemories(
  { size, memoryCount, memory }: Pick<ScopeView, "size" | "memoryCount" | "memory">,
  scores: Float32Array,
): Float32Array {
  if (memoryCount === size) return scores;
  const best = scores.slice(0, size);
  for (let position = 1, top = 0; position < size; position++) {
    if (memory[position] !== memory[top]) top = position;
    else if ((best[position] as number) > (best[top] as number)) {
      best[top] = -Infinity;
      top = position;
    } else best[position] = -Infinity;
  }
  return best;
}
