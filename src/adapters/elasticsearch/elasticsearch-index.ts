import type { Client } from "@elastic/elasticsearch";
import { type OwnerSpread, routesOf } from "../../core/projection/owner-spread.ts";
import { figuresOf, Retrieval } from "../../recall/index/in-memory/retrieval.ts";
import { createScopeView } from "../../recall/index/in-memory/scope-view.ts";
import type { IndexTail } from "../../recall/index/index-document.ts";
import { IndexUnavailable } from "../../recall/index/index-unavailable.ts";
import { createInt8Dots } from "../../recall/index/int8-dots.ts";
import type { CandidateRequest, CandidateSet, RecallIndex } from "../../recall/index/recall-index.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { type Found, type ScopeSearch, searchLargeScope } from "./large-scope.ts";
import { type Pending, Pool, TailReader } from "./pool.ts";
import { countPieces } from "./scope-counts.ts";
import { scopeQuery } from "./scope-query.ts";
import { KnownScopes } from "./scope-totals.ts";
import { memorySearch, type SearchBody, searchAll } from "./searches.ts";

export interface SearchedIndex {
  readonly index: string;
  readonly embeddingGeneration: number;
  /** Dimension of that generation's vectors. */
  readonly dimension: number;
  readonly spread: OwnerSpread;
}

export interface ElasticsearchIndexOptions {
  readonly client: Client;
  readonly lexicon: Lexicon;
  readonly tail: IndexTail;
  /** Returns the index to search; null: none is complete. Called for each request, before the tail is read. */
  readonly searched: () => SearchedIndex | null;
}

/**
 * Recall by Elasticsearch. The engine proposes memories by their words, their vectors and their age, and counts what is
 * in scope. Memories that it does not show yet come from the record. The ranker's figures are computed in this process,
 * from each memory's packed record, by the same code as in the index in memory.
 *
 * It differs from the index in memory in two points. First, a memory is proposed by its own words, and only the
 * sessions of the best proposals are read; in other sessions, the words of neighbouring memories propose nothing.
 * Second, vector search and session counts are approximate.
 */
export function createElasticsearchIndex(options: ElasticsearchIndexOptions): RecallIndex {
  const retrieval = new Retrieval(options.lexicon, createInt8Dots());
  const tail = new TailReader(options.tail, options.lexicon);
  const scopes = new KnownScopes();
  return {
    candidates: (request, signal) => candidatesOf(options, { retrieval, tail, scopes }, request, signal),
    // The projection writes to the engine and confirms its writes, so only the caches are cleared here.
    async refresh() {
      tail.forgetWords();
      scopes.forget();
    },
  };
}

async function candidatesOf(
  { client, lexicon, searched }: ElasticsearchIndexOptions,
  { retrieval, tail, scopes }: { retrieval: Retrieval; tail: TailReader; scopes: KnownScopes },
  asked: CandidateRequest,
  signal: AbortSignal | undefined,
): Promise<CandidateSet> {
  const place = searched();
  if (place === null) throw new IndexUnavailable("building");
  const request = comparable(asked, place);
  const owners = [...new Set(request.reach.owners)];
  const pending = await tail.read(owners, request, place.embeddingGeneration);
  const scope = scopeQuery(request, pending.ids);
  const routes = owners.flatMap((owner) => routesOf(place.spread, owner));
  const search = (bodies: readonly SearchBody[]) =>
    searchAll(client, { index: place.index, routes }, bodies, signal);
  const scopeSearch: ScopeSearch = {
    request,
    owners,
    scope,
    tail: pending.memories,
    dimension: place.dimension,
    lexicon,
    retrieval,
    search,
  };
  const pieces = await countPieces(search, scope, request.query);
  const found =
    pieces.passageCount <= WHOLE_SCOPE_MAX
      ? await searchWholeScope(scopeSearch)
      : await searchLargeScope(scopeSearch, pieces, scopes.of(`${place.index} ${routes.join(",")}`, pieces));
  const { retrievers, statistics, queryLanguage, candidates } = found;
  return {
    engine: "elasticsearch",
    degraded: degradationsOf(pending),
    retrievers,
    statistics,
    queryLanguage,
    candidates,
    coverage: coverageOf(found, pending, request),
    unavailable: [],
  };
}

/** Drops the query's vector if it belongs to another generation. Vectors of two generations are never compared. */
function comparable(request: CandidateRequest, { embeddingGeneration }: SearchedIndex): CandidateRequest {
  const { embeddingGeneration: asked = embeddingGeneration } = request;
  return asked === embeddingGeneration ? request : { ...request, embedding: null };
}

/** A scope of at most this many passages is read as a whole. A search of a larger scope returns as many. */
const WHOLE_SCOPE_MAX = 400;
/** Allowance for memories that were added since the count. */
const MARGIN = 100;

/** Answers from all memories in scope, exactly as the index in memory does. */
async function searchWholeScope(options: ScopeSearch): Promise<Found> {
  const { request, owners, scope, tail, lexicon, retrieval, search } = options;
  const { terms, pieces, names } = request.query;
  const pool = new Pool(owners, [
    ...pieces,
    ...names.map(({ address }) => address),
    ...terms.flatMap(({ piece }) => [...lexicon.near(piece).pieces]),
  ]);
  for (const memory of tail) pool.addTail(memory);
  for (const { hits } of await search([memorySearch(scope, WHOLE_SCOPE_MAX + MARGIN)]))
    for (const hit of hits) pool.addHit(hit);
  const view = createScopeView(pool.selections());
  const { covered, ...candidates } = await retrieval.candidates(view, figuresOf(view), request);
  return {
    ...candidates,
    owners: new Map(
      view.parts.map(({ ownerId, count }, part) => [ownerId, { count, embedded: covered[part] ?? 0 }]),
    ),
  };
}

/** By owner, the share of the memories that could be considered. The rest of a tail that is too long could not. */
function coverageOf(
  { owners }: Found,
  { missing }: Pending,
  { reach, retrievers, embedding }: CandidateRequest,
): ReadonlyMap<string, number> {
  return new Map(
    reach.owners.map((ownerId) => {
      const { count, embedded } = owners.get(ownerId) ?? { count: 0, embedded: 0 };
      const all = count + (missing.get(ownerId) ?? 0);
      const compared = embedding === null ? 0 : embedded;
      return [ownerId, all === 0 ? 1 : (retrievers.includes("dense") ? compared : count) / all];
    }),
  );
}

/** Messages about the parts of recall that should have taken part and did not. */
function degradationsOf({ missing }: Pending): string[] {
  return missing.size === 0 ? [] : ["index: far behind, so not all of the latest changes were searched"];
}
