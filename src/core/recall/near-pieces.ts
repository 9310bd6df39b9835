import { createInt8Dots } from "./int8-dots.ts";
import type { StaticTable } from "./static-table.ts";

/** Pieces of similar meaning or form, nearest first and the piece itself included, each with its weight. */
export interface NearPieces {
  readonly pieces: Int32Array;
  /** cos⁴, in whole 1/1024: sums of such weights are exact, whatever the order they are added in. */
  readonly weights: Float32Array;
}

/** Cosine from which on a piece counts as near. Source: recall.md, "soft count"; a plateau from .4 to .5. */
const COSINE_MIN = 0.45;
const WEIGHT_STEPS = 1024;
/** The whole vocabulary: a search for one takes a millisecond, and all of them together ten megabytes. */
const CACHED_MAX = 32_768;

/** Makes the search for near pieces over the whole vocabulary of `table`, cached by piece (LRU). */
export function createNearPieces(table: StaticTable): (piece: number) => NearPieces {
  const { dimension, rows } = table;
  const count = table.words.length;
  const dots = createInt8Dots();
  const products = new Int32Array(count);
  const norms = rowNorms(table);
  const cache = new Map<number, NearPieces>();

  return (piece) => {
    const held = cache.get(piece);
    if (held !== undefined) {
      cache.delete(piece);
      cache.set(piece, held);
      return held;
    }
    const near = piece < count ? search(piece) : withSessionLock(piece);
    if (cache.size >= CACHED_MAX) cache.delete(cache.keys().next().value as number);
    cache.set(piece, near);
    return near;
  };

  function search(piece: number): NearPieces {
    const row = new Int16Array(rows.subarray(piece * dimension, (piece + 1) * dimension));
    dots(row, rows, count, products);
    const norm = norms[piece] as number;
    const found: { piece: number; cosine: number }[] = [{ piece, cosine: 1 }];
    for (let other = 0; other < count; other++) {
      if ((products[other] as number) <= COSINE_MIN * norm * (norms[other] as number) || other === piece)
        continue;
      found.push({ piece: other, cosine: (products[other] as number) / (norm * (norms[other] as number)) });
    }
    found.sort((a, b) => b.cosine - a.cosine || a.piece - b.piece);
    return {
      pieces: Int32Array.from(found, (entry) => entry.piece),
      weights: Float32Array.from(
        found,
        (entry) => Math.round(Math.min(entry.cosine, 1) ** 4 * WEIGHT_STEPS) / WEIGHT_STEPS,
      ),
    };
  }
}

/** A piece outside the vocabulary has no row to compare: it is near itself only. */
function withSessionLock(piece: number): NearPieces {
  return { pieces: Int32Array.of(piece), weights: Float32Array.of(1) };
}

function rowNorms({ dimension, rows, words }: StaticTable): Float32Array {
  return Float32Array.from(words, (_, row) => {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at++) squares += (rows[at] as number) ** 2;
    return Math.sqrt(squares);
  });
}
