import { TABLE_LANGUAGE } from "../index/multilingual.ts";
import type { QueryAnalysis, QueryTerm } from "../index/query.ts";
import type { Candidate, CandidateSet, ScopeStatistics } from "../index/recall-index.ts";
import {
  backgroundWeights,
  isSpelledPart,
  MEMORY_BM25,
  PLAIN_BM25,
  partsTest,
  plainSaturation,
  SESSION_BM25,
  termWeights,
  WINDOW_CEILING,
} from "../index/weights.ts";
import { dateMatch } from "../language/dates.ts";
import { NEUTRAL_WEIGHT, SPELLED_SHARE_MIN } from "../language/lexicon.ts";
import { speakerTest } from "../language/names.ts";
import type { Whole } from "../language/script-terms.ts";

/*
 * The values below come from recall.md. Each lies on a plateau of RealMem's development part (Apache-2.0): the next
 * coarse step in either direction changes recall@10 by .7 points at most.
 */

/** After this many newer memories, recency has decayed to 1/e. */
const RECENCY_MEMORIES = 60;

/**
 * A question of up to this many word pieces gets the full weight. A longer text gets less: it says other things too.
 */
const QUESTION_LENGTH = 40;

/**
 * Bounds for the candidates' mean length in word pieces. Up to `from` they are turns and notes that need their context;
 * from `to` on each is self-contained. R@10 stays within .4 on all development files from 60..120 to 80..160.
 */
const SELF_CONTAINED = { from: 80, to: 140 } as const;

/** The features of all candidates, as parallel columns. Each is about 0 to 1, except where noted. */
export interface Features {
  /**
   * Words matched, relative to the best candidate: by the window, mixed with those matched by the memory alone as far
   * as context does not count (see `contextTrust`).
   */
  readonly lexical: Float64Array;
  /** Words matched by the window, not normalised: the score by which the index proposes. */
  readonly window: Float64Array;
  /**
   * The share of the query's words that the window matches, each weighted by its rarity in the language. Comparable
   * across scopes, however many memories share a word. Relevance is computed from this.
   */
  readonly lexicalShare: Float64Array;
  /** How surprising its matches would be by chance, in nats (see `evidence`). */
  readonly evidence: Float64Array;
  /** Words matched by the memory alone, not normalised. */
  readonly own: Float64Array;
  readonly session: Float64Array;
  readonly dense: Float64Array;
  /** Nearness in meaning by the multilingual vectors, beside `dense`. */
  readonly multilingual: Float64Array;
  /**
   * Log-odds that a memory in another language than the query's answers it (see `translations`). −∞ for the others.
   */
  readonly translation: Float64Array;
  readonly speaker: Float64Array;
  /** 0 to 2.3. */
  readonly date: Float64Array;
  readonly recency: Float64Array;
  readonly question: Float64Array;
  readonly answer: Float64Array;
  readonly time: Float64Array;
  /** Share of the query's weight in this scope that the best candidate covers. */
  readonly cover: number;
  /** How much context and priors count, 0 to 1 (see `contextTrust`). */
  readonly context: number;
}

/** Plain BM25 over the memory's own counts. */
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

/** Computes every feature that depends on one candidate at a time. */
export function computeFeatures(
  query: QueryAnalysis,
  {
    statistics,
    candidates,
    queryLanguage,
  }: Pick<CandidateSet, "statistics" | "candidates" | "queryLanguage">,
): Features {
  const weights = termWeights(query, statistics.memoryCount, statistics.documentFrequency);
  const perfect = Math.max(WINDOW_CEILING * sum(weights), 1e-9);
  const column = (read: (candidate: Candidate) => number) => readColumn(candidates, read);
  const words = partedWords(query, weights);
  const background = backgroundWeights(query);
  const backgroundWords = partedWords(query, background);
  const ownScore = (own: Float32Array, length: number) =>
    bm25(weights, words, own, length / Math.max(statistics.meanLength, 1), MEMORY_BM25);

  const window = column(({ context, contextLength }) =>
    bm25(weights, words, context, contextLength / Math.max(statistics.meanContextLength, 1), MEMORY_BM25),
  );
  // Treats every window as if of mean length, because the mean depends on the scope.
  const matched = column(({ context }) => bm25(background, backgroundWords, context, 1, MEMORY_BM25));
  const own = column((candidate) => ownScore(candidate.own, candidate.length));
  const before = column(({ previous }) => (previous === null ? 0 : ownScore(previous.own, previous.length)));
  const ownMax = Math.max(maximum(own), maximum(before));
  const { isNamed, distinguishes } = speakerTest(query, statistics);
  const named = column(({ speaker }) => Number(speaker !== null && isNamed(speaker)));
  const date = column((candidate) => dateMatch(query, candidate.occurredAt));
  const context = contextTrust(query, candidates);
  const lexical = mixed(toUnitMaximum(window), context, () =>
    toUnitMaximum(
      column(({ own, length }) =>
        bm25(weights, words, own, length / Math.max(statistics.meanLength, 1), PLAIN_BM25),
      ),
    ),
  );
  return {
    lexical,
    window,
    lexicalShare: sharesMatched(matched, candidates, query, background),
    evidence: evidence(candidates, { background, words: backgroundWords, named, date }),
    own,
    session: toUnitMaximum(sessionScores(query, statistics, candidates)),
    dense: isOfTable(queryLanguage)
      ? toUnitRange(candidates, ({ sentenceCosine }) => sentenceCosine)
      : new Float64Array(candidates.length),
    multilingual: multilingualNearness(candidates, lexical),
    translation: translations(candidates, askedLanguage(query, queryLanguage)),
    speaker: distinguishes ? named : new Float64Array(candidates.length),
    date,
    recency: column((candidate) => recency(query, candidate.newerCount)),
    question: column(({ isQuestion, length }) => (isQuestion ? Math.min(1, QUESTION_LENGTH / length) : 0)),
    answer: answers(candidates, before, ownMax),
    time: column((candidate) => Number(query.asksWhen && candidate.mentionsTime)),
    cover: maximum(window) / perfect,
    context,
  };
}

