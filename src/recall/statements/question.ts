import { plainText } from "../language/characters.ts";
import { withoutAllMarks, withoutMarks, writtenWords } from "../language/compared.ts";
import { read } from "../language/reading.ts";
import { UNSPACED } from "../language/scripts.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";
import { comparedSentence, isDistinctive } from "./near-equal.ts";
import { relationReader } from "./relation.ts";

/** A part of a question that a memory must have to answer it. */
interface Demand {
  readonly kind: "exact" | "unspaced" | "quoted" | "name" | "word";
  /** As written. Quotations and names are in lower case; other words are stemmed. */
  readonly form: string;
  /**
   * Role of a name. "subject": the question is about this person, so a statement about "Ann's brother" or "the brother
   * of Ann" does not answer it. "owner": the question is about something of theirs, as in "the dentist of Ann", which
   * is not the dentist of "the aunt of Ann".
   */
  readonly role?: "subject" | "owner";
}

/** A question's demands, as far as its words reveal them. */
export interface Question {
  /** In the question's order, without duplicates. */
  readonly demands: readonly Demand[];
  /**
   * False if a very long question was truncated, so that `demands` is incomplete. Nothing answers such a question
   * fully.
   */
  readonly isWhole: boolean;
  /** Stems of all its words. */
  readonly stems: ReadonlySet<string>;
  /** Stems that it mentions without demanding them. */
  readonly mentioned: ReadonlySet<string>;
  /** Its words in lower case, in order. */
  readonly words: readonly string[];
  /**
   * The word that asks for a value ("when"). null if the question asks for none, but whether something is so or about
   * something.
   */
  readonly asksFor: string | null;
  /** True for a yes/no question, which may name the value itself. */
  readonly asksWhether: boolean;
  /** In which direction a text relates those whom the question names (see `relationReader`); null if it asks for none. */
  readonly relation: ReturnType<typeof relationReader>;
  /** True if most of it is written without spaces. Its words cannot be looked up then; its identifiers can. */
  readonly isUnspaced: boolean;
}

/** The place in a text that meets all demands of a question. */
export interface Answer {
  /** The sentences (see `Reading`) that meet them: one, or two if the second refers to the first. */
  readonly sentences: readonly string[];
  /** Informative words in those sentences that the question lacks, in order. */
  readonly told: readonly string[];
  /** The sentence that follows; null at the end. */
  readonly next: string | null;
}

const ASKING = wordSet(english.ASKING);
const ASKING_ELSEWHERE = wordSet(...Object.values(others.ASKING));
const INTERROGATIVES = wordSet(english.INTERROGATIVES, ...Object.values(others.INTERROGATIVES));
/** Vietnamese separates its syllables. Hardly any sentence lacks one of these characters. */
const VIETNAMESE = /[ơư\u1ea0-\u1ef9]/iu;
const SYLLABLES = /\p{Script=Hangul}/u;
const LETTERS =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u;
const WHETHER =
  /^\P{L}*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|isn't|aren't|doesn't|don't|didn't|won't|can't)\s/iu;
const VERBS = wordSet(english.VERBS_OF_QUESTIONS);
/** A compound with a meaning other than that of its first or last word: "ex-husband", "staging-2". */
const OTHER_THAN_ITS_PARTS =
  /^(?:(?:non|ex|co|pre|post|anti|semi|half|vice|sub|un|former)-|\p{L}+[-_]\p{N}+$)/iu;
const BEFORE_KIND = wordSet(english.BEFORE_KIND);
/** Identifiers and numbers in text without spaces. */
const INSIDE_UNSPACED = /[A-Za-z0-9][A-Za-z0-9._@#:/+-]*/g;
const QUOTED = /["`]([^"`]{1,200})["`]/g;
const QUESTION_LENGTH_MAX = 2000;
const DEMANDS_MAX = 40;
/** A sentence with one of these continues about what the previous one named: "The gate is new. It is painted red." */
const REFERRING =
  /(?:^| )(?:it|its|he|his|him|she|her|hers|they|their|them|this|that|these|those|there)(?: |$)/;

/**
 * Extracts what a memory must have to answer the question: identifiers, numbers and symbols, names, and other words.
 */
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
    relation: relationReader(text),
    isUnspaced: how.isUnspaced,
  };
}

/** Words of other languages can look English: "do" is Portuguese too. */
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
  // The parts of "red-black" mean something else in another order.
  const isName = word.includes("-") || (isCapital && !isFirst);
  return [isName ? { kind: "name", form: withoutPossessive(small) } : { kind: "word", form: stemOf(word) }];
}

/**
 * Maximum length, in characters, of a word that is probably grammatical only, for languages without a list of such
 * words: a Korean syllable, two consonants or an Indic letter with its vowel, four letters of an alphabet.
 */
function shortMax(word: string): number {
  if (SYLLABLES.test(word)) return 1;
  return LETTERS.test(word) ? 4 : 2;
}

/** A subject is all or part of the name after an asking verb: "does Ann Lee". */
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

/** The thing that the word at this place owns: "roof" in "the roof of the mill". */
function ownedBefore(words: readonly string[], at: number): string | undefined {
  const of = words[at - 1] === "the" ? at - 2 : at - 1;
  return words[of] === "of" ? words[of - 1] : undefined;
}

function isPossessive(word: string): boolean {
  return withoutPossessive(word) !== word;
}

/**
 * Finds where a text meets every demand of a question, in one statement or in two of which the second refers to the
 * first ("It is …"). Returns null if there is no such place, the question demands nothing, or it was truncated.
 * Identifiers and numbers must appear exactly as asked for, not inside a longer one. Names must keep their form; other
 * words match in any form.
 */
