import type { Lexicon } from "../../language/lexicon.ts";
import type { Steps } from "../../work.ts";
import {
  Dictionary,
  FREQUENCY_BITS,
  FREQUENCY_MAX,
  MemorySet,
  type PackedPostings,
  Postings,
  VectorColumn,
} from "./memory-set.ts";
import { CODED, FilterColumns, NUMBERS, OwnerIndex, perField } from "./owner-index.ts";

/**
 * An owner's index in a form that can be stored: columns of numbers, and what they are. It has no texts, and nothing of
 * memories that were removed from the index.
 */
export interface PackedIndex {
  /** A `Description` in JSON. */
  readonly description: string;
  /** The bytes of all columns, in the order of the description. */
  readonly columns: readonly Uint8Array[];
}

interface ColumnTypes {
  Float64Array: Float64Array<ArrayBuffer>;
  Float32Array: Float32Array<ArrayBuffer>;
  Int32Array: Int32Array<ArrayBuffer>;
  Uint32Array: Uint32Array<ArrayBuffer>;
  Uint8Array: Uint8Array<ArrayBuffer>;
  Int8Array: Int8Array<ArrayBuffer>;
}

type TypeName = keyof ColumnTypes;
type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array;
const TYPES = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint8Array, Int8Array };

interface Description {
  /** Columns of wide numbers come first, so that each begins at a multiple of its numbers' size. */
  readonly columns: readonly (readonly [name: string, type: TypeName, length: number])[];
  /** Values of the dictionaries, in the order of their codes. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly dimensions: readonly number[];
  /** Dimension of the multilingual vectors; null if there are none. */
  readonly multilingual: number | null;
}

/** Separates the ids in their column. No id contains it. */
const ID_END = "\n";

const OF_SLOTS = ["seq", "occurredAt", "length", "flags", "passage", "vectorDimension"] as const;
const CODED_OF_SLOTS = [
  ["session", "sessions"],
  ["speaker", "speakers"],
  ["language", "languages"],
] as const;

