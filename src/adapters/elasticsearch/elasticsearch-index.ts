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

/** An index to search. */
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
  /** Asked before the tail is read, for each request; null: there is none that is complete. */
  readonly searched: () => SearchedIndex | null;
}

/**
 * Recall by Elasticsearch. The engine proposes memories by their words, by their vectors and by age, and counts what is
 * in scope; what it does not show yet comes from the record. The ranker's figures are computed here, from what each
 * memory carries, by the same code as in the index in memory.
 *
 * It differs from that in these points: a memory is proposed by its own words, then the sessions of the best are read, so that
 * beyond those a window's words propose nothing; vectors are searched, and sessions counted, approximately.
 */
export function createElasticsearchIndex(options: ElasticsearchIndexOptions): RecallIndex {
  const retrieval = new Retrieval(options.lexicon, createInt8Dots());
  const tail = new TailReader(options.tail, options.lexicon);
  const scopes = new KnownScopes();
  return {
    candidates: (request, signal) => candidatesOf(options, { retrieval, tail, scopes }, request, signal),
    // The projection writes, and confirms its writes.
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
  const { retrievers, statistics, candidates } = found;
  return {
    engine: "elasticsearch",
    degraded: degradationsOf(pending),
    retrievers,
    statistics,
    candidates,
    coverage: coverageOf(found, pending, request),
    unavailable: [],
  };
}

/** Vectors of two generations are never compared. */
function comparable(request: CandidateRequest, { embeddingGeneration }: SearchedIndex): CandidateRequest {
  const { embeddingGeneration: asked = embeddingGeneration } = request;
  return asked === embeddingGeneration ? request : { ...request, embedding: null };
}

/** A scope of so many passages is read as a whole: no more than a search brings of a larger one. */
const WHOLE_SCOPE_MAX = 400;
/** Memories that may have been added since they were counted. */
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

/** By owner, the share of its memories that could be considered; those of a tail that is too long could not. */
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

/** Names the parts of recall that should have taken part and did not. */
function degradationsOf({ missing }: Pending): string[] {
  return missing.size === 0 ? [] : ["index: far behind, so not all of the latest changes were searched"];
}