/** What the candidates match of the query's words, as shares of a perfect match (see `partsTest`). */
function sharesMatched(
  matched: Float64Array,
  candidates: readonly Candidate[],
  query: QueryAnalysis,
  background: Float64Array,
): Float64Array {
  const hasParts = partsTest(query);
  const all = sum(background);
  const ofParts = sum(background.filter((_, k) => isSpelledPart(query.terms[k] as QueryTerm)));
  const perfect = Math.max(WINDOW_CEILING * all, 1e-9);
  if (ofParts === 0) return divided(matched, perfect);
  const perfectWithout = Math.max(WINDOW_CEILING * (all - ofParts), 1e-9);
  const shares = new Float64Array(matched.length);
  for (let at = 0; at < shares.length; at++) {
    const { context } = candidates[at] as Candidate;
    shares[at] = (matched[at] as number) / (hasParts(context) ? perfect : perfectWithout);
  }
  return shares;
}

/**
 * How surprising a candidate's matches would be by chance, in nats: by the rarity of the query's words that its window
 * has, of a speaker whom the query names and of a date. A word counts fully if it is there as it stands; a near one by
 * the square of its nearness, because some near word is nearly everywhere, and the vector knows it too.
 */
function evidence(
  candidates: readonly Candidate[],
  {
    background,
    words: { wordOf, weights: wordWeights, matched },
    named,
    date,
  }: {
    readonly background: Float64Array;
    readonly words: PartedWords;
    readonly named: Float64Array;
    readonly date: Float64Array;
  },
): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let at = 0; at < column.length; at++) {
    const { context } = candidates[at] as Candidate;
    let sum = NEUTRAL_WEIGHT * ((named[at] as number) + Math.min(1, date[at] as number));
    for (let k = 0; k < background.length; k++) {
      const count = Math.min(1, context[k] as number);
      if (count === 0) continue;
      const found = (background[k] as number) * count * count;
      const word = wordOf[k] as number;
      if (word < 0) sum += found;
      else matched[word] = (matched[word] as number) + found;
    }
    for (let word = 0; word < wordWeights.length; word++) {
      const whole = wordWeights[word] as number;
      if (whole > 0) sum += whole * wordShare((matched[word] as number) / whole);
      matched[word] = 0;
    }
    column[at] = sum;
  }
  return column;
}

/**
 * How much context and priors count beside a memory's own words, 0 to 1. They help if memories are short and each
 * matching word means something. Long texts contain many words by accident, and so do texts compared by characters. For
 * those, neighbours, position, form and age add noise, and plain BM25 decides. Each memory's length counts once, and
 * the longest is left out: one long document does not change how notes are compared, however few there are.
 */
export function contextTrust({ spelledShare }: QueryAnalysis, candidates: readonly Candidate[]): number {
  let count = 0;
  let total = 0;
  let longest = 0;
  const add = (length: number) => {
    count++;
    total += length;
    longest = Math.max(longest, length);
  };
  const passages = new Map<string, { sum: number; count: number }>();
  for (const { id, length, passage } of candidates) {
    if (passage === null) {
      add(length);
      continue;
    }
    const known = passages.get(id);
    if (known === undefined) passages.set(id, { sum: length, count: 1 });
    else {
      known.sum += length;
      known.count++;
    }
  }
  for (const known of passages.values()) add(known.sum / known.count);
  const mean = count > 1 ? (total - longest) / (count - 1) : total;
  const { from, to } = SELF_CONTAINED;
  const beyond = (mean - from) / (to - from);
  return spelledShare * (1 - Math.min(1, Math.max(0, beyond)));
}