/** Packs an index, which must not change meanwhile. Slots are renumbered without those that were replaced. */
export function* packIndex({ memories, filters }: OwnerIndex): Steps<PackedIndex> {
  const { slots, multilingual } = memories;
  const inUse = slotsInUse(filters);
  const columns = new Map<string, Column>();
  const values: Record<string, readonly string[]> = {};
  const keepCoded = (name: string, codes: Int32Array, dictionary: Dictionary) => {
    const recoded = new Dictionary();
    columns.set(
      name,
      picked(codes, inUse, (code) => recoded.encode(dictionary.decode(code))),
    );
    values[name] = recoded.values;
  };

  const firsts = inUse.filter((slot) => slots.passage[slot] === 0);
  columns.set("ids", new TextEncoder().encode(Array.from(firsts, (slot) => slots.ids[slot]).join(ID_END)));
  yield;
  for (const name of OF_SLOTS) columns.set(name, picked(slots[name], inUse));
  for (const [name, dictionary] of CODED_OF_SLOTS) keepCoded(name, slots[name], slots[dictionary]);
  yield;
  for (const name of NUMBERS) columns.set(`filter ${name}`, picked(filters[name], inUse));
  columns.set("filter isItem", picked(filters.isItem, inUse));
  yield;
  for (const name of CODED) keepCoded(`filter ${name}`, filters.codes[name], filters.dictionaries[name]);
  yield;
  for (const [dimension, column] of memories.vectors) {
    const ofDimension = inUse.map((slot) =>
      slots.vectorDimension[slot] === dimension ? (slots.vectorRow[slot] as number) : -1,
    );
    yield* packVectors(`vectors ${dimension}`, column, ofDimension, columns);
  }
  if (multilingual !== undefined)
    yield* packVectors("multilingual", multilingual, picked(slots.multilingualRow, inUse), columns);
  const { pieces, ends, entries } = yield* packPostings(memories, inUse);
  columns.set("pieces", pieces).set("ends", ends).set("entries", entries);
  const inOrder = [...columns].sort(([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT);
  const description: Description = {
    columns: inOrder.map(([name, column]) => [name, column.constructor.name as TypeName, column.length]),
    values,
    dimensions: [...memories.vectors.keys()],
    multilingual: multilingual?.dimension ?? null,
  };
  return {
    description: JSON.stringify(description),
    columns: inOrder.map(
      ([, { buffer, byteOffset, byteLength }]) => new Uint8Array(buffer, byteOffset, byteLength),
    ),
  };
}

/**
 * Restores a packed index from its description and bytes, which it keeps. Throws if they do not belong together; damage
 * within a column is not noticed.
 */
export function* unpackIndex(
  description: string,
  bytes: Uint8Array<ArrayBuffer>,
  lexicon: Lexicon,
): Steps<OwnerIndex> {
  const { columns, values, dimensions, multilingual } = JSON.parse(description) as Description;
  const take = columnsIn(bytes, columns);
  const dictionary = (name: string) => new Dictionary(values[name]);
  const postings = { pieces: take("pieces", "Int32Array"), ends: take("ends", "Uint32Array") };
  const memories = new MemorySet(new Postings({ ...postings, entries: take("entries", "Uint32Array") }));
  const { slots } = memories;
  slots.seq = take("seq", "Float64Array");
  slots.occurredAt = take("occurredAt", "Float64Array");
  slots.length = take("length", "Int32Array");
  slots.flags = take("flags", "Uint8Array");
  slots.passage = take("passage", "Uint8Array");
  slots.vectorDimension = take("vectorDimension", "Int32Array");
  for (const [name, of] of CODED_OF_SLOTS) {
    slots[name] = take(name, "Int32Array");
    slots[of] = dictionary(name);
  }
  slots.count = slots.seq.length;
  yield;
  const ids = new TextDecoder().decode(take("ids", "Uint8Array")).split(ID_END);
  for (let slot = 0, memory = -1; slot < slots.count; slot++) {
    if (slots.passage[slot] === 0) memory++;
    slots.ids.push(ids[memory] as string);
  }
  yield;
  const filters = new FilterColumns();
  for (const name of NUMBERS) filters[name] = take(`filter ${name}`, "Float64Array");
  filters.isItem = take("filter isItem", "Uint8Array");
  filters.isCurrent = new Uint8Array(slots.count).fill(1);
  filters.codes = perField((field) => take(`filter ${field}`, "Int32Array"));
  filters.dictionaries = perField((field) => dictionary(`filter ${field}`));
  filters.holdsNull = perField((field) => filters.codes[field].includes(-1));
  filters.count = slots.count;
  yield;
  slots.vectorRow = new Int32Array(slots.count).fill(-1);
  slots.multilingualRow = new Int32Array(slots.count).fill(-1);
  const takeVectors = (name: string, dimension: number, rowOf: Int32Array) => {
    const slotOfRow = take(`${name} slots`, "Int32Array");
    for (let row = 0; row < slotOfRow.length; row++) rowOf[slotOfRow[row] as number] = row;
    const norms = take(`${name} norms`, "Float32Array");
    return VectorColumn.unpacked(dimension, take(name, "Int8Array"), norms, slotOfRow);
  };
  for (const dimension of dimensions)
    memories.vectors.set(dimension, takeVectors(`vectors ${dimension}`, dimension, slots.vectorRow));
  yield;
  if (multilingual !== null)
    memories.multilingual = takeVectors("multilingual", multilingual, slots.multilingualRow);
  return OwnerIndex.of(memories, filters, lexicon);
}

function slotsInUse({ isCurrent, count }: FilterColumns): Int32Array {
  const slots = new Int32Array(count);
  let used = 0;
  for (let slot = 0; slot < count; slot++) if (isCurrent[slot] === 1) slots[used++] = slot;
  return slots.subarray(0, used);
}

/** The values at these slots, in a column of the same type. */
function picked<T extends Column>(
  column: T,
  slots: Int32Array,
  change: (value: number) => number = (value) => value,
): T {
  const found = new (column.constructor as new (length: number) => T)(slots.length);
  for (let at = 0; at < slots.length; at++) found[at] = change(column[slots[at] as number] as number);
  return found;
}

/** Slots between two pauses, in a millisecond or two. */
const PAUSE_SLOTS = 8192;

/** `rows`: the row of each slot, −1 for none. */
function* packVectors(
  name: string,
  column: VectorColumn,
  rows: Int32Array,
  columns: Map<string, Column>,
): Steps<void> {
  const count = rows.reduce((sum, row) => (row < 0 ? sum : sum + 1), 0);
  const chunks = Math.ceil(count / VectorColumn.rowsPerChunk) * VectorColumn.rowsPerChunk;
  const steps = new Int8Array(chunks * column.rowLength);
  const norms = new Float32Array(chunks);
  const slotOfRow = new Int32Array(count);
  let to = 0;
  for (let slot = 0; slot < rows.length; slot++) {
    const row = rows[slot] as number;
    if (row < 0) continue;
    steps.set(column.steps(row) as Int8Array, to * column.rowLength);
    norms[to] = column.inverseNorm(row);
    slotOfRow[to++] = slot;
    if (to % PAUSE_SLOTS === 0) yield;
  }
  columns.set(name, steps).set(`${name} norms`, norms).set(`${name} slots`, slotOfRow);
}

/** Entries between two pauses. */
const PAUSE_ENTRIES = 200_000;

function* packPostings({ postings, slots }: MemorySet, inUse: Int32Array): Steps<PackedPostings> {
  const slotOf = new Int32Array(slots.count).fill(-1);
  for (let at = 0; at < inUse.length; at++) slotOf[inUse[at] as number] = at;
  const all = [...postings.all()].sort(([a], [b]) => a - b);
  const pieces = new Int32Array(all.length);
  const ends = new Uint32Array(all.length);
  const packed = new Uint32Array(all.reduce((sum, [, { count }]) => sum + count, 0));
  let [pieceCount, end, paused] = [0, 0, 0];
  for (const [piece, { entries, count }] of all) {
    const start = end;
    for (let at = 0; at < count; at++) {
      const entry = entries[at] as number;
      const slot = slotOf[entry >>> FREQUENCY_BITS] as number;
      if (slot >= 0) packed[end++] = slot * (FREQUENCY_MAX + 1) + (entry & FREQUENCY_MAX);
    }
    if (end === start) continue;
    pieces[pieceCount] = piece;
    ends[pieceCount++] = end;
    if (end - paused < PAUSE_ENTRIES) continue;
    paused = end;
    yield;
  }
  return {
    pieces: pieces.subarray(0, pieceCount),
    ends: ends.subarray(0, pieceCount),
    entries: packed.subarray(0, end),
  };
}

/** Access to the columns, as views of the bytes. Throws if there is no such column, or the bytes end before it does. */
function columnsIn(bytes: Uint8Array<ArrayBuffer>, columns: Description["columns"]) {
  const places = new Map<string, { type: TypeName; at: number; length: number }>();
  let at = bytes.byteOffset;
  for (const [name, type, length] of columns) {
    places.set(name, { type, at, length });
    at += length * TYPES[type].BYTES_PER_ELEMENT;
  }
  if (at - bytes.byteOffset !== bytes.length)
    throw new RangeError("The bytes of an index are not as long as its columns.");
  return <Name extends TypeName>(name: string, type: Name): ColumnTypes[Name] => {
    const place = places.get(name);
    if (place?.type !== type) throw new RangeError(`A stored index has no such column: ${name}.`);
    return new TYPES[type](bytes.buffer, place.at, place.length) as ColumnTypes[Name];
  };
}
