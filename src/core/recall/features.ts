import type { QueryAnalysis } from "./query.ts";
import type { Candidate, CandidateSet, ScopeStatistics } from "./recall-index.ts";

/** How much of a neighbour's counts and length a memory's window takes, by distance in the session. */
export const WINDOW = { previous: 0.5, next: 0.25, previous2: 0.25, next2: 0.125 } as const;

/** A soft count above this makes a session one that has the term. */
export const SESSION_COUNT_MIN = 0.5;

/*
 * The values below are those of recall.md. Each lies on a plateau of RealMem's development part (Apache-2.0):
 * with the next coarse step to either side recall@10 changes by .7 points at most.
 */

/** Saturation and length normalisation (BM25's k1 and b) of a memory's window, of a session, and of plain BM25. */
const MEMORY_BM25 = { k1: 0.6, b: 0.2 } as const;
const SESSION_BM25 = { k1: 1.2, b: 0.5 } as const;
const PLAIN_BM25 = { k1: 1.2, b: 0.75 } as const;

/** After this many newer memories a memory's recency has fallen to 1/e. */
const RECENCY_MEMORIES = 60;
/** The part of recency that any query has; the rest comes with being a message. */
const RECENCY_FLOOR = 0.4;
const YEAR_SHARE = 0.3;

/** Sources that name a role in a conversation and nobody in particular. */
const ROLES: ReadonlySet<string> = new Set([
  "assistant",
  "user",
  "agent",
  "system",
  "tool",
  "human",
  "ai",
  "bot",
  "",
]);

/** The features of all candidates, parallel to them. Each is about 0 to 1, except where noted. */
export interface Features {
  /** Words matched by the window, in units of the best candidate's. */
  readonly lexical: Float64Array;
  /** The same in units of what a perfect match would have: comparable between queries. */
  readonly lexicalShare: Float64Array;
  /** Words matched by the memory alone, not normalised. */
  readonly own: Float64Array;
  readonly session: Float64Array;
  readonly dense: Float64Array;
  readonly speaker: Float64Array;
  /** 0 to 2.3. */
  readonly date: Float64Array;
  readonly recency: Float64Array;
  readonly question: Float64Array;
  readonly answer: Float64Array;
  readonly time: Float64Array;
  /** How much of the query's weight the best candidate covers. */
  readonly cover: number;
}

