import type { QueryVectors } from "../../embedding/embedder.ts";
import { WINDOW } from "../features.ts";
import { type Int8Dots, paddedLength } from "../int8-dots.ts";
import type { Candidate } from "../recall-index.ts";
import { bestCosines, NO_COSINE } from "./cosines.ts";
import type { ScopeFigures } from "./scope-figures.ts";
import type { ScopeView, ViewPart } from "./scope-view.ts";
import { ASKS, IS_QUESTION, MENTIONS_TIME } from "./slots.ts";
import type { TermCounts } from "./term-counts.ts";

/** What the ranker needs to know of the memories at these positions, in the same order. */
export function describeCandidates(
  view: ScopeView,
  figures: ScopeFigures,
  positions: Int32Array,
  terms: TermCounts,
  vectors: QueryVectors | null,
  cosines: Float32Array,
  dots: Int8Dots,
): Candidate[] {
  const windows = gatherWindows(view, positions, terms);
  const sessions = gatherSessions(view, positions, terms);
  const stored = Array.from(positions, (position) => storedVector(view, position));
  const best = sentenceCosines(view, positions, stored, vectors, cosines, dots);
  return Array.from(positions, (position, at): Candidate => {
    const part = partAt(view, position);
    const { slots } = part.memories;
    const slot = view.slot[position] as number;
    const flags = slots.flags[slot] as number;
    const session = view.session[position] as number;
    const cosine = vectors === null ? NO_COSINE : (cosines[position] as number);
    return {
      id: slots.ids[slot] as string,
      ownerId: part.ownerId,
      seq: slots.seq[slot] as number,
      sessionKey: slots.sessions.decode(slots.session[slot] as number),
      own: windows.own(position),
      context: windows.context(at),
      session: sessions(session),
      length: view.length[position] as number,
      contextLength: view.contextLength[position] as number,
      sessionLength: view.sessionLength[session] as number,
      previous: describePrevious(view, position, windows.own),
      cosine: cosine === NO_COSINE ? null : cosine,
      sentenceCosine: best[at] ?? null,
      vector: stored[at] ?? null,
      speaker: slots.speakers.decode(slots.speaker[slot] as number),
      occurredAt: slots.occurredAt[slot] as number,
      newerCount: figures.newerCount(position),
      isQuestion: (flags & IS_QUESTION) !== 0,
      mentionsTime: (flags & MENTIONS_TIME) !== 0,
    };
  });
}

function describePrevious(
  view: ScopeView,
  position: number,
  own: (position: number) => Float32Array,
): Candidate["previous"] {
  const before = view.previous[position] as number;
  if (before < 0) return null;
  const { flags } = partAt(view, before).memories.slots;
  const asks = ((flags[view.slot[before] as number] as number) & ASKS) !== 0;
  return { asks, own: own(before), length: view.length[before] as number };
}

interface Windows {
  readonly own: (position: number) => Float32Array;
  /** By the candidate's place. */
  readonly context: (place: number) => Float32Array;
}

/** Counts of the candidates and of up to two neighbours on each side; other positions are not counted. */
function gatherWindows(view: ScopeView, positions: Int32Array, terms: TermCounts): Windows {
  const { previous, next } = view;
  const rowOf = new Int32Array(view.size).fill(-1);
  let rowCount = 0;
  const window = new Int32Array(positions.length * WINDOW_SHARES.length);
  for (let place = 0; place < positions.length; place++) {
    const position = positions[place] as number;
    const before = previous[position] as number;
    const after = next[position] as number;
    const start = place * WINDOW_SHARES.length;
    window[start] = position;
    window[start + 1] = before;
    window[start + 2] = after;
    window[start + 3] = before < 0 ? -1 : (previous[before] as number);
    window[start + 4] = after < 0 ? -1 : (next[after] as number);
  }
  for (const position of window) if (position >= 0 && rowOf[position] === -1) rowOf[position] = rowCount++;
  const termCount = terms.offsets.length - 1;
  const rows = terms.gather(rowOf, rowCount, null);
  const contexts = sumWindows(window, rowOf, rows, termCount);
  return {
    own: (position) => rowAt(rows, rowOf[position] as number, termCount),
    context: (place) => rowAt(contexts, place, termCount),
  };
}

