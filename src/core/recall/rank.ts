import { computeFeatures, type Features, plainBm25 } from "./features.ts";
import { findRepetitions } from "./near-duplicates.ts";
import type { QueryAnalysis } from "./query.ts";
import type { Candidate, CandidateSet } from "./recall-index.ts";

/** A ranked memory. */
export interface RankedHit {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** 0 to 1, how relevant the memory is by itself: the same meaning for every query, unlike the order. */
  readonly score: number;
  /** What each feature added to the sum that the hits are ordered by. */
  readonly signals: Readonly<Record<string, number>>;
}

/**
 * What each feature counts for. Hand-set in steps, on a plateau: with all of them equal the ranker loses 2
 * points of recall at most. Source: recall.md, with what recall loses without each.
 */
export const WEIGHTS = {
  /** Words count more the more of the query the best candidate covers: `lexical + cover`. */
  lexical: 0.5,
  dense: 0.5,
  speaker: 0.5,
  date: 0.5,
  recency: 0.5,
  superseded: -0.5,
  session: 0.25,
  update: 0.25,
  answer: 0.25,
  time: 0.25,
  /** Questions are seldom the answer. */
  question: -0.25,
} as const;

/** Near-duplicates are looked for among this many. */
const POOL = 100;

/**
 * Absolute relevance: a logistic of the words matched (share of a perfect match) and of the best sentence's
 * cosine. Fitted on RealMem's development part (Apache-2.0), relevant against other hits of the first 20.
 */
const RELEVANCE = {
  both: { bias: -4.5, words: 2.5, cosine: 3 },
  words: { bias: -3.5, words: 3 },
} as const;

/** What each feature adds to the sum, by its name: a column parallel to the candidates. */
type Contributions = Readonly<Record<string, Float64Array>>;

/** Orders the candidates, best first; equals in order of storing. Pure: the same input, the same answer. */
export function rank(query: QueryAnalysis, set: CandidateSet): RankedHit[] {
  const { candidates, retrievers } = set;
  if (retrievers[0] === "lexical" && retrievers.length === 1)
    return hits(set, query, { lexical: plainBm25(query, set) });
  const features = computeFeatures(query, set);
  if (retrievers.length === 1) {
    return hits(
      set,
      query,
      { dense: Float64Array.from(candidates.map(({ cosine }) => cosine ?? -1)) },
      features,
    );
  }
  const contributions = weighted(features);
  const pool = byTotal(totals(contributions, candidates.length)).slice(0, POOL);
  return hits(set, query, { ...contributions, ...repetitions(pool, features, candidates) }, features);
}

/** The probability that a memory is relevant, from its absolute features alone. Rises with both. */
export function relevance(lexicalShare: number, cosine: number | null): number {
  const exponent =
    cosine === null
      ? RELEVANCE.words.bias + RELEVANCE.words.words * lexicalShare
      : RELEVANCE.both.bias + RELEVANCE.both.words * lexicalShare + RELEVANCE.both.cosine * cosine;
  return 1 / (1 + Math.exp(-exponent));
}

function hits(
  set: CandidateSet,
  query: QueryAnalysis,
  contributions: Contributions,
  features: Features = computeFeatures(query, set),
): RankedHit[] {
  const columns = Object.entries(contributions);
  return byTotal(totals(contributions, set.candidates.length)).map((at) => {
    const { id, ownerId, seq, sentenceCosine } = set.candidates[at] as Candidate;
    const signals: Record<string, number> = {};
    for (const [name, column] of columns) signals[name] = column[at] as number;
    return {
      id,
      ownerId,
      seq,
      score: relevance(features.lexicalShare[at] as number, sentenceCosine),
      signals,
    };
  });
}

/** The features that look at one candidate at a time. */
function weighted(features: Features): Contributions {
  const scaled = (column: Float64Array, weight: number) =>
    column.map((value) => (value === 0 ? 0 : weight * value));
  return {
    lexical: scaled(features.lexical, WEIGHTS.lexical + features.cover),
    dense: scaled(features.dense, WEIGHTS.dense),
    speaker: scaled(features.speaker, WEIGHTS.speaker),
    date: scaled(features.date, WEIGHTS.date),
    recency: scaled(features.recency, WEIGHTS.recency),
    session: scaled(features.session, WEIGHTS.session),
    answer: scaled(features.answer, WEIGHTS.answer),
    time: scaled(features.time, WEIGHTS.time),
    question: scaled(features.question, WEIGHTS.question),
  };
}

/** What near-duplicates in the pool do to each other. The pool is put in order of storing first. */
function repetitions(pool: number[], features: Features, candidates: readonly Candidate[]): Contributions {
  const superseded = new Float64Array(candidates.length);
  const update = new Float64Array(candidates.length);
  const places = pool.sort((a, b) => a - b);
  const members = places.map((at) => ({
    vector: candidates[at]?.vector ?? null,
    own: features.own[at] as number,
  }));
  for (const [index, found] of findRepetitions(members).entries()) {
    const at = places[index] as number;
    if (found.superseded > 0) superseded[at] = WEIGHTS.superseded * found.superseded;
    update[at] = WEIGHTS.update * found.update;
  }
  return { superseded, update };
}

function totals(contributions: Contributions, count: number): Float64Array {
  const sums = new Float64Array(count);
  for (const column of Object.values(contributions)) {
    for (let at = 0; at < count; at++) sums[at] = (sums[at] as number) + (column[at] as number);
  }
  return sums;
}

/** Candidates come in order of storing, so the place breaks ties. */
function byTotal(sums: Float64Array): number[] {
  return Array.from(sums.keys()).sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
}
