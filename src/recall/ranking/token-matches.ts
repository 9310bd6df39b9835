import { createInt8Dots } from "../index/int8-dots.ts";
import type { TokenVectors } from "../index/packed-tokens.ts";
import { type PackedTokens, pieceCount, unpackTokens } from "../index/packed-tokens.ts";
import type { Steps } from "../work.ts";

/** The pieces of several passages, concatenated. */
interface Pieces {
  readonly rows: Int8Array;
  readonly inverseLengths: Float32Array;
  /** By passage, the end (exclusive) of its pieces. */
  readonly ends: Int32Array;
}

/**
 * How well passages match a query piece by piece: for each query piece the best cosine with a piece of the passage,
 * averaged over the query's pieces (−1 to 1). null for a passage without pieces. `dimension`: a multiple of 16. Source:
 * Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction over BERT",
 * 2020.
 */
export function* tokenMatches(
  query: TokenVectors,
  passages: readonly (PackedTokens | null)[],
  dimension: number,
): Steps<(number | null)[]> {
  const count = query.length / dimension;
  if (count === 0) return passages.map(() => null);
  const pieces = yield* unpacked(passages, dimension);
  const products = new Int32Array(pieces.inverseLengths.length);
  const sums = new Float64Array(passages.length);
  for (let piece = 0; piece < count; piece++) {
    const row = query.subarray(piece * dimension, (piece + 1) * dimension);
    dots(new Int16Array(row), pieces.rows, products.length, products);
    addBest(pieces, products, 1 / lengthOf(row), sums);
    yield;
  }
  return passages.map((packed, at) =>
    packed === null || packed.length === 0 ? null : (sums[at] as number) / count,
  );
}

const dots = createInt8Dots();

function* unpacked(passages: readonly (PackedTokens | null)[], dimension: number): Steps<Pieces> {
  const counts = passages.map((packed) => (packed === null ? 0 : pieceCount(packed, dimension)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rows = new Int8Array(total * dimension);
  const inverseLengths = new Float32Array(total);
  const ends = new Int32Array(passages.length);
  let to = 0;
  for (const [at, packed] of passages.entries()) {
    if (packed !== null) unpackTokens(packed, dimension, { rows, inverseLengths, to });
    to += counts[at] as number;
    ends[at] = to;
    yield;
  }
  return { rows, inverseLengths, ends };
}

/** Adds to each passage's sum the best cosine between its pieces and one piece of the query. */
function addBest(
  { ends, inverseLengths }: Pieces,
  products: Int32Array,
  inverseLength: number,
  sums: Float64Array,
): void {
  let row = 0;
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at] as number;
    if (row === end) continue;
    let best = Number.NEGATIVE_INFINITY;
    for (; row < end; row++) {
      const cosine = (products[row] as number) * (inverseLengths[row] as number);
      if (cosine > best) best = cosine;
    }
    sums[at] = (sums[at] as number) + best * inverseLength;
  }
}

function lengthOf(row: TokenVectors): number {
  let squares = 0;
  for (let at = 0; at < row.length; at++) squares += (row[at] as number) ** 2;
  return Math.max(1, Math.sqrt(squares));
}
