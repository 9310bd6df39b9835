import type { QueryAnalysis } from "../../recall/index/query.ts";
import { SESSION_COUNT_MIN } from "../../recall/index/weights.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import type { QueryName } from "../../recall/language/names.ts";
import { addressAggregation } from "./address-uses.ts";
import { pieceToken } from "./document.ts";
import type { Query, SearchAnswer, SearchBody } from "./searches.ts";

/** Counts of a scope's memories, in total and by the pieces they have. */
export interface PieceCounts {
  readonly memoryCount: number;
  /** Passages of all memories together. Equals `memoryCount` if no memory is long. */
  readonly passageCount: number;
  /** Sum of the memories' fingerprints. It differs for other memories or other revisions. */
  readonly checksum: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/** Totals over everything in a scope, independent of the query. */
export interface ScopeTotals {
  /** Length of all memories together, in word pieces. */
  readonly totalLength: number;
  /** Number of sessions, and of memories in them. */
  readonly sessionCount: number;
  readonly inSession: number;
  /** Sessions with too many memories to be read as a whole. */
  readonly longSessions: ReadonlySet<string>;
  readonly speakers: readonly string[];
  readonly languages: readonly string[];
  /** Whether a memory has a multilingual vector. False in indexes from before there were any. */
  readonly hasMultilingual: boolean;
  /** The `seq` of the newest memories, in descending order. */
  readonly newest: readonly number[];
  /** By owner, the number of memories, and of those with a comparable vector. */
  readonly owners: ReadonlyMap<string, { readonly count: number; readonly embedded: number }>;
}

/** A session with more memories than this is read only around its matches. */
export const SESSION_MEMORIES_MAX = 200;
const LONG_SESSIONS_MAX = 500;
const SPEAKERS_MAX = 500;
const LANGUAGES_MAX = 100;
/** For a memory with this many newer ones, recency adds too little to change an order: e^(−300/60) of a half. */
const NEWEST_MAX = 300;

/** Counts the memories in a scope, and those that have each of the query's pieces. */
export async function countPieces(
  search: (bodies: readonly SearchBody[]) => Promise<SearchAnswer[]>,
  scope: Query,
  query: QueryAnalysis,
): Promise<PieceCounts> {
  const { pieces } = query;
  const filters = pieces.map((piece) => ({
    terms: { pieces: [pieceToken(piece, true), pieceToken(piece, false)] },
  }));
  const aggs = {
    passages: { sum: { field: "passages" } },
    checks: { sum: { field: "check_sum" } },
    ...(filters.length === 0 ? {} : { pieces: { filters: { filters } } }),
  };
  const [answer] = await search([{ size: 0, track_total_hits: true, query: scope, aggs }]);
  const buckets: readonly Bucket[] = answer?.aggregations.pieces?.buckets ?? [];
  return {
    memoryCount: answer?.total ?? 0,
    // An index from before passages were counted lacks the field.
    passageCount: Math.max(answer?.total ?? 0, answer?.aggregations.passages?.value ?? 0),
    checksum: answer?.aggregations.checks?.value ?? 0,
    frequencies: new Map(buckets.map(({ doc_count }, at) => [pieces[at] as number, doc_count])),
  };
}

const SESSIONS = {
  sessions: { cardinality: { field: "session" } },
  inSession: { value_count: { field: "session" } },
};

/** Search for the totals, which do not depend on the query. */
export function totalsSearch(
  scope: Query,
  { dimension, ownerCount }: { dimension: number; ownerCount: number },
): SearchBody {
  return {
    size: NEWEST_MAX,
    stored_fields: "_none_",
    track_total_hits: false,
    query: scope,
    sort: [{ seq: "desc" }],
    aggs: {
      ...SESSIONS,
      length: { sum: { field: "length" } },
      long: {
        terms: { field: "session", min_doc_count: SESSION_MEMORIES_MAX + 1, size: LONG_SESSIONS_MAX },
      },
      speakers: { terms: { field: "source", size: SPEAKERS_MAX } },
      languages: { terms: { field: "language", size: LANGUAGES_MAX } },
      multilingual: { filter: { exists: { field: "multilingual" } } },
      owners: {
        terms: { field: "owner", size: ownerCount },
        aggs: { embedded: { filter: { term: { vector_dimension: dimension } } } },
      },
    },
  };
}

export function readTotals({ aggregations, hits }: SearchAnswer): ScopeTotals {
  const keys = (name: string) => ((aggregations[name]?.buckets ?? []) as Bucket[]).map(({ key }) => key);
  return {
    totalLength: aggregations.length?.value ?? 0,
    sessionCount: sessionsOf(aggregations, inAll(aggregations)),
    inSession: aggregations.inSession?.value ?? 0,
    longSessions: new Set(keys("long")),
    speakers: keys("speakers"),
    languages: keys("languages"),
    hasMultilingual: (aggregations.multilingual?.doc_count ?? 0) > 0,
    newest: hits.map(({ sort }) => sort?.[0] as number),
    owners: new Map(
      ((aggregations.owners?.buckets ?? []) as Bucket[]).map((bucket) => [
        bucket.key,
        { count: bucket.doc_count, embedded: bucket.embedded?.doc_count ?? 0 },
      ]),
    ),
  };
}

/** Search that counts the sessions with each of `terms` (any of its pieces), and who is addressed by the names. */
export function querySearch(
  scope: Query,
  { terms, names }: { terms: readonly TermPieces[]; names: readonly QueryName[] },
): SearchBody {
  const filters = terms.map((pieces) => ({
    terms: { pieces: pieces.map((piece) => pieceToken(piece, true)) },
  }));
  return {
    size: 0,
    track_total_hits: false,
    query: scope,
    aggs: {
      ...addressAggregation(names),
      ...(filters.length === 0 ? {} : { terms: { filters: { filters }, aggs: SESSIONS } }),
    },
  };
}

/** Number of sessions with each term of a `querySearch`. A memory without a session counts as one session. */
export function readTermSessions({ aggregations }: SearchAnswer): number[] {
  return ((aggregations.terms?.buckets ?? []) as Bucket[]).map((bucket) =>
    sessionsOf(bucket, bucket.doc_count),
  );
}

/** Pieces of a query's term. A session has the term if it has any one of them. */
export type TermPieces = readonly number[];

export function termPieces(piece: number, lexicon: Lexicon): TermPieces {
  const { pieces, weights } = lexicon.near(piece);
  return Array.from(pieces).filter((_, at) => (weights[at] as number) > SESSION_COUNT_MIN);
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly embedded?: { readonly doc_count: number };
  readonly sessions?: { readonly value: number };
  readonly inSession?: { readonly value: number };
}

/** Number of sessions. A memory without a session counts as one. */
function sessionsOf(
  { sessions, inSession }: Pick<Bucket, "sessions" | "inSession">,
  memories: number,
): number {
  return (sessions?.value ?? 0) + memories - (inSession?.value ?? 0);
}

function inAll(aggregations: SearchAnswer["aggregations"]): number {
  return ((aggregations.owners?.buckets ?? []) as Bucket[]).reduce(
    (sum, { doc_count }) => sum + doc_count,
    0,
  );
}
