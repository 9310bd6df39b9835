import { EXACT_WEIGHTS, type ExactMatch, ExactRanking } from "../index/exactness.ts";
import { createInt8Pairs, paddedLength } from "../index/int8-dots.ts";
import { supportsLanguage } from "../index/multilingual.ts";
import type { QueryAnalysis } from "../index/query.ts";
import type { Candidate, CandidateSet } from "../index/recall-index.ts";
import { descending, isBefore } from "./descending.ts";
import { computeFeatures, type Features, isOfTable, plainBm25 } from "./features.ts";

/** A ranked memory. */
export interface RankedHit {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** Index of its best matching passage, from 0. null if it has only one passage, or if the index is unknown. */
  readonly passage: number | null;
  /** Reads that passage's vector, as in `Candidate`. */
  readonly vector: Candidate["vector"];
  /** The memory's absolute relevance, 0 to 1. Comparable between queries, unlike the order. */
  readonly score: number;
  /** Cosine of the best sentence: with the words, the basis of the score. null without a vector. */
  readonly cosine: number | null;
  /** How much of the query's words the memory and its neighbours match, as a share of a perfect match (0 to 1). */
  readonly lexicalShare: number;
  /** How surprising its matches would be by chance, in nats (see `Features.evidence`). */
  readonly evidence: number;
  /** True if the memory itself contains one of the query's words, not only its neighbours in the session. */
  readonly hasWords: boolean;
  /** The token model's match for the passage, −1 to 1. null if the model took no part. */
  readonly tokenMatch: number | null;
  /** How probably it answers a query in another language, 0 to 1; 0 if that is too unsure, or in the same language. */
  readonly translated: number;
  /** How the memory has what the query names, to be verified against the text. null if the query names nothing. */
  readonly exact: ExactMatch | null;
  /** Contribution of each feature to the sum that orders the hits. */
  readonly signals: Readonly<Record<string, number>>;
}

/**
 * Weight of each feature. Hand-set in steps, on a plateau: with equal weights the ranker loses at most 2 points of
 * recall. Source: recall.md, with the loss of recall without each feature.
 */
export const WEIGHTS = {
  /** The more of the query the best candidate covers, the more words count: `lexical + context · cover`. */
  lexical: 0.5,
  dense: 0.5,
  /**
   * The weight for short texts, to which the next is added the less context counts: `multilingual + selfContained · (1
   * − context)`. From .15 to .5 and from .4 to 1, R@10 of three development files stays within .6, of BEAM within 3.
   */
  multilingual: 0.3,
  selfContained: 0.7,
  /** More than words can give: memory and query have no words in common but names. */
  translation: 3,
  speaker: 0.5,
  date: 0.5,
  recency: 0.5,
  superseded: -0.5,
  session: 0.25,
  update: 0.25,
  answer: 0.25,
  time: 0.25,
  /** Questions are rarely the answer. */
  question: -0.25,
  ...EXACT_WEIGHTS,
} as const;

/** Size of the pool in which near-duplicates are searched for. */
export const POOL = 100;

/**
 * Absolute relevance: a logistic of the words matched (share of a perfect match), the best sentence's cosine and the
 * token model's match. Read as the probability of being relevant. Fitted on RealMem's development part (Apache-2.0),
 * relevant against other hits among the first 20. Coefficients from three users predict the fourth user's rate within
 * .01.
 */
const RELEVANCE = {
  both: { bias: -3.8, words: 7.8, cosine: 1.6, match: 0 },
  words: { bias: -3.4, words: 8.5, cosine: 0, match: 0 },
  tokens: { bias: -4.9, words: 6.2, cosine: 0.5, match: 3 },
} as const;

/**
 * A match that is less surprising than this, in nats, is often chance. Words of two questions out of three about
 * something else are somewhere in a store, few of them rare. From 4 to 6 packs lose at most 1 % of what is relevant in
 * the first ten.
 */
