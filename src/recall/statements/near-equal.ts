import { withoutMarks } from "../language/compared.ts";
import { UNSPACED } from "../language/scripts.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";

/** The words of a sentence as they are compared one by one, and where what follows a lead-in ("Correction:") begins. */
export interface ComparedSentence {
  readonly words: readonly string[];
  readonly afterLeadIn: number;
}

/** Where two sentences differ that are equal elsewhere: the words of each there. */
export interface Difference {
  readonly one: readonly string[];
  readonly other: readonly string[];
  /**
   * They differ in what they are about (subject, time, or who does it to whom), so that both can be true. A question may
   * still ask for just that: "Who looks after the boiler?"
   */
  readonly isOfAnother?: true;
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

/** A lead-in is no longer, in words. */
const LEAD_IN_MAX = 8;
/** Words in which sentences may differ, of each, and of those that tell something so many at least that they share. */
const PLACE_MAX = 4;
const SHARED_MIN = 2;

/** A compared sentence (see `Reading`), word for word, without what changes nothing: articles, commas, an ending in -s. */
export function comparedSentence(sentence: string): ComparedSentence {
  const words: string[] = [];
  let afterLeadIn = 0;
  const all = sentence.split(" ");
  for (const [at, written] of all.entries()) {
    const word = comparedWord(written);
    // At the end "a" is no article: "Rev a", "vitamin a".
    const isDropped = DROPPED.has(word) && !(word === "a" && at === all.length - 1);
    if (UNSPACED.test(word)) words.push(...word);
    else if (word !== "" && !isDropped) words.push(word);
    if (written.endsWith(":") && afterLeadIn === 0 && words.length <= LEAD_IN_MAX) afterLeadIn = words.length;
  }
  return { words, afterLeadIn: afterLeadIn === words.length ? 0 : afterLeadIn };
}

function comparedWord(written: string): string {
  // In French the "n'" of a negation stands beside a "pas" that says it.
  const word = withoutMarks(written).replace(/^n'/, "");
  const spelt = NUMBER_WORDS.get(word) ?? word;
  if (/^\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?$/u.test(spelt)) return spelt.replaceAll(",", "");
  // "eats" and "eat", "Fridays" and "Friday", but "does" as it is.
  return isTelling(spelt) &&
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

/** Whether a word says what a sentence is about, or what it says of that. */
export function isTelling(word: string): boolean {
  return !GENERAL.has(word) && !AUXILIARIES.has(word) && !DROPPED.has(word);
}

function isDenying(word: string): boolean {
  return isNegation(word) || DENIERS.has(word);
}

/** An odd number of negations. */
export function isNegated(words: readonly string[]): boolean {
  return words.filter(isDenying).length % 2 === 1;
}

/** Whether one place denies what the other affirms, and tells nothing else: "is", "is not"; "able", "unable". */
export function isDenial({ one, other }: Difference): boolean {
  const told = (words: readonly string[]) =>
    words.filter((word) => !isDenying(word) && isTelling(word)).join(" ");
  return areOpposite(one, other) || (isNegated(one) !== isNegated(other) && told(one) === told(other));
}

const DENYING_PREFIX = /^(?:un|in|im|il|ir|dis|non-?)(?=\p{L}{3})/u;

/** A word, and the word with a prefix that denies it. */
function areOpposite(one: readonly string[], other: readonly string[]): boolean {
  const [a = "", b = ""] = [one[0], other[0]];
  if (one.length !== 1 || other.length !== 1 || a.length === b.length) return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.endsWith(short) && long.replace(DENYING_PREFIX, "") === short;
}

/**
 * Where two sentences contradict each other that are equal but for one place: another word, name, number, sign, unit, operator or
 * symbol, a negation more, or the same words in another order. A lead-in that one of them has makes no difference. null where
 * they are equal, one only says more, they differ in grammar alone, or they have too little in common to be about the same.
 * Symmetric but for the order of the answer; takes time that grows with their lengths.
 */
export function contradictingPlace(a: ComparedSentence, b: ComparedSentence): Difference | null {
  const whole = placeOf(a.words, b.words);
  if (whole !== null || (a.afterLeadIn === 0 && b.afterLeadIn === 0)) return whole;
  return placeOf(a.words.slice(a.afterLeadIn), b.words.slice(b.afterLeadIn));
}

function placeOf(a: readonly string[], b: readonly string[]): Difference | null {
  const before = commonLength(a, b, 0);
  const after = commonLength(a, b, before, -1);
  const one = a.slice(before, a.length - after);
  const other = b.slice(before, b.length - after);
  if (one.length === 0 && other.length === 0) return null;
  const place = { one, other };
  if (isOtherOrder(place)) return { ...place, isOfAnother: true };
  const shared = [...a.slice(0, before), ...a.slice(a.length - after)].filter(isTelling).length;
  if (areOpposite(one, other)) return shared > 0 ? place : null;
  if (isNegated(one) !== isNegated(other))
    return one.length + other.length <= PLACE_MAX && shared > 0 ? place : null;
  if (one.length === 0 || other.length === 0 || Math.max(one.length, other.length) > PLACE_MAX) return null;
  const both = [...one, ...other];
  if (both.every((word) => AUXILIARIES.has(word))) return null;
  const named = a[before - 1];
  if (named !== undefined && LABELS.has(named) && both.every((word) => /^\p{N}/u.test(word))) return null;
  // A number or a sign is a value whatever it is of; of words that differ one may be what the sentence is about.
  if (both.every((word) => !/^\p{L}{2}/u.test(word))) return shared > 0 ? place : null;
  const differing = Math.max(one.filter(isTelling).length, other.filter(isTelling).length);
  if (shared < SHARED_MIN || shared <= differing) return null;
  return isSubject(a, before, a.length - after) ? { ...place, isOfAnother: true } : place;
}

/** How many words two sentences have in common from a place on, or, backwards, at their ends, down to that place. */
function commonLength(a: readonly string[], b: readonly string[], from: number, step: 1 | -1 = 1): number {
  const most = Math.min(a.length, b.length) - from;
  const wordOf = (words: readonly string[], at: number) =>
    words[step === 1 ? from + at : words.length - 1 - at];
  let length = 0;
  while (length < most && wordOf(a, length) === wordOf(b, length)) length++;
  return length;
}

const JOINING = wordSet(english.JOINING, ...Object.values(others.JOINING));

/** The same words in another order, unless they only change sides of an "and". */
function isOtherOrder({ one, other }: Difference): boolean {
  if (one.length !== other.length || one.length < 2) return false;
  if (one.toSorted().join(" ") !== other.toSorted().join(" ")) return false;
  const joint = one.findIndex((word) => JOINING.has(word));
  if (joint < 0) return true;
  const turned = [...one.slice(joint + 1), one[joint], ...one.slice(0, joint)];
  return turned.join(" ") !== other.join(" ");
}

const PREPOSITIONS = wordSet(english.PREPOSITIONS);

/**
 * Whether what stands from `start` to `end` is what a sentence is about, not what it says of it: nothing is told before it;
 * or an auxiliary comes only after it; or it follows a preposition of the first thing named ("the shop in Rome opens at 9").
 * Without a grammar there is no more to go by.
 */
function isSubject(words: readonly string[], start: number, end: number): boolean {
  const [before, after] = [words.slice(0, start), words.slice(end)];
  const isVerb = (word: string) => AUXILIARIES.has(word);
  const told = before.filter(isTelling).length;
  if (!after.some(isTelling)) return false;
  if (told === 0 || (after.some(isVerb) && !before.some(isVerb))) return true;
  return told === 1 && PREPOSITIONS.has(before.at(-1) as string);
}
