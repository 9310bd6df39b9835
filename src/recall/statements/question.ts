import { plainText } from "../language/characters.ts";
import { withoutAllMarks, withoutMarks, writtenWords } from "../language/compared.ts";
import { read } from "../language/reading.ts";
import { UNSPACED } from "../language/scripts.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";
import { comparedSentence, isTelling } from "./near-equal.ts";

/** Something of a question that a memory must have to answer it. */
interface Demand {
  readonly kind: "exact" | "unspaced" | "quoted" | "name" | "word";
  /** As it is written; of quotations and names in small letters, of other words the stem. */
  readonly form: string;
  /**
   * Of a name: something is asked of it, and what is so of "Ann's brother" or "the brother of Ann" is not said of it; or of
   * what is its, as "the dentist of Ann", who is not that of "the aunt of Ann".
   */
  readonly role?: "subject" | "owner";
}

/** What a question asks for, as far as its words tell. */
export interface Question {
  /** In the order of the question, each once. */
  readonly demands: readonly Demand[];
  /** Whether these are all that it demands: of a very long question only so many are read, and nothing answers it whole. */
  readonly isWhole: boolean;
  /** The stems of all its words. */
  readonly stems: ReadonlySet<string>;
  /** Those that it does not demand. */
  readonly mentioned: ReadonlySet<string>;
  /** Its words in small letters, in order. */
  readonly words: readonly string[];
  /** Its word that asks for a value ("when"); null where it asks for none, but whether something is so or about something. */
  readonly asksFor: string | null;
  /** It asks whether something is so, and may name the value itself. */
  readonly asksWhether: boolean;
  /** Most of it is written without spaces, so that its words cannot be looked up; its identifiers can. */
  readonly isUnspaced: boolean;
}

/** Where a text has all that a question demands. */
export interface Answer {
  /** The sentences (see `Reading`) that have it: one, or two of which the second refers to the first. */
  readonly sentences: readonly string[];
  /** What they tell besides, in order. */
  readonly told: readonly string[];
  /** The sentence after them; null at the end. */
  readonly next: string | null;
}

const ASKING = wordSet(english.ASKING);
const ASKING_ELSEWHERE = wordSet(...Object.values(others.ASKING));
const INTERROGATIVES = wordSet(english.INTERROGATIVES, ...Object.values(others.INTERROGATIVES));
/** Vietnamese writes its syllables apart, and hardly any sentence is without one of these. */
const VIETNAMESE = /[ơư\u1ea0-\u1ef9]/iu;
const SYLLABLES = /\p{Script=Hangul}/u;
const LETTERS =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u;
const WHETHER =
  /^\P{L}*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|isn't|aren't|doesn't|don't|didn't|won't|can't)\s/iu;
const VERBS = wordSet(english.VERBS_OF_QUESTIONS);
/** A compound that is about something else than its last or first word: "ex-husband", "staging-2". */
const OTHER_THAN_ITS_PARTS =
  /^(?:(?:non|ex|co|pre|post|anti|semi|half|vice|sub|un|former)-|\p{L}+[-_]\p{N}+$)/iu;