const SURPRISING = 5;
/** Nats per unit of cosine, and the cosine assumed without a vector. Fitted on RealMem's development part (Apache-2.0). */
const SURPRISE = { cosine: 10, unknown: 0.2 } as const;

/**
 * Below this probability, what is nearest to a query in another language is often only the nearest of what has nothing
 * to do with it.
 */
const TRANSLATED_MIN = 0.4;

/**
 * Log-odds of a memory in another language, 3 and 62 %, between which `translation` rises evenly. With half a unit less,
 * memories in the query's language lose .7 more of R@10 to those that are added in others.
 */
const TRANSLATION_RISE = { from: -3.5, to: 0.5 } as const;

/** A part of the sum by which the ranker orders hits. */
export type RankSignal = Exclude<keyof typeof WEIGHTS, "selfContained">;

/** Contribution of each feature to the sum, as a column parallel to the candidates. */
type Contributions = Readonly<Record<RankSignal, Float64Array>>;

/** Input of the ranker. */
export type Rankable = Pick<CandidateSet, "retrievers" | "statistics" | "queryLanguage" | "candidates">;

/**
 * Orders the memories, best first, each by its best passage. Ties keep the order of storing. Pure and deterministic.
 */
export function rank(query: QueryAnalysis, set: Rankable, readerId: string | null = null): RankedHit[] {
  const features = computeFeatures(query, set);
  if (set.retrievers.length === 1) return rankPlainly(query, set, features);
  const matches = exactMatches(query, set, features);
  const count = set.candidates.length;
  const contributions = { ...weighted(features, set.queryLanguage), ...matches?.ofMemories };
  const ofPassages = totals({ ...contributions, ...matches?.ofPassages }, count);
  const passages = firstOfMemories(byTotal(ofPassages), set.candidates);
  // A memory is credited with what its passages have together. The passage that has most of it represents the memory.
  const sums = matches === undefined ? ofPassages : totals(contributions, count);
  const best = matches === undefined ? passages : descending(passages, sums);
  const pool = best.slice(0, POOL);
  // A text that is told of several days tells several events if one of the days is asked for.
  if (query.dates.length === 0)
    addRepetitions(contributions, pool, features, { candidates: set.candidates, readerId });
  for (const at of pool) sums[at] = totalAt(contributions, at);
  // Only the pool's sums have changed.
  return merged(descending(pool, sums), best.slice(POOL), sums).map((at) =>
    hitAt(at, set, features, signalsAt(contributions, at), matches?.of(at)),
  );
}

/** The sum of a hit's signals, by which hits are ordered. */
export function rankScoreOf(signals: RankedHit["signals"]): number {
  let sum = 0;
  // `Object.values` makes a list of each hit's signals first, which takes several times as long.
  for (const name in signals) sum += signals[name] as number;
  return sum;
}

/** Merges two sorted lists of places. */
function merged(one: readonly number[], other: readonly number[], sums: Float64Array): number[] {
  const all: number[] = [];
  let next = 0;
  for (const place of one) {
    while (next < other.length && isBefore(other[next] as number, place, sums))
      all.push(other[next++] as number);
    all.push(place);
  }
  return [...all, ...other.slice(next)];
}

/** How each candidate has what the query names; undefined if the query names nothing. */
function exactMatches(
  query: QueryAnalysis,
  { candidates, statistics }: Rankable,
  { lexicalShare }: Features,
) {
  if (query.exact.length === 0) return;
  const ranking = new ExactRanking(query, statistics);
  const found = candidates.map((candidate, at) => ranking.matchOf(candidate, lexicalShare[at] as number));
  const contributions = (of: "matches" | "ofPassage") => {
    const orders = found.map((match) => ranking.order(match[of]));
    return {
      exact: Float64Array.from(orders, ({ exact }) => exact),
      named: Float64Array.from(orders, ({ named }) => named),
    };
  };
  return {
    ofMemories: contributions("matches"),
    ofPassages: contributions("ofPassage"),
    of(at: number) {
      const exact = found[at] as ExactMatch;
      return { exact, lexicalShare: ranking.share(exact) };
    },
  };
}