export function answerIn(text: string, question: Question): Answer | null {
  for (const answer of answersIn(text, question)) return answer;
  return null;
}

/** Yields all such places (see `answerIn`): first single sentences, then pairs. */
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
      const told = window.flatMap((sentence) => termsIn(sentence, question));
      yield { sentences: window, told, next: sentences[from + size] ?? null };
    }
  }
}

/**
 * The share of the question's demands that a sentence meets. 0 if it lacks a name and so concerns someone else, unless
 * the name may itself be the value asked about.
 */
export function shareMet(sentence: string, question: Question): number {
  const { demands, asksWhether } = question;
  const isNamed = ({ kind, form }: Demand) => kind !== "name" || sentence.toLowerCase().includes(form);
  if (!asksWhether && !demands.every(isNamed)) return 0;
  const met = new Set(demandsIn(sentence, question));
  const hasNames = asksWhether || demands.every(({ kind }, at) => kind !== "name" || met.has(at));
  return hasNames ? met.size / demands.length : 0;
}

/** Whether the question contains one of these words. */
export function namesAny({ stems }: Question, words: readonly string[]): boolean {
  return hasAny(stems, words);
}

/** Whether the question contains more than half of these words. */
export function namesMost(question: Question, words: readonly string[]): boolean {
  return 2 * words.filter((word) => namesAny(question, [word])).length > words.length;
}

/** Whether the question mentions one of these words without demanding it. An answer may lack such a word. */
export function mentionsAny({ mentioned }: Question, words: readonly string[]): boolean {
  return hasAny(mentioned, words);
}

function hasAny(stems: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.some((word) => isDistinctive(word) && partsOf(word).some((part) => stems.has(stemOf(part))));
}

/** Whether a text has every identifier, number, symbol and quotation asked for. */
export function hasExact(text: string, { demands }: Question): boolean {
  const exact = demands.filter(({ kind }) => kind === "exact" || kind === "quoted");
  if (exact.length === 0) return true;
  const plain = plainText(text);
  const small = plain.toLowerCase();
  return exact.every(({ kind, form }) => standsIn(kind === "exact" ? plain : small, form));
}

/**
 * A quick filter: false for most texts that do not answer. Searches for letters only, in a fiftieth of the time that
 * reading them takes.
 */
export function mayAnswer(text: string, question: Question): boolean {
  const { demands, isWhole } = question;
  return isWhole && demands.length > 0 && shareMetAtMost(text, question) === 1;
}

/** A bound of `shareMet` for the sentences of a text, by its letters alone. */
export function shareMetAtMost(text: string, { demands, asksWhether }: Question): number {
  const plain = plainText(text);
  const small = plain.toLowerCase();
  let met = 0;
  for (const demand of demands) {
    if (hasLettersOf(demand, plain, small)) met++;
    else if (demand.kind === "name" && !asksWhether) return 0;
  }
  return met / demands.length;
}

/** Whether a plain text has the letters of a demand. `small`: the text in lower case. */
function hasLettersOf({ kind, form }: Demand, plain: string, small: string): boolean {
  if (kind === "exact" || kind === "unspaced") return plain.includes(form);
  // The last letter of a stem may vary: that of "eye" is "ei".
  return small.includes(kind === "word" ? form.slice(0, Math.max(1, form.length - 1)) : form);
}

/** Indices of the demands that a sentence meets. A question meets none. */
function demandsIn(sentence: string, { demands, stems: asked }: Question): number[] {
  if (sentence.endsWith("?")) return [];
  // Most sentences of a memory have none. Looking for letters takes a fraction of reading the words.
  const small = sentence.toLowerCase();
  if (!demands.some((demand) => hasLettersOf(demand, sentence, small))) return [];
  const names = { any: new Set<string>(), subject: new Set<string>(), owner: new Set<string>() };
  const stems = new Set<string>();
  const words = sentence.split(" ").map(withoutMarks);
  const isAsked = (word: string | undefined) =>
    word !== undefined && isDistinctive(word) && asked.has(stemOf(word));
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
    if (kind === "quoted") return standsIn(small, form);
    return kind === "name" ? names[role ?? "any"].has(form) : stems.has(form);
  };
  return demands.flatMap((demand, at) => (isMet(demand) ? [at] : []));
}

function termsIn(sentence: string, { stems }: Question): string[] {
  return comparedSentence(sentence).words.filter(
    (word) => isDistinctive(word) && !partsOf(word).every((part) => stems.has(stemOf(part))),
  );
}

/** True if the word has a digit, or a symbol or capital that plain words lack. Every character of it counts. */
function isExact(word: string): boolean {
  if (/^\p{P}+$/u.test(word)) return false;
  return /\p{N}|[^\p{L}\p{M}'-]|^-|\p{Ll}\p{Lu}/u.test(word);
}

function stemsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(partsOf).map(stemOf));
}

const JOINT = /[-_/.:@#&=]/;

/** Returns the word and its parts. */
function partsOf(word: string): string[] {
  // Most words have one part, and testing for that is faster than splitting.
  if (!JOINT.test(word)) return [word];
  const parts = word.split(/[-_/.:@#&=]+/).filter((part) => part !== "");
  return parts.length > 1 ? [word, ...parts] : [word];
}

function withoutPossessive(word: string): string {
  return word.includes("'") ? word.replace(/'s?$/, "") : word;
}

/**
 * Strips English inflections: "starts", "started" and "starting" have the same stem, and so have "city" and "cities".
 */
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

/** Whether a text contains this as written, and not inside a longer number, name or word. */
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