/** `ln(1 + (N − df + .5) / (df + .5))`, BM25's weight of a term; 0 when nothing is in scope. */
export function inverseFrequency(count: number, frequency: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/** The weights of the query's terms in a scope. */
export function termWeights(
  query: QueryAnalysis,
  count: number,
  frequencies: readonly number[],
): Float64Array {
  return Float64Array.from(
    query.terms,
    (term, k) => term.factor * inverseFrequency(count, frequencies[k] ?? 0),
  );
}

/** BM25's denominator without the count, for a window of `length`. The embedded index cuts by the same. */
export function windowNorm(length: number, meanLength: number): number {
  return MEMORY_BM25.k1 * (1 - MEMORY_BM25.b + (MEMORY_BM25.b * length) / Math.max(meanLength, 1));
}

/** What a full match of weight 1 tends to. */
export const WINDOW_CEILING = MEMORY_BM25.k1 + 1;

/** What a count is worth in plain BM25, before the term's weight. The embedded index cuts by the same. */
export function plainSaturation(count: number, length: number, meanLength: number): number {
  const { k1, b } = PLAIN_BM25;
  return ((k1 + 1) * count) / (count + k1 * (1 - b + (b * length) / Math.max(meanLength, 1)));
}

/** Plain BM25 of the memory's own counts. */
export function plainBm25(
  query: QueryAnalysis,
  { statistics, candidates }: Pick<CandidateSet, "statistics" | "candidates">,
): Float64Array {
  const weights = termWeights(query, statistics.memoryCount, statistics.documentFrequency);
  return readColumn(candidates, ({ own, length }) =>
    weights.reduce(
      (sum, weight, k) => sum + weight * plainSaturation(own[k] as number, length, statistics.meanLength),
      0,
    ),
  );
}

/** Computes every feature that looks at one candidate at a time. */
export function computeFeatures(
  query: QueryAnalysis,
  { statistics, candidates }: Pick<CandidateSet, "statistics" | "candidates">,
): Features {
  const weights = termWeights(query, statistics.memoryCount, statistics.documentFrequency);
  const perfect = Math.max(WINDOW_CEILING * sum(weights), 1e-9);
  const column = (read: (candidate: Candidate) => number) => readColumn(candidates, read);
  const ownScore = (own: Float32Array, length: number) =>
    bm25(weights, own, length / Math.max(statistics.meanLength, 1), MEMORY_BM25);

  const raw = column((candidate) =>
    bm25(
      weights,
      candidate.context,
      candidate.contextLength / Math.max(statistics.meanContextLength, 1),
      MEMORY_BM25,
    ),
  );
  const own = column((candidate) => ownScore(candidate.own, candidate.length));
  const before = column(({ previous }) => (previous === null ? 0 : ownScore(previous.own, previous.length)));
  const ownMax = Math.max(maximum(own), maximum(before));
  const isNamed = speakerTest(query, statistics.speakers);
  return {
    lexical: toUnitMaximum(raw),
    lexicalShare: raw.map((value) => value / perfect),
    own,
    session: toUnitMaximum(sessionScores(query, statistics, candidates)),
    dense: toUnitRange(candidates.map((candidate) => candidate.sentenceCosine)),
    speaker: column(({ speaker }) => Number(speaker !== null && isNamed(speaker))),
    date: column((candidate) => dateMatch(query, candidate.occurredAt)),
    recency: column((candidate) => recency(query, candidate.newerCount)),
    question: column((candidate) => Number(candidate.isQuestion)),
    answer: before.map((value, at) => (candidates[at]?.previous?.asks && ownMax > 1e-9 ? value / ownMax : 0)),
    time: column((candidate) => Number(query.asksWhen && candidate.mentionsTime)),
    cover: maximum(raw) / perfect,
  };
}

function bm25(
  weights: Float64Array,
  counts: Float32Array,
  length: number,
  { k1, b }: { k1: number; b: number },
): number {
  const norm = k1 * (1 - b + b * length);
  let score = 0;
  for (let k = 0; k < weights.length; k++) {
    const count = counts[k] as number;
    if (count > 0) score += ((weights[k] as number) * (k1 + 1) * count) / (count + norm);
  }
  return score;
}

/** A single session says nothing about which of its memories is meant. */
function sessionScores(
  query: QueryAnalysis,
  statistics: ScopeStatistics,
  candidates: readonly Candidate[],
): Float64Array {
  if (statistics.sessionCount <= 1) return new Float64Array(candidates.length);
  const weights = termWeights(query, statistics.sessionCount, statistics.sessionDocumentFrequency);
  const mean = Math.max(statistics.meanSessionLength, 1);
  return readColumn(candidates, ({ session, sessionLength }) =>
    bm25(weights, session, sessionLength / mean, SESSION_BM25),
  );
}

const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Tells whether the query says a speaker's first name. With a single speaker a name distinguishes nothing. A scope may have as
 * many speakers as memories, so only candidates' are looked for, each first name once, and in the text itself only where it
 * is not one word but made of words that are there.
 */
function speakerTest(query: QueryAnalysis, speakers: readonly string[]): (speaker: string) => boolean {
  const hasName = (speaker: string) => !ROLES.has(speaker.trim().toLowerCase());
  const first = speakers.findIndex(hasName);
  if (first < 0 || !speakers.some((speaker, at) => at > first && hasName(speaker))) return () => false;
  const text = query.text.toLowerCase();
  const words = new Set(text.match(WORD));
  const isSaid = (name: string) => {
    const parts = name.match(WORD) ?? [];
    return parts.every((part) => words.has(part)) && (parts[0] === name || hasWord(text, name));
  };
  const said = new Map<string, boolean>();
  return (speaker) => {
    if (!hasName(speaker)) return false;
    const name = speaker.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? "";
    const isKnown = said.get(name) ?? isSaid(name);
    said.set(name, isKnown);
    return isKnown;
  };
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function dateMatch(query: QueryAnalysis, occurredAt: number): number {
  if (query.months.size === 0 && query.years.size === 0) return 0;
  const date = new Date(occurredAt);
  const month = Number(query.months.has(date.getUTCMonth()));
  const year = Number(query.years.has(date.getUTCFullYear()));
  return month + YEAR_SHARE * year + month * Number(query.days.has(date.getUTCDate()));
}

function recency(query: QueryAnalysis, newerCount: number): number {
  return (
    (RECENCY_FLOOR + (1 - RECENCY_FLOOR) * query.conversation) * Math.exp(-newerCount / RECENCY_MEMORIES)
  );
}

/** `Float64Array.from` goes through an iterator, which takes longer than most features. */
function readColumn(candidates: readonly Candidate[], read: (candidate: Candidate) => number): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let at = 0; at < column.length; at++) column[at] = read(candidates[at] as Candidate);
  return column;
}

function toUnitMaximum(values: Float64Array): Float64Array {
  const largest = maximum(values);
  return largest > 1e-9 ? values.map((value) => value / largest) : new Float64Array(values.length);
}

/** Stretched to 0..1; what has no value counts as the least. */
function toUnitRange(values: readonly (number | null)[]): Float64Array {
  const known = values.filter((value) => value !== null);
  const least = known.reduce((a, b) => Math.min(a, b), Infinity);
  const range = known.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return Float64Array.from(values, (value) =>
    value === null || !(range > 1e-9) ? 0 : (value - least) / range,
  );
}

function maximum(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}