/**
 * The probability that a memory is relevant, from absolute features alone. Monotonically increasing in each. `match`:
 * the token model's.
 */
export function relevance(
  { lexicalShare, evidence, cosine }: Pick<RankedHit, "lexicalShare" | "evidence" | "cosine">,
  match: number | null = null,
): number {
  const known = match === null ? RELEVANCE.both : RELEVANCE.tokens;
  const fit = cosine === null ? RELEVANCE.words : known;
  const exponent =
    fit.bias + fit.words * lexicalShare + fit.cosine * (cosine ?? 0) + fit.match * (match ?? 0);
  const surprise = evidence + SURPRISE.cosine * (cosine ?? SURPRISE.unknown);
  return Math.min(1, Math.exp(surprise - SURPRISING)) / (1 + Math.exp(-exponent));
}

/** Orders by a single retriever's score, without the ranker. */
function rankPlainly(query: QueryAnalysis, set: Rankable, features: Features): RankedHit[] {
  const isDense = set.retrievers[0] === "dense";
  const scores = isDense
    ? Float64Array.from(set.candidates.map(({ cosine }) => cosine ?? -1))
    : plainBm25(query, set);
  return firstOfMemories(byTotal(scores), set.candidates).map((at) => {
    const score = scores[at] as number;
    return hitAt(at, set, features, isDense ? { dense: score } : { lexical: score });
  });
}

function hitAt(
  at: number,
  set: Rankable,
  features: Features,
  signals: RankedHit["signals"],
  matched?: Pick<RankedHit, "exact" | "lexicalShare">,
): RankedHit {
  const {
    id,
    ownerId,
    seq,
    passage,
    vector,
    sentenceCosine: cosine,
    ofMemory,
  } = set.candidates[at] as Candidate;
  const { exact, lexicalShare } = matched ?? {
    exact: null,
    lexicalShare: features.lexicalShare[at] as number,
  };
  const evidence = features.evidence[at] as number;
  const probability = 1 / (1 + Math.exp(-(features.translation[at] as number)));
  const translated = probability < TRANSLATED_MIN ? 0 : probability;
  return {
    id,
    ownerId,
    seq,
    passage,
    vector,
    score: Math.max(relevance({ lexicalShare, evidence, cosine }), translated),
    translated,
    lexicalShare,
    evidence,
    hasWords: hasAny(ofMemory),
    cosine,
    tokenMatch: null,
    exact,
    signals,
  };
}

/** A plain loop, since `some` of a typed array takes several times as long. */
function hasAny(counts: Float32Array): boolean {
  for (let term = 0; term < counts.length; term++) if ((counts[term] as number) > 0) return true;
  return false;
}

/** Written out because every candidate has one: a record of fixed shape is created many times faster. */
function signalsAt(contributions: Contributions, at: number): Record<keyof Contributions, number> {
  const value = (column: Float64Array) => column[at] as number;
  return {
    lexical: value(contributions.lexical),
    dense: value(contributions.dense),
    multilingual: value(contributions.multilingual),
    translation: value(contributions.translation),
    speaker: value(contributions.speaker),
    date: value(contributions.date),
    recency: value(contributions.recency),
    session: value(contributions.session),
    answer: value(contributions.answer),
    time: value(contributions.time),
    question: value(contributions.question),
    superseded: value(contributions.superseded),
    update: value(contributions.update),
    exact: value(contributions.exact),
    named: value(contributions.named),
  };
}

