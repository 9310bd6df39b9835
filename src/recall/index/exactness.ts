import { foldedText, plainText } from "../language/characters.ts";
import { matchIn } from "../language/exact-words.ts";
import { NEUTRAL_WEIGHT } from "../language/lexicon.ts";
import type { ExactTerm, ExactToken } from "./exact-terms.ts";
import type { QueryAnalysis, QueryTerm } from "./query.ts";
import type { Candidate, ScopeStatistics } from "./recall-index.ts";
import {
  backgroundWeights,
  inverseFrequency,
  isSpelledPart,
  MEAN_WINDOW_NORM,
  partsTest,
  WINDOW_CEILING,
} from "./weights.ts";

/**
 * Weights for memories that have what the query names. All strict names together outweigh all other signals, so that a
 * memory that has them ranks before one that only resembles it, however well that one matches. Two of three strict
 * names still do. The other names count as much as a full match of words, and less the more memories have them. Chosen
 * to meet these two requirements.
 */
export const EXACT_WEIGHTS = { exact: 16, named: 1 } as const;

/**
 * A memory without an identifier contains some of its words by accident. They count for this share of its relevance.
 */
const ALIKE_SHARE = 0.3;

/** How a candidate has what the query names, and where the rest of its relevance comes from. */
export interface ExactMatch {
  /**
   * Parallel to the query's names: how well the memory has each in any of its passages (see `MATCH`); 0: not at all.
   */
  readonly matches: readonly number[];
  /** The same for the candidate's own passage. */
  readonly ofPassage: readonly number[];
  /** How well its neighbours in the session have it. */
  readonly near: number;
  /** The share of the query's word weight matched by other words (`words`), and by pieces of named things (`alike`). */
  readonly words: number;
  readonly alike: number;
  /** Whether it is compared by parts of words as well (see `partsTest`). */
  readonly hasParts: boolean;
}

/** The value, in a scope, of matches of a query's names. */
export class Exactness {
  readonly #terms: readonly ExactTerm[];
  readonly #places: ReadonlyMap<number, number>;
  /** Parallel to the names: how much a full match adds to the order. */
  readonly #scales: Float64Array;

  /** `frequency`: number of the scope's memories in which a piece occurs. */
  constructor(query: QueryAnalysis, memoryCount: number, frequency: (piece: number) => number) {
    this.#terms = query.exact;
    this.#places = new Map(query.terms.flatMap(({ piece, isExact }, at) => (isExact ? [[piece, at]] : [])));
    const weights = query.exact.map(({ tokens }) =>
      inverseFrequency(
        memoryCount,
        Math.min(memoryCount, ...tokens.map((token) => tokenFrequency(token, frequency))),
      ),
    );
    const sumOf = (strict: boolean) =>
      weights.reduce((sum, weight, at) => sum + (query.exact[at]?.isStrict === strict ? weight : 0), 0);
    const [strict, others] = [sumOf(true), sumOf(false)];
    this.#scales = Float64Array.from(query.exact, ({ isStrict }, at) => {
      const weight = weights[at] as number;
      if (isStrict) return (EXACT_WEIGHTS.exact * weight) / strict;
      // A name that many memories have is not very informative.
      const rarity = weight / inverseFrequency(memoryCount, 0);
      return (EXACT_WEIGHTS.named * rarity * weight) / others;
    });
  }

  get names(): readonly ExactTerm[] {
    return this.#terms;
  }

  /** How much a full match of a name adds to the order. */
  scale(name: number): number {
    return this.#scales[name] as number;
  }

  /** Index of a piece among the query's terms. */
  placeOf(piece: number): number {
    return this.#places.get(piece) as number;
  }

  /** How well counts have each name. A name needs all of its tokens. */
  matches(countAt: (place: number) => number): number[] {
    return this.#terms.map(({ tokens }) =>
      tokens.reduce((least, token) => Math.min(least, this.#tokenMatch(token, countAt)), 1),
    );
  }

  #tokenMatch(token: ExactToken, countAt: (place: number) => number): number {
    return token.reduce(
      (best, { piece, match }) => Math.max(best, match * Math.min(1, countAt(this.placeOf(piece)))),
      0,
    );
  }

  /** How much matches add to the order: `exact` by strict names, `named` by the others. */
  order(matches: readonly number[]): { exact: number; named: number } {
    const sums = { exact: 0, named: 0 };
    for (const [at, { isStrict }] of this.#terms.entries()) {
      sums[isStrict ? "exact" : "named"] += this.scale(at) * (matches[at] as number);
    }
    return sums;
  }

  /** How well the strict names are matched, 0 to 1. */
  strictMatch(matches: readonly number[]): number {
    return this.order(matches).exact / EXACT_WEIGHTS.exact;
  }
}

