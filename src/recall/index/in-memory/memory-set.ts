import type { VectorStanding } from "../callers-vectors.ts";
import type { IndexedPassage } from "../document-passages.ts";
import type { DocumentWords } from "../document-words.ts";
import { paddedLength } from "../int8-dots.ts";

/**
 * The data of memories that the ranker needs: words, vectors and other fields. Holds either everything an in-memory
 * index has of an owner, or what a search engine proposed for one request. Each passage has its own slot, and the slots
 * of one memory are adjacent, in order.
 */
export class MemorySet {
  readonly slots = new Slots();
  readonly postings: Postings;
  /** By dimension. */
  readonly vectors = new Map<number, VectorColumn>();
  /** Created with the first multilingual vector. */
  multilingual: VectorColumn | undefined;

  constructor(postings = new Postings()) {
    this.postings = postings;
  }

  /** Appends a memory and returns its first slot. */
  add(memory: RankedMemory, passages: readonly IndexedPassage[]): number {
    const first = this.slots.count;
    for (const [passage, { words, steps, multilingual }] of passages.entries()) {
      const slot = this.slots.count;
      this.slots.add(memory, {
        passage,
        words,
        vectorDimension: steps?.length ?? -1,
        vectorRow: steps === null ? -1 : this.#column(steps.length).add(steps, slot),
        multilingualRow:
          multilingual === null ? -1 : this.#ofLanguages(multilingual.length).add(multilingual, slot),
      });
      for (const [piece, frequency] of words.frequencies) this.postings.add(piece, slot, frequency);
    }
    return first;
  }

  /** Clears a slot's id and vector. Its pieces stay but cannot be reached. */
  erase(slot: number): void {
    this.slots.ids[slot] = "";
    this.vectors.get(this.slots.vectorDimension[slot] as number)?.erase(this.slots.vectorRow[slot] as number);
    this.multilingual?.erase(this.slots.multilingualRow[slot] as number);
  }

  /** A copy with only these slots, in this order. */
  with(slots: Iterable<number>): MemorySet {
    const slotOf = new Int32Array(this.slots.count).fill(-1);
    let count = 0;
    for (const slot of slots) slotOf[slot] = count++;
    const copy = new MemorySet(this.postings.remapped(slotOf));
    for (const slot of slots) {
      const dimension = this.slots.vectorDimension[slot] as number;
      const steps = this.vectors.get(dimension)?.steps(this.slots.vectorRow[slot] as number);
      const others = this.multilingual?.steps(this.slots.multilingualRow[slot] as number);
      const to = copy.slots.count;
      copy.slots.copy(this.slots, slot, {
        vectorRow: steps === undefined ? -1 : copy.#column(dimension).add(steps, to),
        multilingualRow: others === undefined ? -1 : copy.#ofLanguages(others.length).add(others, to),
      });
    }
    return copy;
  }

  /** Estimated memory use. */
  get bytes(): number {
    let bytes = this.slots.bytes + this.postings.bytes;
    for (const column of this.vectors.values()) bytes += column.bytes;
    return bytes + (this.multilingual?.bytes ?? 0);
  }

  /** All multilingual vectors are of one model, and so of one dimension. */
  #ofLanguages(dimension: number): VectorColumn {
    this.multilingual ??= new VectorColumn(dimension);
    return this.multilingual;
  }

  #column(dimension: number): VectorColumn {
    let column = this.vectors.get(dimension);
    if (column === undefined) {
      column = new VectorColumn(dimension);
      this.vectors.set(dimension, column);
    }
    return column;
  }
}

export const IS_QUESTION = 1;
export const ASKS = 2;
export const MENTIONS_TIME = 4;
export const CALLERS_VECTOR = 8;
export const SHARED = 16;
export const ADOPTED = 32;

/** Fields of a memory that the ranker needs besides its words and vector. */
export interface RankedMemory extends VectorStanding {
  readonly id: string;
  readonly seq: number;
  /** See `sessionKey`. */
  readonly session: string | null;
  readonly source: string | null;
  readonly occurredAt: number;
  readonly isAdopted: boolean;
  /** See `IndexDocument`. */
  readonly language: string | null;
}

/** A passage's words, its index within the memory, and the locations of its vectors. */
interface SlotPassage {
  readonly passage: number;
  readonly words: DocumentWords;
  readonly vectorDimension: number;
  readonly vectorRow: number;
  readonly multilingualRow: number;
}

