import { candidateCount, NEWEST, queryVectors, scopeWeights } from "../../core/recall/in-memory/retrieval.ts";
import { createScopeView } from "../../core/recall/in-memory/scope-view.ts";
import { rank } from "../../core/recall/rank.ts";
import { engineFigures, meanLengths, pooledPieces, type Tallied } from "./engine-figures.ts";
import type { Found, ScopeSearch } from "./found.ts";
import { denseSearch, lexicalSearch, newestSearch } from "./memory-searches.ts";
import { Pool } from "./pool.ts";
import { type PieceCounts, readScopeCounts, scopeCountSearch, termPieces } from "./scope-counts.ts";
import type { SearchAnswer, SearchBody } from "./search-all.ts";
import { type Around, NOTHING_AROUND, readSessions, type SessionMember } from "./sessions.ts";

/**
 * Answers from what the engine proposes, in two rounds: what has the query's words or is near in meaning, with the
 * figures of the scope; then the sessions of the best of that.
 */
export async function searchLargeScope(options: ScopeSearch, pieces: PieceCounts): Promise<Found> {
  const { request, owners, scope, tail, dimension, lexicon, retrieval, search } = options;
  const { query, retrievers } = request;
  const counted = query.terms.flatMap(({ piece }) =>
    retrievers.length === 1 ? [piece] : [...lexicon.near(piece).pieces],
  );
  const terms = query.terms.map(({ piece }) => termPieces(piece, lexicon));
  const pool = new Pool(owners, counted);
  for (const memory of tail) pool.addTail(memory);

  const [counts, ...proposals] = await search([
    scopeCountSearch(scope, { terms, dimension, ownerCount: owners.length }),
    ...proposingSearches(options, pieces),
  ]);
  for (const { hits } of proposals) for (const hit of hits) pool.addHit(hit);
  const tallied: Tallied = { pieces, scope: readScopeCounts(counts as SearchAnswer), tail };

  function candidates(around: Around) {
    const { meanContextLength } = meanLengths(tallied);
    const view = createScopeView(pool.selections(), { meanContextLength, ...around });
    return retrieval.candidates(view, engineFigures(tallied, { view, terms, pool }), request);
  }

  const best = membersOf(pool, tail, rank(query, candidates(NOTHING_AROUND)));
  const around = await readSessions(search, scope, best, tallied.scope, pool);
  const { covered: _, ...found } = candidates(around);
  return { ...found, owners: ownersOf(tallied, dimension) };
}

function proposingSearches(
  { request, scope, tail, dimension, lexicon }: ScopeSearch,
  pieces: PieceCounts,
): SearchBody[] {
  const { query, retrievers } = request;
  const isPlain = retrievers.length === 1;
  const known = pooledPieces({ pieces, tail });
  const size = candidateCount(request);
  const searches: SearchBody[] = isPlain ? [] : [newestSearch(scope, NEWEST)];
  if (retrievers.includes("lexical") && query.terms.length > 0) {
    const weights = scopeWeights(known, query);
    const weighted = query.terms.map(({ piece }, at) => ({ piece, weight: weights[at] as number }));
    searches.push(lexicalSearch(scope, weighted, lexicon, { size, soft: !isPlain }));
  }
  const vector = retrievers.includes("dense") ? queryVectors(known, request)?.whole : undefined;
  if (vector?.length === dimension && vector.some((component) => component !== 0))
    searches.push(denseSearch(scope, vector, size));
  return searches;
}

/** Those that are in a session: the tail's, and what was proposed, the best first. */
function membersOf(
  pool: Pool,
  tail: ScopeSearch["tail"],
  ranked: readonly { id: string; seq: number }[],
): SessionMember[] {
  return [...tail.map(({ document }) => document), ...ranked].flatMap(({ id, seq }) => {
    const session = pool.sessionOf(id);
    return session === null ? [] : [{ ...session, seq }];
  });
}

function ownersOf({ scope, tail }: Tallied, dimension: number): Found["owners"] {
  const owners = new Map(scope.owners);
  for (const { document, steps } of tail) {
    const { count, embedded } = owners.get(document.ownerId) ?? { count: 0, embedded: 0 };
    owners.set(document.ownerId, {
      count: count + 1,
      embedded: embedded + Number(steps?.length === dimension),
    });
  }
  return owners;
}
