import type { Lexicon } from "../../language/lexicon.ts";
import { inTurns, type Steps, UNPACED } from "../../work.ts";
import { vectorDecides } from "../callers-vectors.ts";
import { aliasesOf } from "../forms-of-address.ts";
import { type Int8Dots, paddedLength, toSteps } from "../int8-dots.ts";
import { needsMultilingual } from "../multilingual.ts";
import type { QueryAnalysis } from "../query.ts";
import type { QueryVectors } from "../query-embedding.ts";
import type { Candidate, CandidateRequest, CandidateSet, ScopeStatistics } from "../recall-index.ts";
import { inverseFrequency, termWeights, WINDOW } from "../weights.ts";
import { addressUses } from "./address-uses.ts";
import { CountRows } from "./count-rows.ts";
import { exactScores } from "./exact-scores.ts";
import {
  ADOPTED,
  ASKS,
  CALLERS_VECTOR,
  grown,
  IS_QUESTION,
  MENTIONS_TIME,
  type MemorySet,
  SHARED,
  type Slots,
  VectorColumn,
} from "./memory-set.ts";
import { Positions } from "./positions.ts";
import { RowNumbers } from "./row-numbers.ts";
import { bestOfMemories, documentFrequency, rowsOf, type ScopeView, type ViewPart } from "./scope-view.ts";
import { TermCounts } from "./term-counts.ts";
import { leadingPositions, topPositions } from "./top-positions.ts";

export const CANDIDATES_DEFAULT = 200;
export const CANDIDATES_MAX = 1000;
/** The newest memories are always candidates, by their beginning: what was just said needs no shared word. */
export const NEWEST = 20;
/**
 * Share of each retriever's candidates whose neighbours become candidates too. Including the neighbours of all would
 * double the work for .1 points of recall. Including none loses .2, although a window also scores its neighbours.
 */
const NEIGHBOURED_SHARE = 0.25;

/** Number of candidates that each retriever proposes. */
export function candidateCount({ candidateCount: wanted }: CandidateRequest): number {
  return Math.min(CANDIDATES_MAX, Math.max(1, wanted ?? CANDIDATES_DEFAULT));
}

/** The weights of the query's terms in a scope. */
export function scopeWeights(figures: PieceFigures, query: QueryAnalysis): Float64Array {
  const frequencies = query.terms.map(({ piece }) => figures.documentFrequency(piece));
  return termWeights(query, figures.memoryCount, frequencies);
}

/**
 * Minimum of a piece's weight in the query's vector, as a share of its background weight. From .125 to .25 no file
 * changes by more than .1.
 */
const BACKGROUND_SHARE = 0.2;

/** The query's vectors, its pieces weighted by how informative they are in the scope; null without an embedding. */
export function queryVectors(
  figures: PieceFigures,
  { query, embedding }: CandidateRequest,
): QueryVectors | null {
  const { memoryCount } = figures;
  if (embedding === null || memoryCount === 0) return null;
  // The subject that all memories share does not affect their order, but stays part of the question.
  const least = new Map(
    query.terms.map(({ piece, background }) => [piece, BACKGROUND_SHARE ** 2 * background]),
  );
  const weights = new Map(
    query.pieces.map((piece) => [
      piece,
      Math.sqrt(
        Math.max(inverseFrequency(memoryCount, figures.documentFrequency(piece)), least.get(piece) ?? 0),
      ),
    ]),
  );
  return embedding((piece) => weights.get(piece) ?? 1);
}

/** Calls `queryVectors`, but first counts the pieces in steps. The view caches the counts. */
function* countedQueryVectors(figures: PieceFigures, request: CandidateRequest): Steps<QueryVectors | null> {
  for (const piece of request.query.pieces) {
    figures.documentFrequency(piece);
    yield;
  }
  return queryVectors(figures, request);
}

/** The query's multilingual vectors; null without an encoder, or if the scope does not need them. */
export async function multilingualVectors(
  { multilingual = null, retrievers }: CandidateRequest,
  scope: Parameters<typeof needsMultilingual>[1],
): Promise<QueryVectors | null> {
  if (multilingual === null || retrievers.length === 1 || !needsMultilingual(multilingual, scope))
    return null;
  return multilingual.vectors();
}

/** A view's answer to a request. */
export interface ViewCandidates
  extends Pick<CandidateSet, "retrievers" | "statistics" | "queryLanguage" | "candidates"> {
  /** By part of the view, how many memories the dense retriever could consider. Empty if it did not run. */
  readonly covered: readonly number[];
}