/** 2 doubles, 7 integers, the flags and the passage; plus the id as text and array entry. */
export const SLOT_BYTES = 2 * 8 + 7 * 4 + 2 + 100;

/** Data of each passage except its words, one column per field. A slot is an index into every column. */
export class Slots {
  count = 0;
  readonly ids: string[] = [];
  seq = new Float64Array(0);
  occurredAt = new Float64Array(0);
  /** In word pieces; at least 1. */
  length = new Int32Array(0);
  flags = new Uint8Array(0);
  /** Index of the passage within its memory, from 0. */
  passage = new Uint8Array(0);
  /** Dictionary codes, −1 for none. */
  session = new Int32Array(0);
  speaker = new Int32Array(0);
  language = new Int32Array(0);
  sessions = new Dictionary();
  speakers = new Dictionary();
  languages = new Dictionary();
  /** The dimension of its vector, and the row in that dimension's column; −1 for none. */
  vectorDimension = new Int32Array(0);
  vectorRow = new Int32Array(0);
  /** The row of its multilingual vector; −1 for none. */
  multilingualRow = new Int32Array(0);

  /** Number of passages of the memory that begins at this slot. */
  passagesFrom(first: number): number {
    let end = first + 1;
    while (end < this.count && this.passage[end] !== 0) end++;
    return end - first;
  }

  /** Whether the passage in this slot is its memory's only one. */
  isWhole(slot: number): boolean {
    return this.passage[slot] === 0 && this.passagesFrom(slot) === 1;
  }

  /** Appends a passage and returns its slot. */
  add(memory: RankedMemory, { passage, words, ...rows }: SlotPassage): number {
    const slot = this.count++;
    this.#grow(this.count);
    this.ids[slot] = memory.id;
    this.seq[slot] = memory.seq;
    this.occurredAt[slot] = memory.occurredAt;
    this.length[slot] = words.length;
    this.passage[slot] = passage;
    this.flags[slot] =
      (words.isQuestion ? IS_QUESTION : 0) |
      (words.asks ? ASKS : 0) |
      (words.mentionsTime ? MENTIONS_TIME : 0) |
      (memory.hasCallersVector ? CALLERS_VECTOR : 0) |
      (memory.isShared ? SHARED : 0) |
      (memory.isAdopted ? ADOPTED : 0);
    this.session[slot] = this.sessions.encode(memory.session);
    this.speaker[slot] = this.speakers.encode(memory.source);
    this.language[slot] = this.languages.encode(memory.language);
    this.vectorDimension[slot] = rows.vectorDimension;
    this.vectorRow[slot] = rows.vectorRow;
    this.multilingualRow[slot] = rows.multilingualRow;
    return slot;
  }

  /** Appends a copy of a slot of another `Slots`, with its vectors at new rows. */
  copy(from: Slots, slot: number, rows: Pick<SlotPassage, "vectorRow" | "multilingualRow">): void {
    const to = this.count++;
    this.#grow(this.count);
    this.ids[to] = from.ids[slot] as string;
    for (const column of ["seq", "occurredAt", "length", "flags", "passage", "vectorDimension"] as const) {
      this[column][to] = from[column][slot] as number;
    }
    this.session[to] = this.sessions.encode(from.sessions.decode(from.session[slot] as number));
    this.speaker[to] = this.speakers.encode(from.speakers.decode(from.speaker[slot] as number));
    this.language[to] = this.languages.encode(from.languages.decode(from.language[slot] as number));
    this.vectorRow[to] = rows.vectorRow;
    this.multilingualRow[to] = rows.multilingualRow;
  }

  #grow(count: number): void {
    if (count <= this.seq.length) return;
    const length = Math.max(16, Math.ceil(this.seq.length * 1.5));
    for (const column of ["seq", "occurredAt"] as const) this[column] = grown(this[column], length);
    for (const column of NUMBERS) this[column] = grown(this[column], length);
    for (const column of ["flags", "passage"] as const) this[column] = grown(this[column], length);
  }

  get bytes(): number {
    const dictionaries = this.sessions.bytes + this.speakers.bytes + this.languages.bytes;
    return this.seq.length * SLOT_BYTES + dictionaries;
  }
}

/** Columns of integers. */
const NUMBERS = [
  "length",
  "session",
  "speaker",
  "language",
  "vectorDimension",
  "vectorRow",
  "multilingualRow",
] as const;

