import { UNSPACED_SCRIPTS } from "../language/scripts.ts";

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

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words without which a sentence says the same: they are not compared. */
const UNTOLD = listOf(
  "a an the now currently still also just please that ne ein eine einen einem einer eines",
);
/** A difference in these alone is one of grammar. */
const AUXILIARIES = listOf("is are was were be been being am has have had do does did will would shall");
/** What follows them, or what they are said of, is denied as by "not". */
const DENIERS = listOf("false untrue wrong incorrect");
/** Words that a sentence has whatever it is about. */
const EMPTY = listOf(
  "in on at of for to from with by and or as it its this these those there he she they we i you his her their our my your if when then than so but",
);
const NEGATIONS = listOf(
  "not no never none neither nor without cannot nobody nothing nowhere hardly barely scarcely rarely seldom nicht kein keine keinen keinem keiner nie niemals pas jamais rien nunca nada не нет لا ليس لم لن नहीं לא אין 안 못 不 没 無 未 非",
);
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  "two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, at) => [word, String(at + 2)]),
);
/** Words after which a number names and does not measure. */
export const LABELS = listOf(
  "ticket issue task pr bug step chapter section session day week phase sprint item todo rfc line page no part test case",
);

/** Scripts that put no spaces between words: they are compared character by character. */
export const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
/** A lead-in is no longer, in words. */
const LEAD_IN_MAX = 8;
/** Words in which sentences may differ, of each, and of those that tell something so many at least that they share. */
const PLACE_MAX = 4;
const SHARED_MIN = 2;

/** A sentence of `sentencesOf`, word for word, without what changes nothing: articles, commas, an ending in -s. */
export function comparedSentence(sentence: string): ComparedSentence {
  const words: string[] = [];
  let afterLeadIn = 0;
  const all = sentence.split(" ");
  for (const [at, written] of all.entries()) {
    const word = comparedWord(written);
    // At the end "a" is no article: "Rev a", "vitamin a".
    const isUntold = UNTOLD.has(word) && !(word === "a" && at === all.length - 1);
    if (UNSPACED.test(word)) words.push(...word);
    else if (word !== "" && !isUntold) words.push(word);
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

const MARKS: ReadonlySet<string> = new Set([..."\"'()[]{},;:"]);

/** A small ASCII letter or a digit, as most words begin and end with. */
function isPlainUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Without the marks around a word, of which none is an operator or part of a name. */
export function withoutMarks(word: string): string {
  if (isPlainUnit(word.charCodeAt(0)) && isPlainUnit(word.charCodeAt(word.length - 1))) return word;
  let start = 0;
  let end = word.length;
  while (start < end && MARKS.has(word[start] as string)) start++;
  while (end > start && MARKS.has(word[end - 1] as string)) end--;
  return word.slice(start, end);
}

export function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't");
}

/** Whether a word says what a sentence is about, or what it says of that. */
export function isTelling(word: string): boolean {
  return !EMPTY.has(word) && !AUXILIARIES.has(word) && !UNTOLD.has(word);
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

const JOINING = listOf("and or & und et y e");

/** The same words in another order, unless they only change sides of an "and". */
function isOtherOrder({ one, other }: Difference): boolean {
  if (one.length !== other.length || one.length < 2) return false;
  if (one.toSorted().join(" ") !== other.toSorted().join(" ")) return false;
  const joint = one.findIndex((word) => JOINING.has(word));
  if (joint < 0) return true;
  const turned = [...one.slice(joint + 1), one[joint], ...one.slice(0, joint)];
  return turned.join(" ") !== other.join(" ");
}

const PREPOSITIONS = listOf("in on at of for to from with by");

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
