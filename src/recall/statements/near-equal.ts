import { withoutMarks } from "../language/compared.ts";
import { UNSPACED } from "../language/scripts.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";

/**
 * The words of a sentence as compared one by one, and the index at which the text after a lead-in ("Correction:")
 * begins.
 */
export interface ComparedSentence {
  readonly words: readonly string[];
  readonly afterLeadIn: number;
}

/** The place where two otherwise equal sentences differ, with the words of each. */
export interface Difference {
  readonly one: readonly string[];
  readonly other: readonly string[];
  /**
   * They differ in subject, time or roles, so that both can be true. A question may still ask for exactly that: "Who
   * looks after the boiler?"
   */
  readonly isOfAnother?: true;
  /** Informative words that both have, if they are known to have another subject. */
  readonly shared?: readonly string[];
}

const DROPPED = wordSet(english.DROPPED, ...Object.values(others.DROPPED));
const AUXILIARIES = wordSet(english.AUXILIARIES);
const DENIERS = wordSet(english.DENIERS);
const GENERAL = wordSet(english.GENERAL);
const NEGATIONS = wordSet(english.NEGATIONS, ...Object.values(others.NEGATIONS));
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  Array.from(wordSet(english.NUMBERS), (word, at) => [word, String(at + 2)]),
);
export const LABELS = wordSet(english.LABELS);

/** Maximum length of a lead-in, in words. */
const LEAD_IN_MAX = 8;
/** Maximum number of differing words in each sentence, and minimum number of informative words that they share. */
const PLACE_MAX = 4;
const SHARED_MIN = 2;

/**
 * Splits a compared sentence (see `Reading`) into words, without what changes nothing: articles, commas, an ending in
 * -s.
 */
export function comparedSentence(sentence: string): ComparedSentence {
  const words: string[] = [];
  let afterLeadIn = 0;
  const all = sentence.split(" ");
  for (const [at, written] of all.entries()) {
    const word = comparedWord(written);
    // A final "a" is not an article: "Rev a", "vitamin a".
    const isDropped = DROPPED.has(word) && !(word === "a" && at === all.length - 1);
    if (UNSPACED.test(word)) words.push(...word);
    else if (word !== "" && !isDropped) words.push(word);
    if (written.endsWith(":") && afterLeadIn === 0 && words.length <= LEAD_IN_MAX) afterLeadIn = words.length;
  }
  return { words, afterLeadIn: afterLeadIn === words.length ? 0 : afterLeadIn };
}

function comparedWord(written: string): string {
  // In French, the "n'" of a negation accompanies a "pas" that already expresses it.
  const word = withoutMarks(written).replace(/^n'/, "");
  const spelt = NUMBER_WORDS.get(word) ?? word;
  if (/^\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?$/u.test(spelt)) return spelt.replaceAll(",", "");
  // "eats" and "eat", "Fridays" and "Friday" are equal; "does" stays as it is.
  return isDistinctive(spelt) &&
    spelt.length > 3 &&
    spelt.length < 32 &&
    /^\p{Ll}+s$/u.test(spelt) &&
    !spelt.endsWith("ss")
    ? spelt.slice(0, -1)
    : spelt;
}

export function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't");
}

/** Whether a word is informative: part of a sentence's subject or of the statement about it. */
export function isDistinctive(word: string): boolean {
  return !GENERAL.has(word) && !AUXILIARIES.has(word) && !DROPPED.has(word);
}

function isDenying(word: string): boolean {
  return isNegation(word) || DENIERS.has(word);
}

/** True for an odd number of negations. */
export function isNegated(words: readonly string[]): boolean {
  return words.filter(isDenying).length % 2 === 1;
}

/** Whether one side negates the other and says nothing else: "is", "is not"; "able", "unable". */
export function isDenial({ one, other }: Difference): boolean {
  const told = (words: readonly string[]) =>
    words.filter((word) => !isDenying(word) && isDistinctive(word)).join(" ");
  return areOpposite(one, other) || (isNegated(one) !== isNegated(other) && told(one) === told(other));
}

const DENYING_PREFIX = /^(?:un|in|im|il|ir|dis|non-?)(?=\p{L}{3})/u;

/** Whether one side is the other with a negating prefix. */
function areOpposite(one: readonly string[], other: readonly string[]): boolean {
  const [a = "", b = ""] = [one[0], other[0]];
  if (one.length !== 1 || other.length !== 1 || a.length === b.length) return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.endsWith(short) && long.replace(DENYING_PREFIX, "") === short;
}