/** Multiplies the features by their weights. The columns for near-duplicates stay zero until `addRepetitions`. */
function weighted(features: Features, queryLanguage: string | null): Contributions {
  // A plain loop: `map` of a typed array takes several times as long.
  const scaled = (column: Float64Array, weight: number) => {
    const product = new Float64Array(column.length);
    for (let at = 0; at < column.length; at++) product[at] = weight * (column[at] as number);
    return product;
  };
  const { context, cover, translation } = features;
  // The words of one language say little about memories in others, unless some memory has most of the query's.
  const ofWords = (column: Float64Array, weight: number) => {
    const product = scaled(column, weight);
    for (let at = 0; at < product.length; at++)
      if (translation[at] !== -Infinity) product[at] = cover * (product[at] as number);
    return product;
  };
  return {
    lexical: ofWords(features.lexical, WEIGHTS.lexical + context * cover),
    dense: ofWords(features.dense, WEIGHTS.dense),
    multilingual: scaled(features.multilingual, multilingualWeight(queryLanguage, context)),
    // Of a query that the encoder does not read, words say more where some memory has half of them.
    translation: translationGains(
      translation,
      supportsLanguage(queryLanguage) ? 1 : Math.max(0, 1 - 2 * cover),
    ),
    speaker: scaled(features.speaker, WEIGHTS.speaker),
    date: scaled(features.date, WEIGHTS.date),
    recency: scaled(features.recency, context * WEIGHTS.recency),
    session: ofWords(features.session, context * WEIGHTS.session),
    answer: scaled(features.answer, context * WEIGHTS.answer),
    time: scaled(features.time, WEIGHTS.time),
    question: scaled(features.question, context * WEIGHTS.question),
    superseded: new Float64Array(features.lexical.length),
    update: new Float64Array(features.lexical.length),
    exact: new Float64Array(features.lexical.length),
    named: new Float64Array(features.lexical.length),
  };
}

/** The weight of the multilingual nearness within a language: none in those that the encoder does not read. */
function multilingualWeight(queryLanguage: string | null, context: number): number {
  if (!supportsLanguage(queryLanguage)) return 0;
  const inPlaceOfTable = isOfTable(queryLanguage) ? 0 : WEIGHTS.dense;
  return WEIGHTS.multilingual + WEIGHTS.selfContained * (1 - context) + inPlaceOfTable;
}

function translationGains(logOdds: Float64Array, share: number): Float64Array {
  const { from, to } = TRANSLATION_RISE;
  const gains = new Float64Array(logOdds.length);
  for (let at = 0; at < gains.length; at++) {
    const risen = ((logOdds[at] as number) - from) / (to - from);
    if (risen > 0) gains[at] = WEIGHTS.translation * share * Math.min(1, risen);
  }
  return gains;
}

/** Fills in how near-duplicates in the pool affect each other. They are compared in order of storing. */
function addRepetitions(
  contributions: Contributions,
  pool: readonly number[],
  features: Features,
  { candidates, readerId }: Pick<Rankable, "candidates"> & { readonly readerId: string | null },
): void {
  const places = pool.toSorted((a, b) => a - b);
  const members = places.map((at) => ({
    vector: candidates[at]?.vector() ?? null,
    own: features.own[at] as number,
    isForeign: isForeign(candidates[at] as Candidate, readerId),
  }));
  for (const [index, found] of findRepetitions(members).entries()) {
    const at = places[index] as number;
    const { context } = features;
    if (found.superseded > 0) contributions.superseded[at] = context * WEIGHTS.superseded * found.superseded;
    contributions.update[at] = context * WEIGHTS.update * found.update;
  }
}

function totals(contributions: Contributions, count: number): Float64Array {
  const sums = new Float64Array(count);
  for (const column of Object.values(contributions)) {
    for (let at = 0; at < count; at++) sums[at] = (sums[at] as number) + (column[at] as number);
  }
  return sums;
}

function totalAt(contributions: Contributions, at: number): number {
  let sum = 0;
  for (const column of Object.values(contributions)) sum += column[at] as number;
  return sum;
}

/** Candidates arrive in order of storing, so the place breaks ties. */
function byTotal(sums: Float64Array): number[] {
  const places: number[] = [];
  for (let at = 0; at < sums.length; at++) places.push(at);
  return descending(places, sums);
}

