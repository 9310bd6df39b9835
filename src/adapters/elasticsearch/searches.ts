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

/** The members of an answer that are used. Each hit has the fields that its search requested. */
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

/** The only members of an answer that the engine sends. */
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
 * Runs several searches in one request. Rejects with `IndexUnavailable` unless each of them is answered in full, by an
 * index that this service made.
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

/** Stays below the engine's limit on the pieces of one query, which is at least 1,024. */
const PIECES_MAX = 1000;

/** A piece of the query, and its weight in the scope. */
export interface WeightedPiece {
  readonly piece: number;
  readonly weight: number;
}

/** Searches for the memories with most of the query's words. If `soft`, near words count too, by how near they are. */
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

/**
 * Searches for the memories that have any of these names, newest first. A name needs all of its tokens, and a token any
 * of its pieces.
 */
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

/** Pieces of a token. Any one of them matches it. */
type TokenPieces = readonly number[];

/**
 * Searches for the memories with the passages whose vectors of a kind are nearest: by first passages, and if `hasLong`
 * by all others too. The engine compares vectors rounded to whole steps. Cosines are computed again in this process.
 */
export function denseSearches(
  scope: Query,
  vector: Float32Array,
  { kind, size, hasLong }: { kind: "vector" | "multilingual"; size: number; hasLong: boolean },
): SearchBody[] {
  const query_vector = byteVector(vector);
  return (hasLong ? [kind, `more.${kind}`] : [kind]).map((field) => ({
    ...MEMORY,
    size,
    track_total_hits: false,
    knn: { field, query_vector, k: size, num_candidates: size, filter: scope },
  }));
}

/** Searches for the newest memories. `newest`: their `seq` in descending order, if known. Only these are read then. */
export function newestSearch(scope: Query, size: number, newest: readonly number[] | undefined): SearchBody {
  if (newest === undefined)
    return { ...MEMORY, size, track_total_hits: false, query: scope, sort: [{ seq: "desc" }] };
  return memorySearch({ bool: { filter: [scope, { terms: { seq: newest.slice(0, size) } }] } }, size);
}

/** Searches for memories by conditions other than words, without an order. */
export function memorySearch(query: Query, size: number): SearchBody {
  return { ...MEMORY, size, track_total_hits: false, query, sort: ["_doc"] };
}

/** Searches for the two memories of a query that were stored first ("asc") or last ("desc"). */
export function neighbourSearch(query: Query, order: "asc" | "desc"): SearchBody {
  return { ...MEMORY, size: 2, track_total_hits: false, query, sort: [{ seq: order }] };
}

/** Weights of the pieces near the query's. If there are too many, the lightest are left out. */
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
