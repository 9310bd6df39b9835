import { compatibleText, plainText } from "./characters.ts";
import { type Span, sentenceSpans } from "./sentences.ts";
import { wordSet } from "./word-lists.ts";
import { MONTHS, MONTHS_THAT_ARE_WORDS, WEEKDAYS } from "./words/english.ts";

const LETTERS_TOGETHER = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu;

/** All runs of letters and digits, each as one word, whatever their script; compatibility-normalised, in lower case. */
export function lettersTogether(text: string): string[] {
  return compatibleText(text).match(LETTERS_TOGETHER) ?? [];
}

/** Splits a plain text at blanks. */
export function writtenWords(plain: string): string[] {
  return plain.match(/\S+/g) ?? [];
}

/** Whether a plainly written word inside a sentence keeps its capital. */
type Capitals = "folded" | "kept";

/**
 * The sentences of a text in a canonical spelling: their words in order, a word being everything between two blanks.
 * Two spellings of one sentence give the same string. Sentences that may differ in meaning give different strings.
 *
 * Ignored: white space, differences that `plainText` removes, the final full stop or exclamation mark, and the capital
 * of a plainly written word ("Swift", "swift") unless capitals are kept. The capital of a sentence's first word and of
 * weekdays and months is always ignored. Everything else counts: other capitals ("US", "getUser"), including those of
 * units ("5 Mb"); signs, operators, symbols and emoji.
 */
export function comparedSentences(
  text: string,
  capitals: Capitals = "folded",
  spans: readonly Span[] = sentenceSpans(text),
): string[] {
  const sentences: string[] = [];
  for (const { start, end } of spans) {
    const sentence = comparedSentence(plainText(text.slice(start, end)).trim(), capitals);
    if (sentence !== "") sentences.push(sentence);
  }
  // Only full stops: the text is compared as it is.
  return sentences.length > 0 ? sentences : [text.trim()];
}

/** A plain text has no white space but single blanks. */
function comparedSentence(plain: string, capitals: Capitals): string {
  const words = spelledWords(plain, capitals);
  const lastBlank = words.lastIndexOf(" ");
  const last = withoutEnd(words.slice(lastBlank + 1));
  return last === "" ? words.slice(0, Math.max(0, lastBlank)) : words.slice(0, lastBlank + 1) + last;
}

/** Characters that may have another form in lower case. */
const MAY_VARY = /[A-Z\x80-\uffff]/;

function spelledWords(plain: string, capitals: Capitals): string {
  const blank = plain.indexOf(" ");
  if (blank === -1) return spelling(plain, true, "", capitals);
  let before = spelling(plain.slice(0, blank), true, "", capitals);
  const rest = plain.slice(blank + 1);
  // Most sentences have no capital but the first.
  if (!MAY_VARY.test(rest)) return `${before} ${rest}`;
  const words = [before];
  for (const word of rest.split(" ")) {
    before = spelling(word, false, before, capitals);
    words.push(before);
  }
  return words.join(" ");
}

const ALSO_WORDS = wordSet(MONTHS_THAT_ARE_WORDS);
const CALENDAR = wordSet(WEEKDAYS, MONTHS);

/** A capital, then lower-case letters, with the marks that may surround or join the parts of a word. */
const PLAINLY_WRITTEN =
  /^[^\p{L}\p{N}]*\p{Lu}[\p{Ll}\p{M}]+(?:['-]\p{Ll}[\p{Ll}\p{M}]*)*[^\p{L}\p{N}\p{M}]*$/u;
/** "A" or "I" at the beginning of a sentence. */
const ONE_CAPITAL = /^["'([]*\p{Lu}["')\],;:]*$/u;
const PLAIN_LENGTH_MAX = 64;

function spelling(written: string, isFirst: boolean, before: string, capitals: Capitals): string {
  if (written.length > PLAIN_LENGTH_MAX || !MAY_VARY.test(written)) return written;
  const small = written.toLowerCase();
  if (small === written) return written;
  // A word after a number may be a unit, and "Mb" and "mb" are two different ones.
  const isPlain =
    PLAINLY_WRITTEN.test(written) &&
    !/\p{N}$/u.test(before) &&
    (isFirst || capitals === "folded" || isOfCalendar(written));
  return isPlain || (isFirst && ONE_CAPITAL.test(written)) ? small : written;
}

/** Whether a word always has a capital in English, so that the capital carries no information: "Fridays". */
function isOfCalendar(written: string): boolean {
  const [word = ""] = written.toLowerCase().match(/\p{L}+/u) ?? [];
  return !ALSO_WORDS.has(word) && (CALENDAR.has(word) || CALENDAR.has(word.replace(/s$/, "")));
}

const CLOSING = new Set([..."\"')]}"]);
const ENDS = new Set([...".!?…。｡।॥۔።፧։။។៕"]);

/** Strips the end marks from the last word of a sentence. A question keeps its mark, because it states nothing. */
function withoutEnd(word: string): string {
  let close = word.length;
  while (close > 0 && CLOSING.has(word[close - 1] as string)) close--;
  let end = close;
  while (end > 0 && ENDS.has(word[end - 1] as string)) end--;
  if (end === close) return word;
  const marks = word.slice(end, close);
  const core = word.slice(0, end);
  // "5!" and "n!" are not 5 and n.
  if (marks.startsWith("!") && /^(?:\p{N}{1,2}|\p{L})$/u.test(core)) return word;
  return core + (/[?፧]/u.test(marks) ? "?" : "") + word.slice(close);
}

const MARKS = "\"'()[]{},;:";

/** Whether a unit is a lower-case ASCII letter or a digit. Most words begin and end with one. */
function isPlainUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Strips the marks around a word. None of these is an operator or part of a name. */
export function withoutMarks(word: string): string {
  if (isPlainUnit(word.charCodeAt(0)) && isPlainUnit(word.charCodeAt(word.length - 1))) return word;
  let start = 0;
  let end = word.length;
  while (start < end && MARKS.includes(word[start] as string)) start++;
  while (end > start && MARKS.includes(word[end - 1] as string)) end--;
  return word.slice(start, end);
}

/** Strips the marks around a word, including those that end a sentence. */
export function withoutAllMarks(word: string): string {
  return withoutMarks(withoutMarks(word).replace(/[.!?…]{1,9}$/, ""));
}
