/**
 * Dot products of one query with many int8 rows. JavaScript has no vector instructions, but WebAssembly does in every
 * supported runtime. This loop dominates an exact search, and vectorised it is 8 times as fast as the plain loop.
 *
 * Writes to `out` the dot product of `query` (from `toSteps`) with each of `count` rows, which are contiguous in `rows`
 * and have the query's length.
 */
export type Int8Dots = (query: Int16Array, rows: Int8Array, count: number, out: Int32Array) => void;

/** Rows are padded to a multiple of this, so that the loop has no remainder. */
const ROW_ALIGNMENT = 16;

const QUERY_BYTES_MAX = 16_384;
/** Rows are copied to the loop's memory in batches of this size, small enough to stay in the CPU cache. */
const ROW_BYTES_MAX = 2 * 65_536;
const PAGES = 3; // the query, rows, and sums
const SUMS_AT = QUERY_BYTES_MAX + ROW_BYTES_MAX;
const SUMS_MAX = (PAGES * 65_536 - SUMS_AT) / 4;

/** Length of a padded row of `dimension` components. */
export function paddedLength(dimension: number): number {
  return Math.ceil(dimension / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

/** Quantises a vector to integers, padded, and returns their norm. The sums fit into 32 bits in any dimension. */
export function toSteps(vector: Float32Array): { steps: Int16Array; norm: number } {
  const steps = new Int16Array(paddedLength(vector.length));
  const stepMax = Math.min(16_383, Math.floor((2 ** 31 - 1) / (127 * Math.max(1, vector.length))));
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  if (!(largest > 0 && largest < Infinity)) return { steps, norm: 0 };
  let squares = 0;
  for (let at = 0; at < vector.length; at++) {
    const step = Math.round(((vector[at] as number) / largest) * stepMax);
    steps[at] = step;
    squares += step * step;
  }
  return { steps, norm: Math.sqrt(squares) };
}

/** Creates the loop: with vector instructions if the engine has them, as plain JavaScript otherwise. */
export function createInt8Dots(): Int8Dots {
  const loop = vectorLoop();
  if (loop === null) return plainDots;
  const { queryPlace, rowPlace, sums, run } = loop;
  return (query, rows, count, out) => {
    const length = query.length;
    if (length % ROW_ALIGNMENT !== 0 || length === 0 || length > queryPlace.length)
      return plainDots(query, rows, count, out);
    queryPlace.set(query);
    const rowsMax = Math.min(SUMS_MAX, Math.floor(ROW_BYTES_MAX / length));
    for (let from = 0; from < count; from += rowsMax) {
      const block = Math.min(rowsMax, count - from);
      rowPlace.set(rows.subarray(from * length, (from + block) * length));
      run(0, block, length);
      out.set(sums.subarray(0, block), from);
    }
  };
}

/**
 * Calls `found` for each row, from the last to the first, with the dot products of the row with itself and with each
 * later row. `products` is valid until the next call.
 */
export type Int8Pairs = (
  rows: Int8Array,
  count: number,
  length: number,
  found: (row: number, products: Int32Array) => void,
) => void;

/** Creates the loop over all pairs of rows, which are contiguous and padded to `length`. */
export function createInt8Pairs(): Int8Pairs {
  const loop = vectorLoop();
  const dots = createInt8Dots();
  return (rows, count, length, found) => {
    const isInOneGo = loop !== null && length <= loop.queryPlace.length && count * length <= ROW_BYTES_MAX;
    const products = isInOneGo ? loop.sums : new Int32Array(count);
    const queries = new Int16Array(rows);
    if (isInOneGo) loop.rowPlace.set(rows);
    for (let row = count - 1; row >= 0; row--) {
      const query = queries.subarray(row * length, (row + 1) * length);
      if (isInOneGo) {
        loop.queryPlace.set(query);
        loop.run(row, count - row, length);
      } else dots(query, rows.subarray(row * length), count - row, products);
      found(row, products);
    }
  };
}

/** The same without vector instructions. */
export function plainDots(query: Int16Array, rows: Int8Array, count: number, out: Int32Array): void {
  const length = query.length;
  for (let row = 0, at = 0; row < count; row++) {
    let sum = 0;
    for (let d = 0; d < length; d++, at++) sum += (query[d] as number) * (rows[at] as number);
    out[row] = sum;
  }
}

type Loop = (query: number, rows: number, count: number, length: number, sums: number) => void;

interface VectorLoop {
  /** Memory from which the loop reads the query and the rows, and to which it writes the sums. */
  readonly queryPlace: Int16Array;
  readonly rowPlace: Int8Array;
  readonly sums: Int32Array;
  /** Multiplies the query with `count` rows of this length, beginning at row `from`. */
  run(from: number, count: number, length: number): void;
}

function vectorLoop(): VectorLoop | null {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
    const { buffer } = exports.m as WebAssembly.Memory;
    const loop = exports.d as unknown as Loop;
    return {
      queryPlace: new Int16Array(buffer, 0, QUERY_BYTES_MAX / 2),
      rowPlace: new Int8Array(buffer, QUERY_BYTES_MAX, ROW_BYTES_MAX),
      sums: new Int32Array(buffer, SUMS_AT, SUMS_MAX),
      run: (from, count, length) => loop(0, QUERY_BYTES_MAX + from * length, count, length, SUMS_AT),
    };
  } catch {
    return null; // No WebAssembly, or none with vectors: slower, with the same result.
  }
}

const [I32, V128] = [0x7f, 0x7b];
/** The loop's parameters and locals, in order. */
const [QUERY, ROWS, COUNT, LENGTH, SUMS] = [0, 1, 2, 3, 4] as const;
const [AT, END, NEXT, SUM, OTHER, LOW, HIGH, BYTES] = [5, 6, 7, 8, 9, 10, 11, 12] as const;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, value];
const load = (offset: number) => [0xfd, 0x00, 0x00, offset];
const ADD = 0x6a;
const advance = (local: number, bytes: number) => [...get(local), ...constant(bytes), ADD, ...tee(local)];
const [DOT_I16, ADD_I32X4, EXTEND_LOW, EXTEND_HIGH] = [
  [0xfd, 0xba, 0x01],
  [0xfd, 0xae, 0x01],
  [0xfd, 0x87, 0x01],
  [0xfd, 0x88, 0x01],
] as const;

