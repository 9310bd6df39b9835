import { compatibleText, plainText } from "./characters.ts";
import { type Span, sentenceSpans } from "./sentences.ts";
import { wordSet } from "./word-lists.ts";
import { MONTHS, MONTHS_THAT_ARE_WORDS, WEEKDAYS } from "./words/english.ts";

const LETTERS_TOGETHER = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu;

/** All letters and digits that stand together as one word, whatever their script; compatibility-normalised, in lower case. */
export function lettersTogether(text: string): string[] {
  return compatibleText(text).match(LETTERS_TOGETHER) ?? [];
}

/** What stands between blanks in a plain text. */
export function writtenWords(plain: string): string[] {
  return plain.match(/\S+/g) ?? [];
}

/** Whether a plainly written word inside of a sentence keeps its capital. */
type Capitals = "folded" | "kept";

/**
 * Sentences, each in one spelling of what it says: its words in their order, everything that stands between two blanks being
 * one. Two spellings of one sentence are the same string; what may mean something else is not.
 *
 * Makes no difference: white space, what `plainText` makes one, the full stop or exclamation mark at the end, and the capital of
 * a plainly written word ("Swift", "swift") unless it is kept; of a sentence's first word and of weekdays and months it never
 * is. Everything else does: other capitals ("US", "getUser"), and those of units ("5 Mb"); signs, operators, symbols and emoji.
 */
export function comparedSentences(
  text: string,
  capitals: Capitals = "folded",
  spans: readonly Span[] = sentenceSpans(text),
): string[] {
  const sentences: string[] = [];
  for (const { start, end } of spans) {
    const written = writtenWords(plainText(text.slice(start, end)));
    const words: string[] = [];
    let before = "";
    for (const [at, one] of written.entries()) {
      const spelt = spelling(one, words.length === 0, before, capitals);
      before = at === written.length - 1 ? withoutEnd(spelt) : spelt;
      if (before !== "") words.push(before);
    }
    if (words.length > 0) sentences.push(words.join(" "));
  }
  // Nothing but full stops: it says what it is.
  return sentences.length > 0 ? sentences : [text.trim()];
}

const ALSO_WORDS = wordSet(MONTHS_THAT_ARE_WORDS);
const CALENDAR = wordSet(WEEKDAYS, MONTHS);

/** A capital, then small letters, with what may stand around and inside a word. */
const PLAINLY_WRITTEN =
  /^[^\p{L}\p{N}]*\p{Lu}[\p{Ll}\p{M}]+(?:['-]\p{Ll}[\p{Ll}\p{M}]*)*[^\p{L}\p{N}\p{M}]*$/u;
/** "A" or "I" at the beginning of a sentence. */
const ONE_CAPITAL = /^["'([]*\p{Lu}["')\],;:]*$/u;
const PLAIN_LENGTH_MAX = 64;

function spelling(written: string, isFirst: boolean, before: string, capitals: Capitals): string {
  if (written.length > PLAIN_LENGTH_MAX) return written;
  // Most words have no capital, and nothing to look for.
  const small = written.toLowerCase();
  if (small === written) return written;
  // What follows a number may be a unit, of which "Mb" and "mb" are two.
  const isPlain =
    PLAINLY_WRITTEN.test(written) &&
    !/\p{N}$/u.test(before) &&
    (isFirst || capitals === "folded" || isOfCalendar(written));
  return isPlain || (isFirst && ONE_CAPITAL.test(written)) ? small : written;
}

/** It has a capital in English wherever it stands, and so tells nothing by it: "Fridays". */
function isOfCalendar(written: string): boolean {
  const [word = ""] = written.toLowerCase().match(/\p{L}+/u) ?? [];
  return !ALSO_WORDS.has(word) && (CALENDAR.has(word) || CALENDAR.has(word.replace(/s$/, "")));
}

const CLOSING = new Set([..."\"')]}"]);
const ENDS = new Set([...".!?…。｡।॥۔።፧։။។៕"]);

/** The last word of a sentence without the marks that end it. A question keeps its mark: it states nothing. */
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

const MARKS: ReadonlySet<string> = /* @__PURE__ */ new Set([..."\"'()[]{},;:"]);

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

/** A word without the marks around it, those included that end a sentence. */
export function withoutAllMarks(word: string): string {
  return withoutMarks(withoutMarks(word).replace(/[.!?…]{1,9}$/, ""));
}
