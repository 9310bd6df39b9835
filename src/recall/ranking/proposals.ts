import { Exactness } from "../index/exactness.ts";
import { NEWEST } from "../index/in-memory/retrieval.ts";
import type { QueryAnalysis } from "../index/query.ts";
import type { Candidate, CandidateSet } from "../index/recall-index.ts";
import { computeFeatures, plainBm25 } from "./features.ts";

/** Which retrievers proposed a memory, each with its place from 1. null: this retriever did not propose it. */
export interface Proposal {
  readonly words: number | null;
  /** The better place of its two vectors. */
  readonly vector: number | null;
  /** Place by what the query quotes or identifies. */
  readonly exact: number | null;
  /** True for one of the newest in scope, which are always considered. */
  readonly isNewest: boolean;
}

/** True if no retriever proposed the memory: it is a neighbour, in its session, of one that was proposed. */
export function isNeighbour({ words, vector, exact, isNewest }: Proposal): boolean {
  return words === null && vector === null && exact === null && !isNewest;
}

type Proposed = Pick<CandidateSet, "candidates" | "statistics" | "retrievers" | "queryLanguage">;

/**
 * Which retrievers proposed each memory, by id. `count`: number of proposals per retriever. A long memory counts by its
 * best passage. The places are those among the candidates, computed from the ranker's figures. The search engine
 * proposes by a memory's own words and may have had other places.
 */
export function proposalsOf(
  query: QueryAnalysis,
  set: Proposed,
  count: number,
): ReadonlyMap<string, Proposal> {
  const { candidates, retrievers } = set;
  const isPlain = retrievers.length === 1;
  const isAsked = (retriever: "lexical" | "dense") => retrievers.includes(retriever);
  const placesBy = (scores: ArrayLike<number>, above: number) => placesOf(candidates, scores, above, count);
  const words = isPlain ? plainBm25(query, set) : computeFeatures(query, set).window;
  const byCosine = (cosineOf: (candidate: Candidate) => number | null) =>
    placesBy(
      candidates.map((candidate) => cosineOf(candidate) ?? Number.NEGATIVE_INFINITY),
      Number.NEGATIVE_INFINITY,
    );
  const byWords = isAsked("lexical") ? placesBy(words, 0) : null;
  const byVectors = isAsked("dense")
    ? [byCosine(({ cosine }) => cosine), byCosine(({ multilingualCosine }) => multilingualCosine)]
    : [];
  const byNames = isPlain || query.exact.length === 0 ? null : placesBy(strictMatches(query, set), 0);
  return new Map(
    candidates.map(({ id, newerCount }) => [
      id,
      {
        words: byWords?.get(id) ?? null,
        vector: bestPlace(byVectors, id),
        exact: byNames?.get(id) ?? null,
        isNewest: !isPlain && newerCount < NEWEST,
      },
    ]),
  );
}

/** The better place that one of several orders gives a memory; null if none has it. */
function bestPlace(orders: readonly ReadonlyMap<string, number>[], id: string): number | null {
  const places = orders.map((places) => places.get(id)).filter((place) => place !== undefined);
  return places.length === 0 ? null : Math.min(...places);
}

/** How well each candidate's memory has what the query names strictly. */
function strictMatches(query: QueryAnalysis, { candidates, statistics }: Proposed): number[] {
  const frequencies = new Map(query.terms.map(({ piece }, at) => [piece, statistics.documentFrequency[at]]));
  const exactness = new Exactness(query, statistics.memoryCount, (piece) => frequencies.get(piece) ?? 0);
  if (!exactness.names.some(({ isStrict }) => isStrict)) return candidates.map(() => 0);
  return candidates.map(({ ofMemory }) =>
    exactness.strictMatch(exactness.matches((place) => ofMemory[place] as number)),
  );
}

/** The place of each memory whose best score exceeds `above`. Memories after the first `count` are left out. */
function placesOf(
  candidates: Proposed["candidates"],
  scores: ArrayLike<number>,
  above: number,
  count: number,
): ReadonlyMap<string, number> {
  const order = Array.from(scores, (_, at) => at)
    .filter((at) => (scores[at] as number) > above)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const ids = new Set(order.map((at) => candidates[at]?.id as string));
  return new Map([...ids].slice(0, count).map((id, place) => [id, place + 1]));
}