/**
 * Finds where two sentences contradict each other that are equal except in one place: another word, name, number, sign,
 * unit, operator or symbol, an additional negation, or the same words in another order. A lead-in in one of them is
 * ignored. null if they are equal, one only says more, they differ only in grammar, or they share too little to be
 * about the same thing. Symmetric except for the order of the sides. Linear in their lengths.
 */
export function contradictingPlace(a: ComparedSentence, b: ComparedSentence): Difference | null {
  const whole = placeOf(a.words, b.words);
  if (whole !== null || (a.afterLeadIn === 0 && b.afterLeadIn === 0)) return whole;
  return placeOf(a.words.slice(a.afterLeadIn), b.words.slice(b.afterLeadIn));
}

function placeOf(a: readonly string[], b: readonly string[]): Difference | null {
  const before = commonLength(a, b, 0);
  const after = commonLength(a, b, before, -1);
  const lengths = [a.length - before - after, b.length - before - after] as const;
  const isLong = Math.max(...lengths) > PLACE_MAX;
  // Most pairs end here: so long a place is one only with the same words in another order.
  if (isLong && lengths[0] !== lengths[1]) return null;
  const one = a.slice(before, a.length - after);
  const other = b.slice(before, b.length - after);
  if (one.length === 0 && other.length === 0) return null;
  const place = { one, other };
  if (isOtherOrder(place)) return { ...place, isOfAnother: true };
  if (isLong) return null;
  const sharedWords = [...a.slice(0, before), ...a.slice(a.length - after)].filter(isDistinctive);
  const shared = sharedWords.length;
  if (areOpposite(one, other)) return shared > 0 ? place : null;
  if (isNegated(one) !== isNegated(other))
    return one.length + other.length <= PLACE_MAX && shared > 0 ? place : null;
  if (one.length === 0 || other.length === 0) return null;
  const both = [...one, ...other];
  if (both.every((word) => AUXILIARIES.has(word))) return null;
  const named = a[before - 1];
  if (named !== undefined && LABELS.has(named) && both.every((word) => /^\p{N}/u.test(word))) return null;
  // A number or sign is always a value. Of differing words, one may be the subject of the sentence.
  if (both.every((word) => !/^\p{L}{2}/u.test(word))) return shared > 0 ? place : null;
  const differing = Math.max(one.filter(isDistinctive).length, other.filter(isDistinctive).length);
  if (shared < SHARED_MIN || shared <= differing) return null;
  return isSubject(a, before, a.length - after)
    ? { ...place, isOfAnother: true, shared: sharedWords }
    : place;
}

/** Length of the common run of words from an index on; with `step` −1, from the ends back to that index. */
function commonLength(a: readonly string[], b: readonly string[], from: number, step: 1 | -1 = 1): number {
  const most = Math.min(a.length, b.length) - from;
  const wordOf = (words: readonly string[], at: number) =>
    words[step === 1 ? from + at : words.length - 1 - at];
  let length = 0;
  while (length < most && wordOf(a, length) === wordOf(b, length)) length++;
  return length;
}

const JOINING = wordSet(english.JOINING, ...Object.values(others.JOINING));

/** Whether the words are the same in another order, unless they only swap sides of an "and". */
function isOtherOrder({ one, other }: Difference): boolean {
  if (one.length !== other.length || one.length < 2) return false;
  // Sorting is slow, and most have a word that the other lacks.
  const words = new Set(other);
  if (!one.every((word) => words.has(word))) return false;
  if (one.toSorted().join(" ") !== other.toSorted().join(" ")) return false;
  const joint = one.findIndex((word) => JOINING.has(word));
  if (joint < 0) return true;
  const turned = [...one.slice(joint + 1), one[joint], ...one.slice(0, joint)];
  return turned.join(" ") !== other.join(" ");
}

const PREPOSITIONS = wordSet(english.PREPOSITIONS);

/**
 * Whether the words from `start` to `end` are the subject of a sentence: no informative word precedes them; or the only
 * auxiliary follows them; or they follow a preposition after the first thing named ("the shop in Rome opens at 9").
 * Without a grammar, there is no more evidence.
 */
function isSubject(words: readonly string[], start: number, end: number): boolean {
  const [before, after] = [words.slice(0, start), words.slice(end)];
  const isVerb = (word: string) => AUXILIARIES.has(word);
  const told = before.filter(isDistinctive).length;
  if (!after.some(isDistinctive)) return false;
  if (told === 0 || (after.some(isVerb) && !before.some(isVerb))) return true;
  return told === 1 && PREPOSITIONS.has(before.at(-1) as string);
}