/** Keeps the first passage of each memory in a list of places. */
function firstOfMemories(places: number[], candidates: readonly Candidate[]): number[] {
  if (candidates.every(({ passage }) => passage === null)) return places;
  const seen = new Set<string>();
  return places.filter((at) => {
    const { id } = candidates[at] as Candidate;
    return !seen.has(id) && seen.add(id);
  });
}

/** Above this cosine two memories repeat each other; at 1 fully. Source: recall.md, "sup / upd". */
const REPETITION_COSINE_MIN = 0.75;
/** A later memory supersedes an earlier one only if it matches the query at least this share as well. */
const SAME_MATCH = 0.8;

/** How a pool member repeats others, each 0 to 1. */
interface Repetition {
  /** Nearness to a later memory that matches the query about as well. */
  readonly superseded: number;
  /** Nearness to an earlier memory. */
  readonly update: number;
}

/** True for a memory that others worded: it was adopted, or belongs to a team and not to the reader. */
function isForeign({ isAdopted, ownerId }: Candidate, readerId: string | null): boolean {
  return isAdopted || (readerId !== null && ownerId !== readerId);
}

/** A pool member: its vector's steps, how well its own words match the query, and whether others worded it. */
interface PoolMember {
  readonly vector: Int8Array | null;
  readonly own: number;
  readonly isForeign: boolean;
}

const pairs = createInt8Pairs();

/** A pool member while it is compared with the others. `hasLater`: a later one repeats it. */
interface Compared {
  superseded: number;
  update: number;
  hasLater: boolean;
}

/**
 * Finds near-duplicates in a pool given in order of storing. Members without a vector count as no repetition. Of several the
 * newest alone is an update: of a hundred lines that a program writes alike, each would gain on what it is no version of.
 */
function findRepetitions(pool: readonly PoolMember[]): Repetition[] {
  const found: Compared[] = pool.map(() => ({ superseded: 0, update: 0, hasLater: false }));
  for (const dimension of new Set(pool.map(({ vector }) => vector?.length ?? 0))) {
    if (dimension === 0) continue;
    const places = [...pool.keys()].filter((at) => pool[at]?.vector?.length === dimension);
    comparePairs(places, pool, dimension, found);
  }
  return found.map(({ superseded, update, hasLater }) => ({ superseded, update: hasLater ? 0 : update }));
}

/** Compares each pool member whose vector has this dimension with all later ones. */
function comparePairs(
  places: readonly number[],
  pool: readonly PoolMember[],
  dimension: number,
  found: readonly Compared[],
): void {
  const length = paddedLength(dimension);
  const rows = new Int8Array(places.length * length);
  for (const [row, at] of places.entries()) rows.set(pool[at]?.vector as Int8Array, row * length);
  const norms = new Float64Array(places.length);
  pairs(rows, places.length, length, (i, products) => {
    const earlier = places[i] as number;
    norms[i] = Math.sqrt(products[0] as number);
    for (let j = i + 1; j < places.length; j++) {
      const cosine = (products[j - i] as number) / ((norms[i] as number) * (norms[j] as number));
      if (!(cosine > REPETITION_COSINE_MIN)) continue;
      const nearness = Math.min(1, (cosine - REPETITION_COSINE_MIN) / (1 - REPETITION_COSINE_MIN));
      const later = places[j] as number;
      // Text that others wrote does not update the reader's own.
      if (pool[later]?.isForeign && !pool[earlier]?.isForeign) continue;
      const [first, second] = [found[earlier], found[later]] as [Compared, Compared];
      first.hasLater = true;
      second.update = Math.max(second.update, nearness);
      if ((pool[later]?.own as number) >= SAME_MATCH * (pool[earlier]?.own as number)) {
        first.superseded = Math.max(first.superseded, nearness);
      }
    }
  });
}