function tokenFrequency(token: ExactToken, frequency: (piece: number) => number): number {
  return token.reduce((most, { piece }) => Math.max(most, frequency(piece)), 0);
}

/** The candidates' matches, and their relevance with and without them. */
export class ExactRanking extends Exactness {
  readonly #query: QueryAnalysis;
  readonly #weights: Float64Array;
  readonly #hasParts: (counts: Float32Array) => boolean;
  readonly #withParts: Measure;
  readonly #withoutParts: Measure;

  constructor(query: QueryAnalysis, statistics: ScopeStatistics) {
    const frequencies = new Map(
      query.terms.map(({ piece }, at) => [piece, statistics.documentFrequency[at] ?? 0]),
    );
    super(query, statistics.memoryCount, (piece) => frequencies.get(piece) ?? 0);
    this.#query = query;
    this.#weights = backgroundWeights(query);
    this.#hasParts = partsTest(query);
    this.#withParts = measureOf(query, this.#weights);
    this.#withoutParts = measureOf(
      query,
      this.#weights.map((weight, at) => (isSpelledPart(query.terms[at] as QueryTerm) ? 0 : weight)),
    );
  }

  #measure(hasParts: boolean): Measure {
    return hasParts ? this.#withParts : this.#withoutParts;
  }

  /** `lexicalShare`: over all words, as the ranker computes it. */
  matchOf(candidate: Candidate, lexicalShare: number): ExactMatch {
    const { own, ofMemory, context } = candidate;
    const ofPassage = this.matches((place) => own[place] as number);
    const matches = ofMemory === own ? ofPassage : this.matches((place) => ofMemory[place] as number);
    const around = this.matches((place) => (context[place] as number) - (own[place] as number));
    const hasParts = this.#hasParts(context);
    const alike = this.#alike(candidate) / this.#measure(hasParts).perfect;
    const words = Math.max(0, lexicalShare - alike);
    return { matches, ofPassage, near: this.strictMatch(around), words, alike, hasParts };
  }

  /** The share of the query's weight that is matched. `matches` overrides the candidate's own. */
  share({ words, alike, near, hasParts, matches: own }: ExactMatch, matches = own): number {
    const { strictShare, ofWords } = this.#measure(hasParts);
    const named = strictShare * Math.max(this.strictMatch(matches), near);
    return ofWords * words + Math.max(named, ofWords * ALIKE_SHARE * alike);
  }

  /** The score of the words that the memory has only as pieces of what the query names. */
  #alike({ context }: Candidate): number {
    let sum = 0;
    for (const [at, { isNamed }] of this.#query.terms.entries()) {
      const count = context[at] as number;
      if (isNamed && count > 0)
        sum += ((this.#weights[at] as number) * WINDOW_CEILING * count) / (count + MEAN_WINDOW_NORM);
    }
    return sum;
  }
}

/** What a perfect match of a query's words and names is. */
interface Measure {
  /** The strict names' share of the query's weight: that of their pieces, or that of words of their own if greater. */
  readonly strictShare: number;
  /** Score of a perfect match by words alone. */
  readonly perfect: number;
  /** Converts shares of the words' weight to shares of the query's weight. */
  readonly ofWords: number;
}

function measureOf({ terms, exact }: QueryAnalysis, weights: Float64Array): Measure {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const pieces = weights.reduce((sum, weight, at) => sum + (terms[at]?.isNamed ? weight : 0), 0);
  // Each name weighs at least as much as a word outside the vocabulary.
  const names = exact.filter(({ isStrict }) => isStrict).length;
  const strict = Math.max(pieces, names * NEUTRAL_WEIGHT);
  const total = Math.max(all - pieces + strict, 1e-9);
  return { strictShare: strict / total, perfect: Math.max(WINDOW_CEILING * all, 1e-9), ofWords: all / total };
}

/**
 * Keeps only matches that the text confirms. An index may propose another word, because of hash collisions, or a text
 * in which the words of a name are not together.
 */
export function verifiedMatches(
  names: readonly ExactTerm[],
  matches: readonly number[],
  text: string,
): readonly number[] {
  const plain = plainText(text);
  const folded = foldedText(plain);
  return names.map((name, at) => {
    const match = matches[at] as number;
    return match === 0 ? 0 : Math.min(match, matchIn(plain, folded, name.text));
  });
}