/** In the order in which `gatherWindows` lists a window. */
const WINDOW_SHARES = [1, WINDOW.previous, WINDOW.next, WINDOW.previous2, WINDOW.next2];

function sumWindows(
  window: Int32Array,
  rowOf: Int32Array,
  rows: Float32Array,
  termCount: number,
): Float32Array {
  const sums = new Float32Array((window.length / WINDOW_SHARES.length) * termCount);
  for (let at = 0; at < window.length; at++) {
    const position = window[at] as number;
    if (position < 0) continue;
    const share = WINDOW_SHARES[at % WINDOW_SHARES.length] as number;
    const from = (rowOf[position] as number) * termCount;
    const to = Math.floor(at / WINDOW_SHARES.length) * termCount;
    for (let term = 0; term < termCount; term++) {
      sums[to + term] = (sums[to + term] as number) + share * (rows[from + term] as number);
    }
  }
  return sums;
}

function gatherSessions(
  view: ScopeView,
  positions: Int32Array,
  terms: TermCounts,
): (session: number) => Float32Array {
  const rowOf = new Int32Array(view.sessionLength.length).fill(-1);
  let rowCount = 0;
  for (const position of positions) {
    const session = view.session[position] as number;
    if (rowOf[session] === -1) rowOf[session] = rowCount++;
  }
  const rows = terms.gather(rowOf, rowCount, view.session);
  return (session) => rowAt(rows, rowOf[session] as number, terms.offsets.length - 1);
}

function rowAt(rows: Float32Array, row: number, length: number): Float32Array {
  return rows.subarray(row * length, (row + 1) * length);
}

function storedVector(view: ScopeView, position: number): Int8Array | null {
  const { slots, vectors } = partAt(view, position).memories;
  const slot = view.slot[position] as number;
  const column = vectors.get(slots.vectorDimension[slot] as number);
  return column === undefined ? null : column.steps(slots.vectorRow[slot] as number);
}

/** The best cosine with a sentence, for the candidates whose vector fits the query's; null for the others. */
function sentenceCosines(
  view: ScopeView,
  positions: Int32Array,
  stored: readonly (Int8Array | null)[],
  vectors: QueryVectors | null,
  cosines: Float32Array,
  dots: Int8Dots,
): (number | null)[] {
  const byPlace: (number | null)[] = new Array(positions.length).fill(null);
  if (vectors === null) return byPlace;
  const fitting = [...positions.keys()].filter((place) => cosines[positions[place] as number] !== NO_COSINE);
  const length = paddedLength(vectors.whole.length);
  const rows = new Int8Array(fitting.length * length);
  const inverseNorms = new Float32Array(fitting.length);
  for (const [row, place] of fitting.entries()) {
    const position = positions[place] as number;
    rows.set(stored[place] as Int8Array, row * length);
    inverseNorms[row] = inverseNormAt(view, position, vectors.whole.length);
  }
  const queries = vectors.sentences.length > 0 ? vectors.sentences : [vectors.whole];
  const best = bestCosines(rows, inverseNorms, queries, dots);
  for (const [row, place] of fitting.entries()) byPlace[place] = best[row] as number;
  return byPlace;
}

function inverseNormAt(view: ScopeView, position: number, dimension: number): number {
  const { slots, vectors } = partAt(view, position).memories;
  const row = slots.vectorRow[view.slot[position] as number] as number;
  return vectors.get(dimension)?.inverseNorm(row) ?? 0;
}

function partAt(view: ScopeView, position: number): ViewPart {
  return view.parts[view.part[position] as number] as ViewPart;
}
