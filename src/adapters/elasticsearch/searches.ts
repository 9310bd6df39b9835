import type { Client, estypes } from "@elastic/elasticsearch";
import { NEAR_PIECES_MAX } from "../../recall/index/in-memory/term-counts.ts";
import { IndexUnavailable, type Unavailability } from "../../recall/index/index-unavailable.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { pieceToken } from "./document.ts";
import { sealSearch } from "./mapping.ts";

/** The index to search, and the routes of the shards to ask. */
export interface SearchPlace {
  readonly index: string;
  readonly routes: readonly string[];
}

/** A query of the engine, and a search, as JSON. */
export type Query = Readonly<Record<string, unknown>>;
export type SearchBody = Readonly<Record<string, unknown>>;

/** The members of an answer that are read. Each hit has the fields that its search asked for. */
export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly Hit[];
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are aggregations
  readonly aggregations: Readonly<Record<string, any>>;
}

export interface Hit {
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly sort?: readonly number[];
}

/** Nothing else is sent back. */
const READ = [
  "status",
  "error.type",
  "timed_out",
  "_shards.failed",
  "hits.total.value",
  "hits.hits.fields",
  "hits.hits.sort",
  "aggregations",
];

/**
 * Asks several searches at once. Rejects with `IndexUnavailable` unless each of them is answered in full, by an index that
 * was made here.
 */
export async function searchAll(
  client: Client,
  { index, routes }: SearchPlace,
  bodies: readonly SearchBody[],
  signal: AbortSignal | undefined,
): Promise<SearchAnswer[]> {
  if (routes.length === 0) return bodies.map(() => ({ total: 0, hits: [], aggregations: {} }));
  const asked = [...bodies.map((body) => ({ body, routing: routes.join(",") })), sealSearch];
  const answer = await client.msearch(
    {
      searches: asked.flatMap(({ body, routing }) => [
        { index, routing, allow_partial_search_results: false },
        body as estypes.MsearchRequestItem,
      ]),
      filter_path: READ.map((path) => `responses.${path}`),
    },
    { ...(signal === undefined ? {} : { signal }), meta: false },
  );
  const responses = (answer as { responses?: unknown }).responses;
  if (!Array.isArray(responses) || responses.length !== asked.length)
    throw new IndexUnavailable("unintelligible");
  const answers = responses.map(wholeAnswer);
  if (answers.pop()?.total !== 1) throw new IndexUnavailable("building");
  return answers;
}

interface Response {
  readonly status?: number;
  readonly error?: { readonly type?: string };
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed?: number };
  readonly hits?: { readonly total?: { readonly value?: number }; readonly hits?: readonly Hit[] };
  readonly aggregations?: SearchAnswer["aggregations"];
}

function wholeAnswer({ status, error, timed_out, _shards, hits, aggregations }: Response): SearchAnswer {
  if (error !== undefined)
    throw new IndexUnavailable(reasonOf(status), { detail: `${status} ${error.type ?? ""}` });
  if (timed_out) throw new IndexUnavailable("slow");
  if (timed_out === undefined || _shards?.failed === undefined) throw new IndexUnavailable("unintelligible");
  if (_shards.failed > 0) throw new IndexUnavailable("incomplete");
  return { total: hits?.total?.value ?? 0, hits: hits?.hits ?? [], aggregations: aggregations ?? {} };
}

function reasonOf(status: number | undefined): Unavailability {
  if (status === 404) return "building";
  if (status === 429) return "overloaded";
  return status === 503 || status === 504 ? "incomplete" : "failed";
}

/** Fields of each hit of a search of memories: read by document number, without opening a stored source. */
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

/** The memories that have any of some names: of each name every token, by any of its pieces. The newest first. */
export function exactSearch(
  scope: Query,
  names: readonly (readonly TokenPieces[])[],
  size: number,
): SearchBody {
  const named = names.map((tokens) => ({
    bool: {
      filter: tokens.map((pieces) => ({ terms: { pieces: pieces.map((piece) => pieceToken(piece, true)) } })),
    },
  }));
  const query = { bool: { filter: [scope, { bool: { should: named, minimum_should_match: 1 } }] } };
  return { ...MEMORY, size, track_total_hits: false, query, sort: [{ seq: "desc" }] };
}

/** Pieces any of which makes a token. */
type TokenPieces = readonly number[];

/**
 * The memories of which a passage is nearest to a vector: by their first passage, and where there are long ones by each of the
 * others. The engine compares whole steps; cosines are computed again here.
 */
export function denseSearches(
  scope: Query,
  vector: Float32Array,
  { size, hasLong }: { size: number; hasLong: boolean },
): SearchBody[] {
  const query_vector = byteVector(vector);
  return (hasLong ? ["vector", "more.vector"] : ["vector"]).map((field) => ({
    ...MEMORY,
    size,
    track_total_hits: false,
    knn: { field, query_vector, k: size, num_candidates: size, filter: scope },
  }));
}

/** The newest memories. `newest`: their `seq`, in descending order, where they are known: then no others are looked at. */
export function newestSearch(scope: Query, size: number, newest: readonly number[] | undefined): SearchBody {
  if (newest === undefined)
    return { ...MEMORY, size, track_total_hits: false, query: scope, sort: [{ seq: "desc" }] };
  return memorySearch({ bool: { filter: [scope, { terms: { seq: newest.slice(0, size) } }] } }, size);
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
