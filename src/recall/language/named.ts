import { plainText } from "./characters.ts";
import { isMonth } from "./dates.ts";
import { type ExactWord, exactWords, isDistinctive } from "./exact-words.ts";
import { wordSet } from "./word-lists.ts";
import { COMPOUNDING, STOP } from "./words/english.ts";

/** A word or phrase of a query that is meant literally. */
export interface Named {
  /** As plain text (`plainText`). */
  readonly text: string;
  /**
   * True if nothing else matches: an identifier, a long number, a quotation. False for a name, a small number or an
   * ordinary word containing a sign: the wanted memory may well not contain it.
   */
  readonly isStrict: boolean;
}

/** More than any real question names. Of a pasted document, only the first count. */
const NAMED_MAX = 24;
const CHARACTERS_MAX = 8000;
const PHRASE_MAX = 512;
/** In a longer text, quotations and dates are part of the message. */
const QUOTING_CHARACTERS_MAX = 400;
/** A grouped number with at least this many digits is a phone, card or account number. */
const LONG_NUMBER_DIGITS = 7;

/** Pairs of quotation marks. A mark inside a word is an apostrophe or a unit. */
const QUOTED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${['"[^"]+"', "'[^']+'", "`[^`]+`", "「[^「」]+」"].join("|")})(?![\p{L}\p{N}])`,
  "gu",
);

/**
 * Extracts what a query names literally, without duplicates: quotations, identifiers, long numbers, and names of two
 * words. `isOrdinary`: whether a lower-case word of letters is in common use.
 */
export function namedIn(query: string, isOrdinary: (word: string) => boolean = () => true): readonly Named[] {
  const plain = plainText(query.slice(0, CHARACTERS_MAX)).trim();
  const found = new Map<string, boolean>();
  const add = (text: string, isStrict: boolean) => {
    if (text === "" || (found.size >= NAMED_MAX && !found.has(text))) return;
    found.set(text, isStrict || found.get(text) === true);
  };
  for (const [quoted] of plain.matchAll(QUOTED)) {
    if (quoted.length <= PHRASE_MAX) add(quoted.slice(1, -1).trim(), plain.length <= QUOTING_CHARACTERS_MAX);
  }
  const words = [...exactWords(plain)];
  // If the query is a single word, that word is all it asks for.
  if (words.length === 1 && isDistinctive(words[0]?.text ?? "")) add(words[0]?.text ?? "", true);
  for (const { text } of words) {
    const kind = kindOf(text, isOrdinary);
    if (kind !== null) add(text, kind === "identifier");
  }
  for (const group of groups(plain, words, isOfNumber)) {
    const number = spanOf(plain, group);
    if (group.length > 1 && number.replace(/\P{N}/gu, "").length >= LONG_NUMBER_DIGITS) add(number, true);
  }
  for (const group of groups(plain, words, isOfName)) {
    for (let at = 1; at < group.length; at++) {
      const pair = group.slice(at - 1, at + 1);
      if (pair.some(({ text }) => /\p{L}/u.test(text))) add(spanOf(plain, pair), false);
    }
  }
  const isAll = (text: string) => text.length >= plain.length - 2 && text.length > 1;
  return Array.from(found, ([text, isStrict]) => ({ text, isStrict: isStrict || isAll(text) }));
}

/** Classifies a word of a query as an identifier or as a name and the like; null for any other word. */
function kindOf(word: string, isOrdinary: (word: string) => boolean): "identifier" | "name" | null {
  if (!isDistinctive(word)) {
    return /^\p{Lu}\p{L}+$/u.test(word) && !isOrdinary(word.toLowerCase()) ? "name" : null;
  }
  if (DATE_PART.test(word)) return null;
  if (word.length <= 3 || QUANTITY.test(word)) return "name";
  if (/^\p{N}+$/u.test(word)) return "identifier";
  if (CAPITALS.test(word) || isOrdinary(word.toLowerCase())) return "name";
  if (/[_@=\\]|::|\/\/|^[~./]/.test(word)) return "identifier";
  if (!isCompound(word, isOrdinary)) return "identifier";
  return ADJECTIVE.test(word) ? null : "name";
}

/** "dairy-free", "and/or". */
const ADJECTIVE = /^\p{Ll}+(?:[-/]\p{Ll}+)+$/u;

/** "20th", "250ml", "1,500", "$1,299.50", "3.5%". */
const QUANTITY = /^[$€£¥+~-]?\p{N}{1,3}(?:,\p{N}{3})*(?:\.\p{N}{1,2})?(?:%|\p{L}{1,3})?$/u;
/** Years and ordinals: the memory's date can match them as well as its text. */
const DATE_PART = /^(?:(?:19|20)\d\ds?|\d+(?:st|nd|rd|th))$/;
/** "LinkedIn", "McAllister", "TVs". */
const CAPITALS = /^\p{Lu}\p{L}*$/u;

/** Whether a word consists of words or small numbers joined by signs: "well-being", "and/or", "10:30", "Node.js". */
function isCompound(word: string, isOrdinary: (word: string) => boolean): boolean {
  const parts = word.split(/[-/.:,+#%~&?]+/).filter((part) => part !== "");
  const isSaid = /^[^.:,+#%~&?]+$/.test(word);
  const numbers = parts.filter((part) => /^\p{N}{1,3}$/u.test(part));
  const words = parts.filter(
    (part) => /^\p{Lu}?\p{Ll}+$/u.test(part) && (isSaid || isOrdinary(part.toLowerCase())),
  );
  if (numbers.length + words.length < parts.length) return false;
  if (numbers.length > 2) return false;
  // Three or more joined words are an address or a proper name, unless they include a function word, as in speech.
  return (
    words.length < 3 || numbers.length > 0 || words.some((part) => FUNCTION_WORDS.has(part.toLowerCase()))
  );
}

/** Words that join others in ordinary compounds ("state-of-the-art"), or begin a question without naming anything. */
const FUNCTION_WORDS = wordSet(STOP, COMPOUNDING);

function isOfNumber({ text }: ExactWord): boolean {
  return /^\+?\p{N}[\p{N}-]*$/u.test(text);
}

/** Whether a word can be one of the two words of a name ("Room 12"): capitalised and not a month, or a number. */
function isOfName({ text }: ExactWord): boolean {
  if (/^\p{N}+$/u.test(text)) return true;
  return (
    /^\p{Lu}\p{L}*\p{Ll}/u.test(text) &&
    !isMonth(text.toLowerCase()) &&
    !FUNCTION_WORDS.has(text.toLowerCase())
  );
}

/** Runs of words separated only by a blank. */
function* groups(
  plain: string,
  words: readonly ExactWord[],
  belongs: (word: ExactWord) => boolean,
): Generator<readonly ExactWord[]> {
  let group: ExactWord[] = [];
  for (const word of words) {
    const last = group.at(-1);
    const isNext = last !== undefined && plain.slice(last.end, word.start) === " ";
    if (group.length > 0 && !(isNext && belongs(word))) {
      yield group;
      group = [];
    }
    if (belongs(word)) group.push(word);
  }
  if (group.length > 0) yield group;
}

function spanOf(plain: string, group: readonly ExactWord[]): string {
  return plain.slice(group[0]?.start, group.at(-1)?.end);
}
