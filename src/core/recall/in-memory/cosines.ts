import { type Int8Dots, toSteps } from "../int8-dots.ts";
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
  { memories, positionOf, count }: ViewPart,
  dimension: number,
  steps: Int16Array,
  scale: number,
  dots: Int8Dots,
  cosines: Float32Array,
): number {
  const { slots, vectors } = memories;
  const column = vectors.get(dimension);
  if (column === undefined || count === 0) return 0;
  const positionOfRow = new Int32Array(column.count).fill(-1);
  let covered = 0;
  for (let slot = 0; slot < slots.count; slot++) {
    const position = positionOf[slot] as number;
    if (position < 0 || slots.vectorDimension[slot] !== dimension) continue;
    positionOfRow[slots.vectorRow[slot] as number] = position;
    covered++;
  }
  scanColumn(column, positionOfRow, steps, scale, dots, cosines);
  return covered;
}

/** Computes a chunk at a time, in scope or not: one run over all rows is faster than picking some. */
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
      if (position >= 0) cosines[position] = (products[at] as number) * (inverseNorms[at] as number) * scale;
    }
  }
}

function hasPosition(positionOfRow: Int32Array, from: number, to: number): boolean {
  for (let row = from; row < to; row++) if ((positionOfRow[row] as number) >= 0) return true;
  return false;
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
