import { NEAR_PIECES_MAX } from "../../core/recall/in-memory/term-counts.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { Query, SearchBody } from "./search-all.ts";

/** What a search of memories brings of each: read by document number, no stored source is opened. */
const MEMORY = { stored_fields: "_none_", docvalue_fields: ["record"] };

/** The engine's limit on the pieces of one query is 1,024 at least. */
const PIECES_MAX = 1000;

/** A piece of the query, and what it weighs in the scope. */
export interface WeightedPiece {
  readonly piece: number;
  readonly weight: number;
}

/** The memories with most of the query's words, near ones counted for as much as they are near where `soft`. */
export function lexicalSearch(
  scope: Query,
  pieces: readonly WeightedPiece[],
  lexicon: Lexicon,
  { size, soft }: { size: number; soft: boolean },
): SearchBody {
  const weights = soft ? nearWeights(pieces, lexicon) : pieces.map(({ piece, weight }) => [piece, weight]);
  return {
    ...MEMORY,
    size,
    track_total_hits: false,
    query: {
      bool: {
        filter: [scope],
        must: [
          { sparse_vector: { field: "words", query_vector: Object.fromEntries(weights), prune: false } },
        ],
      },
    },
  };
}

/** The memories nearest to a vector. The engine compares whole steps; cosines are computed again here. */
export function denseSearch(scope: Query, vector: Float32Array, size: number): SearchBody {
  return {
    ...MEMORY,
    size,
    track_total_hits: false,
    knn: { field: "vector", query_vector: byteVector(vector), k: size, num_candidates: size, filter: scope },
  };
}

/** The newest memories. */
export function newestSearch(scope: Query, size: number): SearchBody {
  return { ...MEMORY, size, track_total_hits: false, query: scope, sort: [{ seq: "desc" }] };
}

/** Memories by other demands than words. */
export function memorySearch(query: Query, size: number): SearchBody {
  return { ...MEMORY, size, track_total_hits: false, query, sort: ["_doc"] };
}

/** The two memories of a query that are first in order of storing, or last. */
export function neighbourSearch(query: Query, order: "asc" | "desc"): SearchBody {
  return { ...MEMORY, size: 2, track_total_hits: false, query, sort: [{ seq: order }] };
}

/** The weights of the pieces near to the query's, of which the lightest are left out where there are too many. */
function nearWeights(pieces: readonly WeightedPiece[], lexicon: Lexicon): [number, number][] {
  const sums = new Map<number, number>();
  for (const { piece, weight } of pieces) {
    const near = lexicon.near(piece);
    for (let at = 0; at < Math.min(near.pieces.length, 2 * NEAR_PIECES_MAX); at++) {
      const other = near.pieces[at] as number;
      sums.set(other, (sums.get(other) ?? 0) + weight * (near.weights[at] as number));
    }
  }
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, PIECES_MAX);
}

function byteVector(vector: Float32Array): number[] {
  const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  return Array.from(vector, (component) => Math.round((component / largest) * 127));
}
