import { createInt8Dots } from "../../src/recall/index/int8-dots.ts";
import type { StaticTable } from "../../src/recall/language/lexicon.ts";
import { NEAR_COSINE_MIN, type NearPieces, nearWeight } from "../../src/recall/language/near-pieces.ts";

/** Makes the search for what is near to a piece over the whole vocabulary of a static table. */
export function createSearch(table: StaticTable): (piece: number) => NearPieces {
  const { dimension, rows } = table;
  const count = table.words.length;
  const dots = createInt8Dots();
  const products = new Int32Array(count);
  const norms = rowNorms(table);
  return (piece) => {
    const row = new Int16Array(rows.subarray(piece * dimension, (piece + 1) * dimension));
    dots(row, rows, count, products);
    const norm = norms[piece] as number;
    const found: { piece: number; cosine: number }[] = [{ piece, cosine: 1 }];
    for (let other = 0; other < count; other++) {
      if ((products[other] as number) <= NEAR_COSINE_MIN * norm * (norms[other] as number) || other === piece)
        continue;
      found.push({ piece: other, cosine: (products[other] as number) / (norm * (norms[other] as number)) });
    }
    found.sort((a, b) => b.cosine - a.cosine || a.piece - b.piece);
    return {
      pieces: Int32Array.from(found, (entry) => entry.piece),
      weights: Float32Array.from(found, (entry) => nearWeight(entry.cosine)),
    };
  };
}

function rowNorms({ dimension, rows, words }: StaticTable): Float32Array {
  return Float32Array.from(words, (_, row) => {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at++) squares += (rows[at] as number) ** 2;
    return Math.sqrt(squares);
  });
}