/** The passages that contain a piece: slots and term frequencies, packed as `slot · 256 + frequency`. */
interface Posting {
  entries: Uint32Array;
  count: number;
}

export const FREQUENCY_BITS = 8;
export const FREQUENCY_MAX = 255;
/** Maximum number of slots, given the bits left beside the frequency. */
export const SLOTS_MAX = 2 ** (32 - FREQUENCY_BITS);

/** Measured on V8 with a million pieces: a map entry at its lowest load, the record, and an array's header. */
const POSTING_BYTES = 300;
/** A typed array larger than this has its own buffer outside the heap. */
const INLINE_BYTES_MAX = 64;
const BUFFER_BYTES = 200;

function entriesBytes({ byteLength }: Uint32Array): number {
  return byteLength > INLINE_BYTES_MAX ? byteLength + BUFFER_BYTES : byteLength;
}

/**
 * Maps word pieces to the slots that contain them. Slots of replaced memories stay until a copy by `remapped` drops
 * them.
 */
export class Postings {
  bytes = 0;
  readonly #byPiece = new Map<number, Posting>();
  readonly #packed: PackedPostings | undefined;

  /** `packed`: postings to begin with. They stay as they are until a piece is asked for. */
  constructor(packed?: PackedPostings) {
    this.#packed = packed;
    if (packed !== undefined)
      this.bytes += packed.pieces.byteLength + packed.ends.byteLength + packed.entries.byteLength;
  }

  get(piece: number): Posting | undefined {
    return this.#byPiece.get(piece) ?? this.#unpack(piece);
  }

  add(piece: number, slot: number, frequency: number): void {
    let posting = this.get(piece);
    if (posting === undefined) {
      posting = { entries: new Uint32Array(2), count: 0 };
      this.#byPiece.set(piece, posting);
      this.bytes += POSTING_BYTES + entriesBytes(posting.entries);
    }
    if (posting.count === posting.entries.length) {
      const before = entriesBytes(posting.entries);
      posting.entries = grown(posting.entries, posting.count + 1);
      this.bytes += entriesBytes(posting.entries) - before;
    }
    posting.entries[posting.count++] = slot * (FREQUENCY_MAX + 1) + Math.min(frequency, FREQUENCY_MAX);
  }

  /** All pieces, each with its posting, in no particular order. */
  *all(): Iterable<[piece: number, posting: Posting]> {
    yield* this.#byPiece;
    const { pieces, ends, entries } = this.#packed ?? NO_POSTINGS;
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as number;
      if (this.#byPiece.has(piece)) continue;
      const own = entries.subarray(ends[at - 1] ?? 0, ends[at]);
      yield [piece, { entries: own, count: own.length }];
    }
  }

  #unpack(piece: number): Posting | undefined {
    if (this.#packed === undefined) return;
    const { pieces, ends, entries } = this.#packed;
    const at = placeOf(piece, pieces);
    if (pieces[at] !== piece) return;
    const own = entries.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
    const posting = { entries: own, count: own.length };
    this.#byPiece.set(piece, posting);
    this.bytes += POSTING_BYTES;
    return posting;
  }

  /** A copy with all slots renumbered. Slots that `slotOf` maps to −1 are dropped. */
  remapped(slotOf: Int32Array): Postings {
    const copy = new Postings();
    for (const [piece, { entries, count }] of this.all()) {
      for (let at = 0; at < count; at++) {
        const entry = entries[at] as number;
        const slot = slotOf[entry >>> FREQUENCY_BITS] as number;
        if (slot >= 0) copy.add(piece, slot, entry & FREQUENCY_MAX);
      }
    }
    return copy;
  }
}

/** Postings in three arrays: the pieces in ascending order, where the entries of each end, and all entries. */
export interface PackedPostings {
  readonly pieces: Int32Array;
  readonly ends: Uint32Array;
  readonly entries: Uint32Array;
}

const NO_POSTINGS: PackedPostings = {
  pieces: new Int32Array(0),
  ends: new Uint32Array(0),
  entries: new Uint32Array(0),
};

/** The index of the first element that is at least `value`, in an ascending array. */
function placeOf(value: number, ascending: Int32Array): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

const ROWS_PER_CHUNK = 1024;