/** Mixes `share` of one column with the rest of another. The other is only computed if it counts. */
function mixed(one: Float64Array, share: number, other: () => Float64Array): Float64Array {
  if (share === 1) return one;
  const rest = other();
  for (let at = 0; at < rest.length; at++)
    rest[at] = share * (one[at] as number) + (1 - share) * (rest[at] as number);
  return rest;
}

/** The query's words that are compared by their parts. */
interface PartedWords {
  /** By term, the number of the word it is a part of; −1 for none. */
  readonly wordOf: Int32Array;
  /** By word, the weight of all its parts. */
  readonly weights: Float64Array;
  /**
   * By word, over the parts that a text has: the sum of their weights, and that of weight × count. Zero between uses.
   */
  readonly matched: Float64Array;
  readonly counted: Float64Array;
}

function partedWords({ terms }: QueryAnalysis, weights: Float64Array): PartedWords {
  const numbers = new Map<Whole, number>();
  const wordOf = Int32Array.from(terms, ({ of }) => {
    if (of === null || of.kind === "run") return -1;
    const number = numbers.get(of) ?? numbers.size;
    numbers.set(of, number);
    return number;
  });
  const ofWords = new Float64Array(numbers.size);
  for (const [k, word] of wordOf.entries())
    if (word >= 0) ofWords[word] = (ofWords[word] as number) + (weights[k] as number);
  return {
    wordOf,
    weights: ofWords,
    matched: new Float64Array(numbers.size),
    counted: new Float64Array(numbers.size),
  };
}

/**
 * Value of a word if only this share of its parts is present. Half of the parts count as half a word. A smaller share
 * counts for less, since unrelated words have some parts in common. A larger one counts for more: it is another form of
 * the word. (A cubic with zero slope at both ends.)
 */
function wordShare(partsShare: number): number {
  return partsShare ** 2 * (3 - 2 * partsShare);
}

function bm25(
  weights: Float64Array,
  { wordOf, weights: wordWeights, matched, counted }: PartedWords,
  counts: Float32Array,
  length: number,
  { k1, b }: { k1: number; b: number },
): number {
  const norm = k1 * (1 - b + b * length);
  let score = 0;
  for (let k = 0; k < weights.length; k++) {
    const count = counts[k] as number;
    if (!(count > 0)) continue;
    const weight = weights[k] as number;
    const word = wordOf[k] as number;
    if (word < 0) {
      score += (weight * (k1 + 1) * count) / (count + norm);
    } else {
      matched[word] = (matched[word] as number) + weight;
      counted[word] = (counted[word] as number) + weight * count;
    }
  }
  for (let word = 0; word < wordWeights.length; word++) {
    const found = matched[word] as number;
    if (!(found > 0)) continue;
    const whole = wordWeights[word] as number;
    const count = (counted[word] as number) / found;
    score += (whole * wordShare(found / whole) * (k1 + 1) * count) / (count + norm);
    matched[word] = 0;
    counted[word] = 0;
  }
  return score;
}

/** A single session does not distinguish between its memories. */
function sessionScores(
  query: QueryAnalysis,
  statistics: ScopeStatistics,
  candidates: readonly Candidate[],
): Float64Array {
  if (statistics.sessionCount <= 1) return new Float64Array(candidates.length);
  const weights = termWeights(query, statistics.sessionCount, statistics.sessionDocumentFrequency);
  const words = partedWords(query, weights);
  const mean = Math.max(statistics.meanSessionLength, 1);
  return readColumn(candidates, ({ session, sessionLength }) =>
    bm25(weights, words, session, sessionLength / mean, SESSION_BM25),
  );
}

/** A message continues what was said last. A question may concern any time. */
function recency({ isMessage }: QueryAnalysis, newerCount: number): number {
  return isMessage ? Math.exp(-newerCount / RECENCY_MEMORIES) : 0;
}

/** `Float64Array.from` uses an iterator, which takes longer than most features. */
function readColumn(candidates: readonly Candidate[], read: (candidate: Candidate) => number): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let at = 0; at < column.length; at++) column[at] = read(candidates[at] as Candidate);
  return column;
}

function toUnitMaximum(values: Float64Array): Float64Array {
  const largest = maximum(values);
  return largest > 1e-9 ? divided(values, largest) : new Float64Array(values.length);
}

/** Plain loops, here and below: `map` and `reduce` on a typed array take several times as long. */
function divided(values: Float64Array, by: number): Float64Array {
  const quotients = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) quotients[at] = (values[at] as number) / by;
  return quotients;
}

/** How well the preceding memory matches the query, if it asks something; 0 otherwise. */
function answers(candidates: readonly Candidate[], before: Float64Array, ownMax: number): Float64Array {
  const column = new Float64Array(candidates.length);
  if (!(ownMax > 1e-9)) return column;
  for (let at = 0; at < column.length; at++)
    if (candidates[at]?.previous?.asks) column[at] = (before[at] as number) / ownMax;
  return column;
}

