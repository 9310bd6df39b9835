import { type Int8Dots, toSteps } from "../../core/recall/int8-dots.ts";
import type { ScopeView, ViewPart } from "./scope-view.ts";
import { VectorColumn } from "./vector-column.ts";

/** A position without a vector of the query's dimension has this cosine. */
export const NO_COSINE = -2;

/**
 * Writes the exact cosine of `query` with each position's vector to `cosines` and returns how many have one,
 * by part of the view.
 */
export function scanCosines(
  view: ScopeView,
  query: Float32Array,
  dots: Int8Dots,
  cosines: Float32Array,
): number[] {
  cosines.fill(NO_COSINE, 0, view.size);
  const { steps, norm } = toSteps(query);
  const scale = norm > 0 ? 1 / norm : 0;
  return view.parts.map((part) => scanPart(part, query.length, steps, scale, dots, cosines));
}

function scanPart(
  { index, slots, positionOf, count }: ViewPart,
  dimension: number,
  steps: Int16Array,
  scale: number,
  dots: Int8Dots,
  cosines: Float32Array,
): number {
  const column = index.vectors.get(dimension);
  if (column === undefined || count === 0) return 0;
  const products = dotColumn(column, steps, dots);
  let covered = 0;
  for (let slot = 0; slot < slots.count; slot++) {
    const position = positionOf[slot] as number;
    if (position < 0 || slots.vectorDimension[slot] !== dimension) continue;
    const row = slots.vectorRow[slot] as number;
    cosines[position] = (products[row] as number) * column.inverseNorm(row) * scale;
    covered++;
  }
  return covered;
}

/** All rows of the column, in scope or not: reading them in one run is faster than picking a part. */
function dotColumn(column: VectorColumn, steps: Int16Array, dots: Int8Dots): Int32Array {
  const products = new Int32Array(column.count);
  for (const [chunk, rows] of column.chunks.entries()) {
    const start = chunk * VectorColumn.rowsPerChunk;
    const count = Math.min(VectorColumn.rowsPerChunk, column.count - start);
    dots(steps, rows, count, products.subarray(start, start + count));
  }
  return products;
}

/** The best cosine of each row with any of the queries. Rows are padded; `inverseNorms` are parallel to them. */
export function bestCosines(
  rows: Int8Array,
  inverseNorms: Float32Array,
  queries: readonly Float32Array[],
  dots: Int8Dots,
): Float32Array {
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
  }
  return best;
}
