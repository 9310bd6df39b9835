import { foldedText, plainText } from "../language/characters.ts";
import { matchIn } from "../language/exact-words.ts";
import { NEUTRAL_WEIGHT } from "../language/lexicon.ts";
import type { ExactTerm, ExactToken } from "./exact-terms.ts";
import type { QueryAnalysis } from "./query.ts";
import type { Candidate, ScopeStatistics } from "./recall-index.ts";
import { backgroundWeights, inverseFrequency, MEAN_WINDOW_NORM, WINDOW_CEILING } from "./weights.ts";

/**
 * What a memory has for having what the query names. All that is strict together outweighs all other signals together, so
 * that what has it is before what looks like it, however well that matches; two of three do so still. What is not strict
 * counts as a full match of words does, and for less the more memories have it. Set by these two demands.
 */
export const EXACT_WEIGHTS = { exact: 16, named: 1 } as const;

/** Of the words of an identifier a memory without it has some by accident: they count for so much of its relevance. */
const ALIKE_SHARE = 0.3;

/** How a candidate has what the query names, and what its relevance comes from beside that. */
export interface ExactMatch {
  /** Parallel to what the query names: 0, or how well the memory has it (see `MATCH`), in whichever of its passages. */
  readonly matches: readonly number[];
  /** The same of the candidate's own passage. */
  readonly ofPassage: readonly number[];
  /** How well its neighbours in the session have it. */
  readonly near: number;
  /** The share of its words' weight that the query has matched by other words, and by pieces of what is named. */
  readonly words: number;
  readonly alike: number;
}

/** What matches of a query's names are worth in a scope. */
export class Exactness {
  readonly #terms: readonly ExactTerm[];
  readonly #places: ReadonlyMap<number, number>;
  /** Parallel to the names: what a full match adds to the order. */
  readonly #scales: Float64Array;

  /** `frequency`: in how many of the scope's memories a piece occurs. */
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
      // What many have tells little.
      const rarity = weight / inverseFrequency(memoryCount, 0);
      return (EXACT_WEIGHTS.named * rarity * weight) / others;
    });
  }

  get names(): readonly ExactTerm[] {
    return this.#terms;
  }

  /** What a full match of each name adds to the order. */
  scale(name: number): number {
    return this.#scales[name] as number;
  }

  /** The place of a piece among the query's terms. */
  placeOf(piece: number): number {
    return this.#places.get(piece) as number;
  }

  /** How well counts have each name: a name needs all of its tokens. */
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

  /** What matches add to the order, by those names that are strict and by the others. */
  order(matches: readonly number[]): { exact: number; named: number } {
    const sums = { exact: 0, named: 0 };
    for (const [at, { isStrict }] of this.#terms.entries()) {
      sums[isStrict ? "exact" : "named"] += this.scale(at) * (matches[at] as number);
    }
    return sums;
  }

  /** 0 to 1: how well the strict names are matched. */
  strictMatch(matches: readonly number[]): number {
    return this.order(matches).exact / EXACT_WEIGHTS.exact;
  }
}

function tokenFrequency(token: ExactToken, frequency: (piece: number) => number): number {
  return token.reduce((most, { piece }) => Math.max(most, frequency(piece)), 0);
}

/** The matches of candidates, and what their relevance is with and without. */
export class ExactRanking extends Exactness {
  readonly #query: QueryAnalysis;
  readonly #weights: Float64Array;
  /** The share of the query's weight that what is strict has: as much as its pieces, or as words of their own. */
  readonly #strictShare: number;
  /** What a perfect match by words alone would have. */
  readonly #perfect: number;
  /** From shares of the words' weight to those of the query's. */
  readonly #ofWords: number;

  constructor(query: QueryAnalysis, statistics: ScopeStatistics) {
    const frequencies = new Map(
      query.terms.map(({ piece }, at) => [piece, statistics.documentFrequency[at] ?? 0]),
    );
    super(query, statistics.memoryCount, (piece) => frequencies.get(piece) ?? 0);
    this.#query = query;
    this.#weights = backgroundWeights(query, statistics.documentFrequency);
    const all = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const pieces = this.#weights.reduce(
      (sum, weight, at) => sum + (query.terms[at]?.isNamed ? weight : 0),
      0,
    );
    // Each name weighs at least as much as a word that the vocabulary does not have.
    const names = query.exact.filter(({ isStrict }) => isStrict).length;
    const strict = Math.max(pieces, names * NEUTRAL_WEIGHT);
    const total = Math.max(all - pieces + strict, 1e-9);
    this.#strictShare = strict / total;
    this.#perfect = Math.max(WINDOW_CEILING * all, 1e-9);
    this.#ofWords = all / total;
  }

  /** `lexicalShare`: of all words, as the ranker has it. */
  matchOf(candidate: Candidate, lexicalShare: number): ExactMatch {
    const { own, ofMemory, context } = candidate;
    const ofPassage = this.matches((place) => own[place] as number);
    const matches = ofMemory === own ? ofPassage : this.matches((place) => ofMemory[place] as number);
    const around = this.matches((place) => (context[place] as number) - (own[place] as number));
    const alike = this.#alike(candidate);
    const words = Math.max(0, lexicalShare - alike);
    return { matches, ofPassage, near: this.strictMatch(around), words, alike };
  }

  /** The share of the query's weight that is matched, with other matches than the candidate's where `matches` says so. */
  share({ words, alike, near, matches: own }: ExactMatch, matches = own): number {
    const named = this.#strictShare * Math.max(this.strictMatch(matches), near);
    return this.#ofWords * words + Math.max(named, this.#ofWords * ALIKE_SHARE * alike);
  }

  /** The share of the words' weight that is matched by pieces of what is named alone. */
  #alike({ context }: Candidate): number {
    let sum = 0;
    for (const [at, { isNamed }] of this.#query.terms.entries()) {
      const count = context[at] as number;
      if (isNamed && count > 0)
        sum += ((this.#weights[at] as number) * WINDOW_CEILING * count) / (count + MEAN_WINDOW_NORM);
    }
    return sum / this.#perfect;
  }
}

/** The matches that a text bears out: by its hashes an index may have proposed another word, or the words apart. */
export function borneOut(
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