/** Whether the built-in table of vectors may know a query's language. Of others it knows names alone. */
export function isOfTable(queryLanguage: string | null): boolean {
  return queryLanguage === null || queryLanguage === TABLE_LANGUAGE;
}

/** Stretches cosines to 0..1. A candidate without one counts as the lowest. */
function toUnitRange(
  candidates: readonly Candidate[],
  cosineOf: (candidate: Candidate) => number | null,
): Float64Array {
  let [least, most] = [Infinity, -Infinity];
  for (const candidate of candidates) {
    const cosine = cosineOf(candidate);
    if (cosine === null) continue;
    least = Math.min(least, cosine);
    most = Math.max(most, cosine);
  }
  const range = most - least;
  if (!(range > 1e-9)) return new Float64Array(candidates.length);
  return readColumn(candidates, (candidate) => {
    const cosine = cosineOf(candidate);
    return cosine === null ? 0 : (cosine - least) / range;
  });
}

/**
 * A memory whose vector is not made yet counts as an average one, and as one that is as near as its words match: it is
 * neither ahead nor behind.
 */
function multilingualNearness(candidates: readonly Candidate[], lexical: Float64Array): Float64Array {
  const cosineOf = ({ multilingualCosine }: Candidate) => multilingualCosine;
  const nearness = toUnitRange(candidates, cosineOf);
  const made = candidates.filter((candidate) => cosineOf(candidate) !== null).length;
  if (made === 0) return nearness;
  const mean = sum(nearness) / made;
  for (let at = 0; at < nearness.length; at++)
    if (cosineOf(candidates[at] as Candidate) === null) nearness[at] = Math.max(mean, lexical[at] as number);
  return nearness;
}

/** Multilingual cosine of texts that have nothing to do with each other. Most pairs are below. */
const UNRELATED_COSINE = 0.2;
/** Up to this many memories may mean what is asked. The next best shows how near others are in this scope. */
const MEANT_MAX = 5;
/**
 * So many memories in the query's own language may have to do with it. Where few are in others, the next best shows what
 * does not, so that an English text taken for another language is no translation. From 10 to 50, R@10 of the development
 * files stays within .1.
 */
const RELATED_MAX = 50;
/**
 * Log-odds that a memory in another language answers the query, by how far its cosine is above that of unrelated
 * memories, and above that of the nearest memory in the query's own language: a logistic. Fitted on sixty facts in four
 * languages, and on RealMem's development part (Apache-2.0) with German or French sentences added, relevant against other
 * memories among the first 20.
 */
const MEANT = { bias: -4.6, unrelated: 35.7, own: 9.2 } as const;

/**
 * How probably each memory in another language than the query's answers it, as log-odds. −∞ where either language is
 * unclear, and within a language, where words decide.
 */
function translations(candidates: readonly Candidate[], language: string | null): Float64Array {
  const column = new Float64Array(candidates.length).fill(-Infinity);
  const isOther = ({ language: one }: Candidate) => one !== null && one !== language;
  if (language === null || !candidates.some(isOther)) return column;
  const others = candidates.filter(isOther);
  const ofOwn = bestCosines(candidates.filter((candidate) => !isOther(candidate)));
  const unrelated = Math.max(UNRELATED_COSINE, bestCosines(others)[MEANT_MAX] ?? 0, ofOwn[RELATED_MAX] ?? 0);
  const own = Math.max(UNRELATED_COSINE, ofOwn[0] ?? unrelated);
  for (const [at, candidate] of candidates.entries()) {
    const { multilingualCosine: cosine } = candidate;
    if (cosine !== null && isOther(candidate))
      column[at] = MEANT.bias + MEANT.unrelated * (cosine - unrelated) + MEANT.own * (cosine - own);
  }
  return column;
}

/** Short questions have no clear language if they are English: those in other languages are recognised. */
function askedLanguage({ spelledShare }: QueryAnalysis, queryLanguage: string | null): string | null {
  return queryLanguage ?? (spelledShare >= SPELLED_SHARE_MIN ? TABLE_LANGUAGE : null);
}

/** The best multilingual cosine of each memory, in descending order. */
function bestCosines(candidates: readonly Candidate[]): number[] {
  const best = new Map<string, number>();
  for (const { id, multilingualCosine } of candidates)
    if (multilingualCosine !== null) best.set(id, Math.max(multilingualCosine, best.get(id) ?? -1));
  return [...best.values()].sort((a, b) => b - a);
}

function maximum(values: Float64Array): number {
  let largest = 0;
  for (let at = 0; at < values.length; at++) largest = Math.max(largest, values[at] as number);
  return largest;
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}