/** The int8 vectors of one dimension, in rows of chunks that never move in memory. */
export class VectorColumn {
  readonly dimension: number;
  readonly rowLength: number;
  readonly chunks: Int8Array[] = [];
  /** 1 / norm of each row's steps; 0 for a zero vector. */
  readonly inverseNorms: Float32Array[] = [];
  /** The slot of each row; −1 once it is erased. */
  slotOfRow = new Int32Array(0);
  count = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.rowLength = paddedLength(dimension);
  }

  static readonly rowsPerChunk = ROWS_PER_CHUNK;

  /** A column of packed vectors: whole chunks, one after the other. It keeps the arrays. */
  static unpacked(
    dimension: number,
    steps: Int8Array,
    inverseNorms: Float32Array,
    slotOfRow: Int32Array<ArrayBuffer>,
  ): VectorColumn {
    const column = new VectorColumn(dimension);
    const chunkLength = ROWS_PER_CHUNK * column.rowLength;
    const chunkCount = Math.ceil(slotOfRow.length / ROWS_PER_CHUNK);
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      column.chunks.push(steps.subarray(chunk * chunkLength, (chunk + 1) * chunkLength));
      column.inverseNorms.push(inverseNorms.subarray(chunk * ROWS_PER_CHUNK, (chunk + 1) * ROWS_PER_CHUNK));
    }
    column.slotOfRow = slotOfRow;
    column.count = slotOfRow.length;
    return column;
  }

  /** Appends the steps of a slot's vector and returns its row. */
  add(steps: Int8Array, slot: number): number {
    const row = this.count++;
    this.slotOfRow = grown(this.slotOfRow, this.count);
    this.slotOfRow[row] = slot;
    const at = row % ROWS_PER_CHUNK;
    if (at === 0) {
      this.chunks.push(new Int8Array(ROWS_PER_CHUNK * this.rowLength));
      this.inverseNorms.push(new Float32Array(ROWS_PER_CHUNK));
    }
    const chunk = this.chunks.length - 1;
    this.chunks[chunk]?.set(steps, at * this.rowLength);
    let squares = 0;
    // An indexed loop: `for … of` over a typed array takes ten times as long.
    for (let d = 0; d < steps.length; d++) squares += (steps[d] as number) ** 2;
    (this.inverseNorms[chunk] as Float32Array)[at] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    return row;
  }

  /** The steps of a row, as a subarray that only `erase` changes; undefined for the row −1. */
  steps(row: number): Int8Array | undefined {
    if (row < 0) return;
    const start = (row % ROWS_PER_CHUNK) * this.rowLength;
    return (this.chunks[Math.floor(row / ROWS_PER_CHUNK)] as Int8Array).subarray(
      start,
      start + this.dimension,
    );
  }

  /** Sets a row to zero. Does nothing for the row −1. */
  erase(row: number): void {
    if (row < 0) return;
    this.steps(row)?.fill(0);
    this.slotOfRow[row] = -1;
    (this.inverseNorms[Math.floor(row / ROWS_PER_CHUNK)] as Float32Array)[row % ROWS_PER_CHUNK] = 0;
  }

  inverseNorm(row: number): number {
    return this.inverseNorms[Math.floor(row / ROWS_PER_CHUNK)]?.[row % ROWS_PER_CHUNK] as number;
  }

  get bytes(): number {
    return this.chunks.length * ROWS_PER_CHUNK * (this.rowLength + 4) + this.slotOfRow.byteLength;
  }
}

/** Measured on V8: a string's header, a map entry and an array entry. */
const VALUE_BYTES = 160;

/** Assigns small numbers to repeating strings. null has the code −1. */
export class Dictionary {
  readonly values: string[] = [];
  /** Estimated memory use. */
  bytes = 0;
  #codes = new Map<string, number>();

  /** `values`: those that get the first codes, in this order. */
  constructor(values: readonly string[] = []) {
    for (const value of values) this.encode(value);
  }

  /** The code of a value. Assigns a new one if the value is new. */
  encode(value: string | null): number {
    if (value === null) return -1;
    let code = this.#codes.get(value);
    if (code === undefined) {
      code = this.values.length;
      this.values.push(value);
      this.#codes.set(value, code);
      this.bytes += VALUE_BYTES + 2 * value.length;
    }
    return code;
  }

  decode(code: number): string | null {
    // An array searched at −1 is searched by name, which takes many times as long.
    return code < 0 ? null : (this.values[code] ?? null);
  }
}

type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array;

/** Returns the array, or a copy at least twice as long if `length` does not fit. */
export function grown<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  longer.set(array as never);
  return longer;
}