const BEFORE_KIND = wordSet(english.BEFORE_KIND);
/** Identifiers and numbers inside of text without spaces. */
const INSIDE_UNSPACED = /[A-Za-z0-9][A-Za-z0-9._@#:/+-]*/g;
const QUOTED = /["`]([^"`]{1,200})["`]/g;
const QUESTION_LENGTH_MAX = 2000;
const DEMANDS_MAX = 40;
/** A sentence with one of these goes on about what the one before it named: "The gate is new. It is painted red." */
const REFERRING =
  /(?:^| )(?:it|its|he|his|him|she|her|hers|they|their|them|this|that|these|those|there)(?: |$)/;

/** What a question demands of a memory that answers it: its identifiers, numbers and symbols, its names, its other words. */
export function questionOf(query: string): Question {
  const text = plainText(query.slice(0, QUESTION_LENGTH_MAX));
  const words = writtenWords(text)
    .map(withoutAllMarks)
    .filter((word) => /[^\p{P}]/u.test(word));
  const unspaced = words.filter((word) => UNSPACED.test(word)).length;
  const how = {
    isEnglish: words.some((word) => ASKING.has(word.toLowerCase())) && !beginsElsewhere(words),
    isVietnamese: VIETNAMESE.test(text),
    isUnspaced: unspaced > 0 && 2 * unspaced >= words.length,
  };
  const quoted = [...text.matchAll(QUOTED)].map(
    ([, words]): Demand => ({ kind: "quoted", form: (words as string).trim().toLowerCase() }),
  );
  const demandedBy = words.map((word, at) => demandsOf(word, words[at - 1], how));
  const all = [...quoted, ...demandedBy.flat()].map((demand) =>
    demand.kind === "name" ? { ...demand, ...roleOf(demand.form, words) } : demand,
  );
  const demanded = stemsOf(words.filter((_, at) => (demandedBy[at] as Demand[]).length > 0));
  const stems = stemsOf(words);
  const demands = [...new Map(all.map((demand) => [`${demand.kind} ${demand.form}`, demand])).values()];
  const small = words.map((word) => word.toLowerCase());
  const isWhether = asksWhether(text, small);
  return {
    words: small,
    asksFor: isWhether ? null : (small.find((word) => INTERROGATIVES.has(word)) ?? null),
    demands: demands.slice(0, DEMANDS_MAX),
    isWhole: query.length <= QUESTION_LENGTH_MAX && demands.length <= DEMANDS_MAX,
    stems,
    mentioned: new Set([...stems].filter((stem) => !demanded.has(stem))),
    asksWhether: isWhether,
    isUnspaced: how.isUnspaced,
  };
}

/** Words of other languages are like English ones: "do" is Portuguese too. */
function beginsElsewhere([first = ""]: readonly string[]): boolean {
  const small = first.toLowerCase();
  return INTERROGATIVES.has(small) && !ASKING.has(small);
}

function asksWhether(text: string, words: readonly string[]): boolean {
  if (WHETHER.test(text)) return true;
  return text.trimEnd().endsWith("?") && !words.some((word) => INTERROGATIVES.has(word));
}

function demandsOf(
  word: string,
  before: string | undefined,
  { isEnglish, isVietnamese, isUnspaced }: { isEnglish: boolean; isVietnamese: boolean; isUnspaced: boolean },
): Demand[] {
  if (UNSPACED.test(word)) {
    if (!isUnspaced) return [{ kind: "unspaced", form: word }];
    const inside = word.match(INSIDE_UNSPACED) ?? [];
    return inside.filter((one) => /\d/.test(one)).map((form) => ({ kind: "exact", form }));
  }
  if (isExact(word)) return [{ kind: "exact", form: word }];
  const isCapital = /^\p{Lu}/u.test(word);
  const isKind = before !== undefined && BEFORE_KIND.has(before.toLowerCase());
  if (isKind && !isCapital && !word.includes("-")) return [];
  const isFirst = before === undefined;
  const isShort = word.length <= (isVietnamese ? 1 : shortMax(word)) && (isFirst || !isCapital);
  const small = word.toLowerCase();
  const isAsking = isEnglish
    ? ASKING.has(small)
    : isShort || ASKING_ELSEWHERE.has(small) || INTERROGATIVES.has(small);
  if (isAsking) return [];
  // The parts of "red-black" in another order are something else.
  const isName = word.includes("-") || (isCapital && !isFirst);
  return [isName ? { kind: "name", form: withoutPossessive(small) } : { kind: "word", form: stemOf(word) }];
}

/**
 * How many characters a word may have that is likely of the grammar alone, in a language of which nobody listed those: a syllable of
 * Korean, two consonants or an Indic letter with its vowel, four letters of an alphabet.
 */
function shortMax(word: string): number {
  if (SYLLABLES.test(word)) return 1;
  return LETTERS.test(word) ? 4 : 2;
}

/** A subject is all or a part of what follows a verb of asking: "does Ann Lee". */
function roleOf(form: string, words: readonly string[]): Pick<Demand, "role"> {
  const at = words.findIndex((word) => withoutPossessive(word.toLowerCase()) === form);
  const isOfName = (word: string | undefined) =>
    word !== undefined && /^\p{Lu}/u.test(word) && !VERBS.has(word.toLowerCase());
  let before = at - 1;
  while (isOfName(words[before])) before--;
  let last = at;
  while (isOfName(words[last + 1])) last++;
  if (words.slice(at, last + 1).some(isPossessive) || ownedBefore(words, before + 1) !== undefined)
    return { role: "owner" };
  return VERBS.has(words[before]?.toLowerCase() ?? "") ? { role: "subject" } : {};
}

/** Of what the word at a place is named as the owner: "roof" of "the roof of the mill". */
function ownedBefore(words: readonly string[], at: number): string | undefined {
  const of = words[at - 1] === "the" ? at - 2 : at - 1;
  return words[of] === "of" ? words[of - 1] : undefined;
}

function isPossessive(word: string): boolean {
  return withoutPossessive(word) !== word;
}

/**
 * Where a text has everything that a question demands, in one sentence that states something or in two of which the second
 * refers to the first ("It is …"); null where it has not, the question demands nothing, or it is too long to be read whole. An
 * identifier or number has to stand there as asked for, no part of a longer one; a name in no other form; of other words any
 * form will do.
 */
export function answerIn(text: string, question: Question): Answer | null {
  for (const answer of answersIn(text, question)) return answer;
  return null;
}

/** All places where a text has it, as `answerIn` finds the first: single sentences, then two. */
export function* answersIn(text: string, question: Question): Iterable<Answer> {
  const { demands } = question;
  if (!mayAnswer(text, question)) return;
  const { sentences } = read(text);
  const has = sentences.map((sentence) => demandsIn(sentence, question));
  for (const size of [1, 2]) {
    for (let from = 0; from + size <= sentences.length; from++) {
      const window = sentences.slice(from, from + size);
      const there = new Set(has.slice(from, from + size).flat());
      const isOne = size === 1 || REFERRING.test(window[1] as string);
      if (there.size < demands.length || !isOne) continue;
      const told = window.flatMap((sentence) => toldIn(sentence, question));
      yield { sentences: window, told, next: sentences[from + size] ?? null };
    }
  }
}

/**
 * The share of the question's demands that a sentence meets; 0 where it lacks a name and so is about somebody else, unless it may
 * be the value that is asked after.
 */
export function shareMet(sentence: string, question: Question): number {
  const { demands, asksWhether } = question;
  const isNamed = ({ kind, form }: Demand) => kind !== "name" || sentence.toLowerCase().includes(form);
  if (!asksWhether && !demands.every(isNamed)) return 0;
  const met = new Set(demandsIn(sentence, question));
  const hasNames = asksWhether || demands.every(({ kind }, at) => kind !== "name" || met.has(at));
  return hasNames ? met.size / demands.length : 0;
}

/** Whether it asks for one of these words by name. */
export function namesAny({ stems }: Question, words: readonly string[]): boolean {
  return hasAny(stems, words);
}

/** Whether it has one of these words without demanding it: one that may lack where the question is answered. */
export function mentionsAny({ mentioned }: Question, words: readonly string[]): boolean {
  return hasAny(mentioned, words);
}

function hasAny(stems: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.some((word) => isTelling(word) && partsOf(word).some((part) => stems.has(stemOf(part))));
}

/** Whether a text has every identifier, number, symbol and quotation that is asked for. */
export function hasExact(text: string, { demands }: Question): boolean {
  const exact = demands.filter(({ kind }) => kind === "exact" || kind === "quoted");
  if (exact.length === 0) return true;
  const plain = plainText(text);
  const small = plain.toLowerCase();
  return exact.every(({ kind, form }) => standsIn(kind === "exact" ? plain : small, form));
}

/** False for most texts that do not answer: a look for the letters alone, which takes a fiftieth of reading them. */
export function mayAnswer(text: string, { demands, isWhole }: Question): boolean {
  if (demands.length === 0 || !isWhole) return false;
  const plain = plainText(text);
  const small = plain.toLowerCase();
  return demands.every(({ kind, form }) => {
    if (kind === "exact" || kind === "unspaced") return plain.includes(form);
    // Of a stem the last letter may be another one.
    return small.includes(kind === "word" ? form.slice(0, Math.max(2, form.length - 1)) : form);
  });
}

/** The places of the demands that a sentence meets. A question meets none. */
function demandsIn(sentence: string, { demands, stems: asked }: Question): number[] {
  if (sentence.endsWith("?")) return [];
  const names = { any: new Set<string>(), subject: new Set<string>(), owner: new Set<string>() };
  const stems = new Set<string>();
  const words = sentence.split(" ").map(withoutMarks);
  const isAsked = (word: string | undefined) =>
    word !== undefined && isTelling(word) && asked.has(stemOf(word));
  for (const [at, word] of words.entries()) {
    const owned = ownedBefore(words, at);
    const isOwner = isPossessive(word);
    const isOfWhatIsAsked = isOwner
      ? isAsked(words[at + 1]) || isAsked(words[at + 2])
      : owned === undefined || isAsked(owned);
    for (const part of OTHER_THAN_ITS_PARTS.test(word) ? [word] : partsOf(word)) {
      const name = withoutPossessive(part.toLowerCase());
      names.any.add(name);
      if (!isOwner && owned === undefined) names.subject.add(name);
      if (isOfWhatIsAsked) names.owner.add(name);
      stems.add(stemOf(part));
    }
  }
  const isMet = ({ kind, form, role }: Demand) => {
    if (kind === "exact") return standsIn(sentence, form);
    if (kind === "unspaced") return sentence.includes(form);
    if (kind === "quoted") return standsIn(sentence.toLowerCase(), form);
    return kind === "name" ? names[role ?? "any"].has(form) : stems.has(form);
  };
  return demands.flatMap((demand, at) => (isMet(demand) ? [at] : []));
}

function toldIn(sentence: string, { stems }: Question): string[] {
  return comparedSentence(sentence).words.filter(
    (word) => isTelling(word) && !partsOf(word).every((part) => stems.has(stemOf(part))),
  );
}

/** It has a digit, or a symbol or capital that plain words do not have: it is told by every character. */
function isExact(word: string): boolean {
  if (/^\p{P}+$/u.test(word)) return false;
  return /\p{N}|[^\p{L}\p{M}'-]|^-|\p{Ll}\p{Lu}/u.test(word);
}

function stemsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(partsOf).map(stemOf));
}

