import type { Whole } from "../language/script-terms.ts";
import type { QueryAnalysis, QueryTerm } from "./query.ts";

/** Share of a neighbour's counts and length that enters a memory's window, by distance in the session. */
export const WINDOW = { previous: 0.5, next: 0.25, previous2: 0.25, next2: 0.125 } as const;

/** A session has a term if its soft count exceeds this. */
export const SESSION_COUNT_MIN = 0.5;

/** Saturation and length normalisation (BM25's k1 and b) of a memory's window, of a session, and of plain BM25. */
export const MEMORY_BM25 = { k1: 0.6, b: 0.2 } as const;
export const SESSION_BM25 = { k1: 1.2, b: 0.5 } as const;
export const PLAIN_BM25 = { k1: 1.2, b: 0.75 } as const;

/** `ln(1 + (N − df + .5) / (df + .5))`, BM25's weight of a term. */
export function inverseFrequency(count: number, frequency: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/**
 * The weights of the query's terms in a scope. A part that no memory has gets the average weight of the parts of its
 * word that some memory has: another form of the word has other parts and is no less informative. If no memory has any
 * part, the word is unknown and gets its full weight, unless its pieces have that already.
 */
export function termWeights(
  { terms }: QueryAnalysis,
  count: number,
  frequencies: readonly number[],
): Float64Array {
  const frequency = (k: number) => frequencies[k] ?? 0;
  const weights = Float64Array.from(terms, ({ factor }, k) => factor * inverseFrequency(count, frequency(k)));
  const known = new Map<Whole, { weight: number; factor: number }>();
  for (const [k, { of, factor }] of terms.entries()) {
    if (of === null || frequency(k) === 0) continue;
    const { weight, factor: sum } = known.get(of) ?? { weight: 0, factor: 0 };
    known.set(of, { weight: weight + (weights[k] as number), factor: sum + factor });
  }
  for (const [k, { of, factor }] of terms.entries()) {
    if (of === null || frequency(k) > 0) continue;
    const parts = known.get(of);
    if (parts !== undefined) weights[k] = (factor * parts.weight) / parts.factor;
    else if (of.kind === "spelled") weights[k] = 0;
  }
  return weights;
}

/** The weights of the query's terms in the language, parallel to its terms. They are the same in every scope. */
export function backgroundWeights({ terms }: QueryAnalysis): Float64Array {
  return Float64Array.from(terms, ({ background }) => background);
}

/**
 * Returns a test of whether a memory, by its counts, has any part of a spelled word. Of one that has none, as of all that
 * the vocabulary spells, the parts that it lacks tell nothing: it is compared by its pieces.
 */
export function partsTest({ terms }: QueryAnalysis): (counts: Float32Array) => boolean {
  const parts = terms.flatMap((term, k) => (isSpelledPart(term) ? [k] : []));
  return (counts) => parts.some((k) => (counts[k] as number) > 0);
}

export function isSpelledPart({ of }: QueryTerm): boolean {
  return of?.kind === "spelled";
}

/**
 * BM25's denominator without the count, for a window of `length`. The embedded index selects candidates by the same
 * formula.
 */
export function windowNorm(length: number, meanLength: number): number {
  return MEMORY_BM25.k1 * (1 - MEMORY_BM25.b + (MEMORY_BM25.b * length) / Math.max(meanLength, 1));
}

/** The same for a window of mean length. */
export const MEAN_WINDOW_NORM = MEMORY_BM25.k1;

/** Limit of a match's score at weight 1, for growing counts. */
export const WINDOW_CEILING = MEMORY_BM25.k1 + 1;

/**
 * Value of a count in plain BM25, before the term's weight. The embedded index selects candidates by the same formula.
 */
export function plainSaturation(count: number, length: number, meanLength: number): number {
  const { k1, b } = PLAIN_BM25;
  return ((k1 + 1) * count) / (count + k1 * (1 - b + (b * length) / Math.max(meanLength, 1)));
}