const zero = (sum: number) => [0xfd, 0x0c, ...new Array(16).fill(0), ...set(sum)];
const lane = (sum: number, index: number) => [...get(sum), 0xfd, 0x1b, index];
/** Adds the products of 16 query components and those at `row` to a sum. */
const addProducts = (row: number, sum: number) => [
  ...[...get(row), ...load(0), ...set(BYTES), ...get(sum)],
  ...[...get(BYTES), ...EXTEND_LOW, ...get(LOW), ...DOT_I16, ...ADD_I32X4],
  ...[...get(BYTES), ...EXTEND_HIGH, ...get(HIGH), ...DOT_I16, ...ADD_I32X4, ...set(sum)],
];
/** Adds up the four lanes of a sum and writes the result at a byte offset from `SUMS`. */
const write = (sum: number, offset: number) => [
  ...[...get(SUMS), ...lane(sum, 0), ...lane(sum, 1), ADD, ...lane(sum, 2), ADD, ...lane(sum, 3), ADD],
  ...[0x36, 0x02, offset],
];
/** Code for one row, or for two adjacent ones, which share reading the query. */
// biome-ignore format: one line per step
const rowsAtOnce = (isPair: boolean) => [
  ...zero(SUM), ...zero(OTHER),
  ...get(QUERY), ...set(AT),
  ...get(ROWS), ...get(LENGTH), ADD, ...tee(END), ...set(NEXT),
  0x03, 0x40, // loop over 16 components
  ...get(AT), ...load(0), ...set(LOW), ...get(AT), ...load(16), ...set(HIGH),
  ...addProducts(ROWS, SUM), ...(isPair ? addProducts(NEXT, OTHER) : []),
  ...advance(AT, 32), 0x1a, ...advance(NEXT, 16), 0x1a,
  ...advance(ROWS, 16), ...get(END), 0x49, 0x0d, 0, // while rows < end
  0x0b,
  ...write(SUM, 0), ...(isPair ? write(OTHER, 4) : []),
];

// biome-ignore format: one line per step
const BODY = [
  2, 3, I32, 5, V128, // locals after the parameters
  0x02, 0x40, 0x03, 0x40, // a block, and in it a loop over two rows
  ...get(COUNT), ...constant(2), 0x49, 0x0d, 1, // exit both if fewer are left
  ...rowsAtOnce(true),
  ...get(NEXT), ...set(ROWS),
  ...advance(SUMS, 8), 0x1a,
  ...get(COUNT), ...constant(2), 0x6b, ...set(COUNT), 0x0c, 0, // and again
  0x0b, 0x0b,
  ...get(COUNT), 0x04, 0x40, // the remaining one, if any
  ...rowsAtOnce(false),
  0x0b,
  0x0b,
];

/** Prefixes the length of a section. Every part here is shorter than 128 bytes or has a two-byte length. */
function sized(bytes: readonly number[]): number[] {
  return bytes.length < 128
    ? [bytes.length, ...bytes]
    : [(bytes.length & 127) | 128, bytes.length >> 7, ...bytes];
}

// biome-ignore format: one line per section
const MODULE = Uint8Array.from([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, ...sized([1, 0x60, 5, I32, I32, I32, I32, I32, 0]), // one type: five numbers, no result
  0x03, ...sized([1, 0]),
  0x05, ...sized([1, 0, PAGES]),
  0x07, ...sized([2, 1, 0x6d, 2, 0, 1, 0x64, 0, 0]), // exports "m" and "d"
  0x0a, ...sized([1, ...sized(BODY)]),
]);