const JOINT = /[-_/.:@#&=]/;

/** A word and the parts that it is made of. */
function partsOf(word: string): string[] {
  // Most words are of one part, which is told faster than it is divided.
  if (!JOINT.test(word)) return [word];
  const parts = word.split(/[-_/.:@#&=]+/).filter((part) => part !== "");
  return parts.length > 1 ? [word, ...parts] : [word];
}

function withoutPossessive(word: string): string {
  return word.includes("'") ? word.replace(/'s?$/, "") : word;
}

/** A word without the endings of English grammar: "starts", "started" and "starting" are one, and so are "city" and "cities". */
function stemOf(word: string): string {
  const plain = withoutPossessive(word.toLowerCase());
  if (plain.length > 32) return plain;
  const bare = /[^s]s$/.test(plain) && plain.length > 3 ? plain.slice(0, -1) : plain;
  const base =
    bare.length > 5 && bare.endsWith("ing")
      ? bare.slice(0, -3)
      : bare.length > 4 && bare.endsWith("ed")
        ? bare.slice(0, -2)
        : bare;
  return base.length > 2 ? base.replace(/e$/, "").replace(/y$/, "i") : base;
}

const isPartOfWord = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Whether something stands in a text as it is, and is no part of a longer number, name or word. */
function standsIn(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (!goesOnBefore(text, at) && !goesOnAfter(text, end)) return true;
  }
  return false;
}

function goesOnBefore(text: string, at: number): boolean {
  const [before, further] = [text[at - 1], text[at - 2]];
  if (before === undefined || /\s/.test(before)) return false;
  if (isPartOfWord(before)) return isPartOfWord(text[at]);
  const first = text[at] as string;
  // A sign, or digits before a decimal point.
  if (/[-+]/.test(before)) return /\p{N}/u.test(first) && !isPartOfWord(further);
  if (/[.,]/.test(before)) return isPartOfWord(further) && isPartOfWord(first);
  return !isPartOfWord(first) && /[^\p{L}\p{N}\s"'()[\]{},;:.]/u.test(before);
}

function goesOnAfter(text: string, end: number): boolean {
  const [after, further] = [text[end], text[end + 1]];
  if (after === undefined || /\s/.test(after)) return false;
  if (isPartOfWord(after)) return isPartOfWord(text[end - 1]);
  if (/[-.,:/@]/.test(after)) return isPartOfWord(further);
  return /[+#*%=<>]/.test(after);
}