/** Working memory of one request. Reused by later requests, so that none allocates arrays as long as a view. */
class Buffers {
  readonly terms = new TermCounts();
  readonly chosen = new Positions();
  readonly rows = { windows: new RowNumbers(), memories: new RowNumbers(), sessions: new RowNumbers() };
  scores = new Float32Array(0);
  cosines = new Float32Array(0);
  multilingualCosines = new Float32Array(0);
}

/** Maximum number of idle buffers that are kept. */
const IDLE_BUFFERS_MAX = 4;

/** Answers requests from a view. Reuses buffers between requests, so one instance serves all. */
export class Retrieval {
  #lexicon: Lexicon;
  #dots: Int8Dots;
  #idle: Buffers[] = [];

  constructor(lexicon: Lexicon, dots: Int8Dots) {
    this.#lexicon = lexicon;
    this.#dots = dots;
  }

  /**
   * The candidates of a request within a view, with the statistics of its scope. Pauses by the request's `pace`. The
   * memories of the view must not change until the promise resolves.
   */
  async candidates(
    view: ScopeView,
    figures: ScopeFigures,
    request: CandidateRequest,
  ): Promise<ViewCandidates> {
    const { languages, meanLength } = figures;
    // The encoder has a thread of its own: it reads the query while words are counted here.
    const encoding = multilingualVectors(request, { languages, meanLength });
    const pace = request.pace ?? UNPACED;
    const buffers = this.#idle.pop() ?? new Buffers();
    try {
      const table = await inTurns(this.#tableCosines(buffers, view, figures, request), pace);
      const steps = this.#candidatesIn(buffers, view, figures, request, table, await encoding);
      return await inTurns(steps, pace);
    } finally {
      buffers.terms.release();
      if (this.#idle.length < IDLE_BUFFERS_MAX) this.#idle.push(buffers);
    }
  }

  /** Counts the query's terms and compares its vectors of the built-in table. */
  *#tableCosines(
    buffers: Buffers,
    view: ScopeView,
    figures: ScopeFigures,
    request: CandidateRequest,
  ): Steps<Compared | null> {
    const { query, retrievers } = request;
    yield* buffers.terms.count(view, query.terms, { lexicon: this.#lexicon, soft: retrievers.length > 1 });
    const vectors = retrievers.includes("dense") ? yield* countedQueryVectors(figures, request) : null;
    yield;
    buffers.cosines = grown(buffers.cosines, vectors === null ? 0 : view.size);
    return this.#compared(view, vectors, ofDimension(vectors?.whole.length ?? 0), buffers.cosines);
  }

  *#candidatesIn(
    buffers: Buffers,
    view: ScopeView,
    figures: ScopeFigures,
    request: CandidateRequest,
    table: Compared | null,
    multilingual: QueryVectors | null,
  ): Steps<ViewCandidates> {
    const { query, retrievers } = request;
    const { terms } = buffers;
    buffers.multilingualCosines = grown(buffers.multilingualCosines, multilingual === null ? 0 : view.size);
    const other = this.#compared(view, multilingual, MULTILINGUAL, buffers.multilingualCosines);
    yield;
    const compared = [table, other].filter((one) => one !== null);
    const positions = yield* this.#choose(buffers, view, figures, request, compared);
    yield;
    const statistics = figures.statistics(query, terms);
    yield;
    const how: Describing = {
      terms,
      rows: buffers.rows,
      table,
      multilingual: other,
      dots: this.#dots,
      hasNames: query.exact.length > 0,
    };
    const candidates = yield* describeCandidates(view, figures, positions, how);
    const queryLanguage = other === null ? null : (request.multilingual?.language ?? null);
    return { retrievers, statistics, queryLanguage, candidates, covered: table?.covered ?? [] };
  }

  /** Writes the cosines of all memories of the view to `cosines`. Returns null without vectors. */
  #compared(
    view: ScopeView,
    vectors: QueryVectors | null,
    kind: VectorKind,
    cosines: Float32Array,
  ): Compared | null {
    if (vectors === null) return null;
    const covered = scanCosines(view, kind, vectors.whole, this.#dots, cosines);
    return { kind, vectors, cosines, covered };
  }

  /** Positions of the candidates, ascending. */
  *#choose(
    buffers: Buffers,
    view: ScopeView,
    figures: ScopeFigures,
    request: CandidateRequest,
    compared: readonly Compared[],
  ): Steps<Int32Array> {
    const count = candidateCount(request);
    const isPlain = request.retrievers.length === 1;
    const { chosen } = buffers;
    const columns: (readonly [scores: Float32Array, above: number])[] = [];
    if (request.retrievers.includes("lexical")) {
      buffers.scores = grown(buffers.scores, view.size);
      const weights = scopeWeights(figures, request.query);
      if (isPlain) buffers.terms.scoreOwn(view, weights, figures.meanLength, buffers.scores);
      else yield* buffers.terms.scoreWindows(view, weights, buffers.scores);
      columns.push([bestOfMemories(view, buffers.scores), 0]);
    }
    for (const { cosines } of compared) columns.push([bestOfMemories(view, cosines), NO_COSINE]);
    if (!isPlain && request.query.exact.length > 0) {
      columns.push([yield* exactScores(view, figures, request.query, buffers.terms), 0]);
    }
    chosen.begin(view.size);
    const best = columns.map(([scores, above]) => topPositions(scores, view.size, count, above));
    for (const positions of best) chosen.addAll(positions);
    if (!isPlain) {
      // Add the neighbours of the best: the text after a match may be what was asked for.
      const leading = Math.ceil(count * NEIGHBOURED_SHARE);
      for (const [at, [scores]] of columns.entries()) {
        for (const position of leadingPositions(best[at] as Int32Array, scores, leading)) {
          chosen.add(view.previous[position] as number);
          chosen.add(view.next[position] as number);
        }
      }
      addNewest(chosen, view);
    }
    return chosen.end();
  }
}

function addNewest(chosen: Positions, { memory, memoryCount }: ScopeView): void {
  const oldest = Math.max(0, memoryCount - NEWEST);
  for (
    let position = memory.length - 1;
    position >= 0 && (memory[position] as number) >= oldest;
    position--
  ) {
    if (memory[position] !== memory[position - 1]) chosen.add(position);
  }
}

/** How common pieces are in a scope. */
export interface PieceFigures {
  readonly memoryCount: number;
  /** Number of memories in which a piece occurs. */
  documentFrequency(piece: number): number;
}

/** Figures over everything in scope, even if a view holds only part of it. */
export interface ScopeFigures extends PieceFigures {
  /** Mean length of a passage. */
  readonly meanLength: number;
  /** Languages of its memories, each once. */
  readonly languages: readonly string[];
  /** Number of memories newer than the one at a position of the view. */
  newerCount(position: number): number;
  /** `terms`: the query's terms as counted in the view. */
  statistics(query: QueryAnalysis, terms: TermCounts): ScopeStatistics;
}

/** The figures of a view that holds everything in scope. */
export function figuresOf(view: ScopeView): ScopeFigures {
  const frequency = (piece: number) => documentFrequency(view, piece);
  return {
    memoryCount: view.memoryCount,
    meanLength: view.meanLength,
    languages: view.languages,
    documentFrequency: frequency,
    newerCount: (position) => view.memoryCount - 1 - (view.memory[position] as number),
    statistics: (query, terms) => ({
      memoryCount: view.memoryCount,
      documentFrequency: query.terms.map(({ piece }) => frequency(piece)),
      meanLength: view.meanLength,
      meanContextLength: view.meanContextLength,
      sessionCount: view.sessionLength.length,
      sessionDocumentFrequency: terms.sessionFrequencies(view),
      meanSessionLength: mean(view.sessionLength),
      speakers: view.speakers,
      aliases: aliasesOf(query.names, (address) => addressUses(view, address), frequency),
    }),
  };
}

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

/** Inputs for describing candidates. */
interface Describing {
  readonly terms: TermCounts;
  readonly rows: Readonly<Record<"windows" | "memories" | "sessions", RowNumbers>>;
  /** Comparison by the embedder's vectors, and by multilingual ones; null if there was none. */
  readonly table: Compared | null;
  readonly multilingual: Compared | null;
  readonly dots: Int8Dots;
  /** Whether the query names something; whole memories are then counted. */
  readonly hasNames: boolean;
}

/** Describes the memories at these positions for the ranker, in the same order. */
function* describeCandidates(
  view: ScopeView,
  figures: ScopeFigures,
  positions: Int32Array,
  how: Describing,
): Steps<Candidate[]> {
  const windows = yield* gatherWindows(view, positions, how);
  const memories = yield* gatherMemories(view, positions, how);
  const sessions = yield* gatherSessions(view, positions, how);
  const best = yield* sentenceCosines(view, positions, how.table, how.dots);
  const multilingual = yield* sentenceCosines(view, positions, how.multilingual, how.dots);
  yield;
  const describe = (position: number, at: number): Candidate => {
    const part = partAt(view, position);
    const { slots } = part.memories;
    const slot = view.slot[position] as number;
    const flags = slots.flags[slot] as number;
    const session = view.session[position] as number;
    const own = windows.own(position);
    const cosine = how.table === null ? NO_COSINE : (how.table.cosines[position] as number);
    const decides = vectorDecides({
      hasCallersVector: (flags & CALLERS_VECTOR) !== 0,
      isShared: (flags & SHARED) !== 0,
    });
    return {
      id: slots.ids[slot] as string,
      ownerId: part.ownerId,
      seq: slots.seq[slot] as number,
      passage: slots.isWhole(slot) ? null : (slots.passage[slot] as number),
      sessionKey: slots.sessions.decode(slots.session[slot] as number),
      own,
      ofMemory: memories?.(view.memory[position] as number) ?? own,
      context: windows.context(at),
      session: sessions(session),
      length: view.length[position] as number,
      contextLength: view.contextLength[position] as number,
      sessionLength: view.sessionLength[session] as number,
      previous: describePrevious(view, position, windows.own),
      cosine: cosine === NO_COSINE || !decides.relevance ? null : cosine,
      sentenceCosine: decides.relevance ? (best[at] ?? null) : null,
      multilingualCosine: multilingual[at] ?? null,
      language: slots.languages.decode(slots.language[slot] as number),
      vector: decides.sameness ? ownVector(part.memories, slot) : noVector,
      speaker: slots.speakers.decode(slots.speaker[slot] as number),
      occurredAt: slots.occurredAt[slot] as number,
      newerCount: figures.newerCount(position),
      isQuestion: (flags & IS_QUESTION) !== 0,
      mentionsTime: (flags & MENTIONS_TIME) !== 0,
      isAdopted: (flags & ADOPTED) !== 0,
    };
  };
  const candidates: Candidate[] = [];
  // An indexed loop, as for all work per candidate: an iterator takes longer than the work itself.
  for (let at = 0; at < positions.length; at++) candidates.push(describe(positions[at] as number, at));
  return candidates;
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
  /** By the candidate's index in `positions`. */
  readonly context: (place: number) => Float32Array;
}

/** Counts the candidates and up to two neighbours on each side. Other positions are not counted. */
function* gatherWindows(
  { size, previous, next }: ScopeView,
  positions: Int32Array,
  { terms, rows: { windows } }: Describing,
): Steps<Windows> {
  windows.begin(size);
  const members = new Int32Array(positions.length * WINDOW_SHARES.length);
  for (let place = 0; place < positions.length; place++) {
    const position = positions[place] as number;
    const before = previous[position] as number;
    const after = next[position] as number;
    const start = place * WINDOW_SHARES.length;
    members[start] = windows.number(position);
    members[start + 1] = windows.number(before);
    members[start + 2] = windows.number(after);
    members[start + 3] = windows.number(before < 0 ? -1 : (previous[before] as number));
    members[start + 4] = windows.number(after < 0 ? -1 : (next[after] as number));
  }
  const rows = yield* gatherRows(windows, null, terms);
  const contexts: Float32Array[] = [];
  for (let place = 0; place < positions.length; place++) {
    if (place % PAUSE_WINDOWS === 0) yield;
    contexts.push(sumWindow(members, place * WINDOW_SHARES.length, rows));
  }
  return {
    own: (position) => rows.at(windows.of[position] as number),
    context: (place) => contexts[place] as Float32Array,
  };
}

/** In the order in which `gatherWindows` lists a window. */
const WINDOW_SHARES = [1, WINDOW.previous, WINDOW.next, WINDOW.previous2, WINDOW.next2];

/** Windows between two pauses: less than a millisecond even for the longest query. */
const PAUSE_WINDOWS = 128;

/** The counts of a window. Its members' rows are listed from `start` on. */
function sumWindow(members: Int32Array, start: number, { counts, termCount }: CountRows): Float32Array {
  const sum = new Float32Array(termCount);
  for (let member = 0; member < WINDOW_SHARES.length; member++) {
    const row = members[start + member] as number;
    if (row < 0) continue;
    const from = row * termCount;
    const share = WINDOW_SHARES[member] as number;
    for (let term = 0; term < termCount; term++)
      sum[term] = (sum[term] as number) + share * (counts[from + term] as number);
  }
  return sum;
}

function gatherSessions(
  { session, sessionLength }: ScopeView,
  positions: Int32Array,
  how: Describing,
): Steps<(session: number) => Float32Array> {
  return gatherGroups({ groupOf: session, count: sessionLength.length }, positions, how.rows.sessions, how);
}

/** Counts of whole memories; null if each is a single passage, or if the counts are not needed. */
function* gatherMemories(
  { size, memory, memoryCount }: ScopeView,
  positions: Int32Array,
  how: Describing,
): Steps<((memory: number) => Float32Array) | null> {
  if (memoryCount === size || !how.hasNames) return null;
  return yield* gatherGroups({ groupOf: memory, count: memoryCount }, positions, how.rows.memories, how);
}

/** Counts of the groups that the candidates belong to. */
function* gatherGroups(
  { groupOf, count }: { groupOf: Int32Array; count: number },
  positions: Int32Array,
  groups: RowNumbers,
  how: Pick<Describing, "terms">,
): Steps<(group: number) => Float32Array> {
  groups.begin(count);
  for (let at = 0; at < positions.length; at++) groups.number(groupOf[positions[at] as number] as number);
  const rows = yield* gatherRows(groups, groupOf, how.terms);
  return (group) => rows.at(groups.of[group] as number);
}

function* gatherRows(numbers: RowNumbers, groupOf: Int32Array | null, terms: TermCounts): Steps<CountRows> {
  const counts = yield* terms.gather(numbers.of, numbers.count, groupOf);
  return new CountRows(counts, numbers.count, terms.offsets.length - 1);
}

/** Reads the embedder's vector of a slot, whatever its dimension. It stays the same if the slot is given away. */
function ownVector({ slots, vectors }: MemorySet, slot: number): Candidate["vector"] {
  const column = vectors.get(slots.vectorDimension[slot] as number);
  const row = slots.vectorRow[slot] as number;
  return () => column?.steps(row) ?? null;
}

const noVector = () => null;

function storedVector(view: ScopeView, position: number, kind: VectorKind): Int8Array | null {
  const { memories } = partAt(view, position);
  return kind.column(memories)?.steps(kind.row(memories.slots, view.slot[position] as number)) ?? null;
}

/** A kind of vectors: where a set of memories keeps them, and which row is a slot's. */
interface VectorKind {
  column(memories: MemorySet): VectorColumn | undefined;
  row(slots: Slots, slot: number): number;
}

/** The embedder's vectors of this dimension. */
function ofDimension(dimension: number): VectorKind {
  return {
    column: ({ vectors }) => vectors.get(dimension),
    row: ({ vectorDimension, vectorRow }, slot) =>
      vectorDimension[slot] === dimension ? (vectorRow[slot] as number) : -1,
  };
}

const MULTILINGUAL: VectorKind = {
  column: ({ multilingual }) => multilingual,
  row: ({ multilingualRow }, slot) => multilingualRow[slot] as number,
};

/** A comparison of the query with all memories of a view by one kind of vectors. */
interface Compared {
  readonly kind: VectorKind;
  readonly vectors: QueryVectors;
  /** Cosine with the whole query, by position. */
  readonly cosines: Float32Array;
  /** By part of the view, how many memories have a vector. */
  readonly covered: readonly number[];
}

/**
 * Best cosine with a sentence, for candidates whose vector fits the query's; null for the others, and if either vector
 * is zero. A zero vector belongs to a text in a script outside the word table and carries no information.
 */
function* sentenceCosines(
  view: ScopeView,
  positions: Int32Array,
  compared: Compared | null,
  dots: Int8Dots,
): Steps<(number | null)[]> {
  const byPlace: (number | null)[] = new Array(positions.length).fill(null);
  if (compared === null) return byPlace;
  const { kind, vectors, cosines } = compared;
  if (vectors.whole.every((component) => component === 0)) return byPlace;
  const dimension = vectors.whole.length;
  const fitting: number[] = [];
  for (let place = 0; place < positions.length; place++) {
    const position = positions[place] as number;
    if (cosines[position] !== NO_COSINE && inverseNormAt(view, position, kind) > 0) fitting.push(place);
  }
  // The whole query has already been compared with all of them.
  if (vectors.sentences.every((sentence) => sentence === vectors.whole)) {
    for (const place of fitting) byPlace[place] = cosines[positions[place] as number] as number;
    return byPlace;
  }
  const length = paddedLength(dimension);
  const rows = new Int8Array(fitting.length * length);
  const inverseNorms = new Float32Array(fitting.length);
  for (const [row, place] of fitting.entries()) {
    const position = positions[place] as number;
    rows.set(storedVector(view, position, kind) as Int8Array, row * length);
    inverseNorms[row] = inverseNormAt(view, position, kind);
  }
  const best = yield* bestCosines(rows, inverseNorms, vectors.sentences, dots);
  for (const [row, place] of fitting.entries()) byPlace[place] = best[row] as number;
  return byPlace;
}

function inverseNormAt(view: ScopeView, position: number, kind: VectorKind): number {
  const { memories } = partAt(view, position);
  const row = kind.row(memories.slots, view.slot[position] as number);
  return kind.column(memories)?.inverseNorm(row) ?? 0;
}

function partAt(view: ScopeView, position: number): ViewPart {
  return view.parts[view.part[position] as number] as ViewPart;
}

/** Cosine of a position without a vector of the query's dimension. */
const NO_COSINE = -2;

/**
 * Writes the exact cosine of `query` and each position's vector to `cosines`. Returns how many memories have a vector,
 * by part of the view.
 */
function scanCosines(
  view: ScopeView,
  kind: VectorKind,
  query: Float32Array,
  dots: Int8Dots,
  cosines: Float32Array,
): number[] {
  cosines.fill(NO_COSINE, 0, view.size);
  const { steps, norm } = toSteps(query);
  const scale = norm > 0 ? 1 / norm : 0;
  return view.parts.map((part) =>
    scanPart(part, kind, { length: query.length, steps, scale }, dots, cosines),
  );
}

function scanPart(
  part: ViewPart,
  kind: VectorKind,
  { length, steps, scale }: { length: number; steps: Int16Array; scale: number },
  dots: Int8Dots,
  cosines: Float32Array,
): number {
  const { memories, count } = part;
  const column = kind.column(memories);
  if (column === undefined || column.dimension !== length || count === 0) return 0;
  const { positionOfRow, covered } = rowsOf(part, column);
  scanColumn(column, positionOfRow, steps, scale, dots, cosines);
  return covered;
}

/** Computes whole chunks, in scope or not: one run over all rows is faster than picking some. */
function scanColumn(
  column: VectorColumn,
  positionOfRow: Int32Array,
  steps: Int16Array,
  scale: number,
  dots: Int8Dots,
  cosines: Float32Array,
): void {
  const products = new Int32Array(VectorColumn.rowsPerChunk);
  for (const [chunk, rows] of column.chunks.entries()) {
    const start = chunk * VectorColumn.rowsPerChunk;
    const count = Math.min(VectorColumn.rowsPerChunk, column.count - start);
    if (!hasPosition(positionOfRow, start, start + count)) continue;
    dots(steps, rows, count, products);
    const inverseNorms = column.inverseNorms[chunk] as Float32Array;
    for (let at = 0; at < count; at++) {
      const position = positionOfRow[start + at] as number;
      if (position >= 0) cosines[position] = (products[at] as number) * scale * (inverseNorms[at] as number);
    }
  }
}

function hasPosition(positionOfRow: Int32Array, from: number, to: number): boolean {
  for (let row = from; row < to; row++) if ((positionOfRow[row] as number) >= 0) return true;
  return false;
}

/** The best cosine of each row with any of the queries. Rows are padded; `inverseNorms` is parallel to them. */
function* bestCosines(
  rows: Int8Array,
  inverseNorms: Float32Array,
  queries: readonly Float32Array[],
  dots: Int8Dots,
): Steps<Float32Array> {
  const best = new Float32Array(inverseNorms.length).fill(-1);
  const products = new Int32Array(inverseNorms.length);
  for (const query of queries) {
    const { steps, norm } = toSteps(query);
    const scale = norm > 0 ? 1 / norm : 0;
    dots(steps, rows, products.length, products);
    for (let row = 0; row < products.length; row++) {
      const cosine = (products[row] as number) * scale * (inverseNorms[row] as number);
      if (cosine > (best[row] as number)) best[row] = cosine;
    }
    yield;
  }
  return best;
}
