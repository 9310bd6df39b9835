import { createInt8Dots, paddedLength } from "./int8-dots.ts";

/** From this cosine on two memories repeat each other, fully at 1. Source: recall.md, "sup / upd". */
const COSINE_MIN = 0.75;
/** A later memory supersedes an earlier one only if it matches the query at least this share as well. */
const SAME_MATCH = 0.8;

/** What one of the pool has in common with the others, each 0 to 1. */
export interface Repetition {
  /** How near it is to a later memory that matches the query about as well. */
  readonly superseded: number;
  /** How near it is to an earlier memory. */
  readonly update: number;
}

/** One of the pool: its vector's steps, and how well its own words match the query. */
export interface PoolMember {
  readonly vector: Int8Array | null;
  readonly own: number;
}

const dots = createInt8Dots();

/** Finds near-duplicates in a pool given in order of storing. Members without a vector repeat nothing. */
export function findRepetitions(pool: readonly PoolMember[]): Repetition[] {
  const found = pool.map(() => ({ superseded: 0, update: 0 }));
  for (const dimension of new Set(pool.map(({ vector }) => vector?.length ?? 0))) {
    if (dimension === 0) continue;
    const places = [...pool.keys()].filter((at) => pool[at]?.vector?.length === dimension);
    comparePairs(places, pool, dimension, found);
  }
  return found;
}

/** Compares those of the pool whose vectors have this dimension, each with all later ones. */
function comparePairs(
  places: readonly number[],
  pool: readonly PoolMember[],
  dimension: number,
  found: { superseded: number; update: number }[],
): void {
  const length = paddedLength(dimension);
  const rows = new Int8Array(places.length * length);
  for (const [row, at] of places.entries()) rows.set(pool[at]?.vector as Int8Array, row * length);
  const row = (index: number) => rows.subarray(index * length, (index + 1) * length);
  const norms = places.map((_, index) => norm(row(index)));
  const products = new Int32Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const earlier = places[i] as number;
    dots(new Int16Array(row(i)), rows.subarray((i + 1) * length), places.length - i - 1, products);
    for (let j = i + 1; j < places.length; j++) {
      const cosine = (products[j - i - 1] as number) / ((norms[i] as number) * (norms[j] as number));
      if (!(cosine > COSINE_MIN)) continue;
      const nearness = Math.min(1, (cosine - COSINE_MIN) / (1 - COSINE_MIN));
      const later = places[j] as number;
      const [first, second] = [found[earlier], found[later]] as [{ superseded: number }, { update: number }];
      second.update = Math.max(second.update, nearness);
      if ((pool[later]?.own as number) >= SAME_MATCH * (pool[earlier]?.own as number)) {
        first.superseded = Math.max(first.superseded, nearness);
      }
    }
  }
}

function norm(steps: Int8Array): number {
  let squares = 0;
  // By index: some engines are twenty times slower over a typed array's iterator.
  for (let at = 0; at < steps.length; at++) squares += (steps[at] as number) ** 2;
  return Math.sqrt(squares);
}
