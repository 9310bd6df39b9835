/** Pieces of similar meaning or form with their weights, nearest first, including the piece itself. */
export interface NearPieces {
  readonly pieces: Int32Array;
  /** cos⁴ in multiples of 1/1024, so that sums are exact in any order. */
  readonly weights: Float32Array;
}

/** The rows of a vocabulary's static vectors, as in `StaticTable`. */
interface PieceRows {
  readonly dimension: number;
  readonly rows: Int8Array;
}

/** Minimum cosine of a near piece. Source: recall.md, "soft count"; a plateau from .4 to .5. */
export const NEAR_COSINE_MIN = 0.45;
const WEIGHT_STEPS = 1024;
export const MAGIC = "MNP2";
const HEAD_BYTES = 8;

/**
 * Reads the precomputed near pieces of a vocabulary (`models/near-pieces`). They are precomputed because finding them
 * takes more than a millisecond per piece, and a query has a dozen pieces. How near they are takes ten microseconds, so
 * that is computed from the vectors when a piece is first asked for.
 *
 * Format, little endian: `MNP2` | u32 number of pieces | for each piece, as LEB128: how many near pieces come later in
 * the vocabulary, then for each the number of pieces in between. Nearness is mutual, so each pair is there once.
 *
 * Throws if the bytes are not such a table of this vocabulary or are truncated.
 */
export function readNearPieces(bytes: Uint8Array, table: PieceRows): (piece: number) => NearPieces {
  const count = table.rows.length / table.dimension;
  const { starts, pieces } = readPairs(bytes, count);
  const weights = new Float32Array(pieces.length);
  const normOf = createNorms(table, count);
  return (piece) => {
    if (piece >= count) return itself(piece);
    const [from, to] = [starts[piece] as number, starts[piece + 1] as number];
    const near = { pieces: pieces.subarray(from, to), weights: weights.subarray(from, to) };
    // The piece itself comes first, with a weight of 1.
    if (near.weights[0] === 0) weigh(piece, near, table, normOf);
    return near;
  };
}

/** The weight of a near piece by its cosine. */
export function nearWeight(cosine: number): number {
  const square = Math.min(cosine, 1) ** 2;
  return Math.round(square * square * WEIGHT_STEPS) / WEIGHT_STEPS;
}

/** Every piece and its near ones, in the order of the vocabulary, where `starts` says. */
function readPairs(bytes: Uint8Array, count: number): { starts: Uint32Array; pieces: Int32Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isTable = bytes.length >= HEAD_BYTES && new TextDecoder().decode(bytes.subarray(0, 4)) === MAGIC;
  if (!isTable || view.getUint32(4, true) !== count)
    throw new Error("Not a table of this vocabulary's near pieces.");
  const starts = new Uint32Array(count + 1);
  eachPair(bytes, count, (one, other) => {
    for (const piece of [one, other]) (starts[piece + 1] as number)++;
  });
  for (let piece = 0; piece < count; piece++) (starts[piece + 1] as number) += (starts[piece] as number) + 1;
  const pieces = new Int32Array(starts[count] as number);
  const ends = starts.slice(0, count);
  for (let piece = 0; piece < count; piece++) pieces[(ends[piece] as number)++] = piece;
  eachPair(bytes, count, (one, other) => {
    pieces[(ends[one] as number)++] = other;
    pieces[(ends[other] as number)++] = one;
  });
  return { starts, pieces };
}

function eachPair(bytes: Uint8Array, count: number, visit: (one: number, other: number) => void): void {
  let at = HEAD_BYTES;
  const next = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (let piece = 0; piece < count; piece++) {
    let other = piece;
    for (let left = next(); left > 0; left--) {
      other += next() + 1;
      if (other >= count || at > bytes.length) throw new Error(CUT_SHORT);
      visit(piece, other);
    }
  }
  if (at !== bytes.length) throw new Error(CUT_SHORT);
}

const CUT_SHORT = "The table of near pieces is cut short.";

/** Sorts the near pieces of a piece, nearest first, and fills in their weights. */
function weigh(piece: number, near: NearPieces, table: PieceRows, normOf: (piece: number) => number): void {
  const cosines = Array.from(near.pieces, (other) => ({
    other,
    cosine: other === piece ? 1 : dot(table, piece, other) / (normOf(piece) * normOf(other)),
  }));
  cosines.sort(
    (a, b) =>
      Number(b.other === piece) - Number(a.other === piece) || b.cosine - a.cosine || a.other - b.other,
  );
  for (const [at, { other, cosine }] of cosines.entries()) {
    near.pieces[at] = other;
    near.weights[at] = nearWeight(cosine);
  }
}

function createNorms(table: PieceRows, count: number): (piece: number) => number {
  const norms = new Float32Array(count);
  return (piece) => {
    norms[piece] ||= Math.sqrt(dot(table, piece, piece));
    return norms[piece] as number;
  };
}

function dot({ dimension, rows }: PieceRows, one: number, other: number): number {
  let sum = 0;
  for (let at = 0; at < dimension; at++)
    sum += (rows[one * dimension + at] as number) * (rows[other * dimension + at] as number);
  return sum;
}

/** A piece outside the vocabulary has no vector to compare, so it is near only to itself. */
function itself(piece: number): NearPieces {
  return { pieces: Int32Array.of(piece), weights: Float32Array.of(1) };
}
