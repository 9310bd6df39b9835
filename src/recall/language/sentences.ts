import { wordSet } from "./word-lists.ts";
import {
  ABBREVIATIONS,
  ABBREVIATIONS_AT_ENDS,
  ABBREVIATIONS_BEFORE_NUMBERS,
  BEGINNINGS,
} from "./words/english.ts";
import { ABBREVIATIONS as FOREIGN_ABBREVIATIONS } from "./words/other-languages.ts";

/** A range of a text, in UTF-16 units, with an exclusive end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Marks that end a sentence if a blank or the end of the text follows. */
const SPACED = ".!?…．";
/** Sentence-ending marks of scripts that write no blank after them. */
const UNSPACED = "。！？｡؟⸮۔।॥።፧։။។៕";
const CLOSING = String.raw`"'”’»›)\]}」』）\u200b-\u200f\u2060\ufeff`;
/** Matched without a lookahead: a pattern that can fail after a long run would be quadratic on "....". */
const MARKS = `[${SPACED}${UNSPACED}]+[${CLOSING}]*`;
/** The break before a line that begins with the number of a list item. */
const ITEM = String.raw`[\n\r\u2028\u2029]\s{0,16}(?=\p{N}{1,3}[.)]\s)`;
const END = new RegExp(`${MARKS}|${ITEM}`, "gu");
export const UNSPACED_END: RegExp = new RegExp(`[${UNSPACED}]`, "u");
const LINE_BREAK = /[\n\r\u2028\u2029]/;
const LINE_BREAKS = /[\n\r\u2028\u2029]+/g;

/**
 * The sentences of a text. Together they cover all of it; white space belongs to the sentence before it. This is the
 * only place that decides where a sentence ends.
 *
 * A sentence ends at a full stop, an exclamation or question mark or an ellipsis before white space, and at the marks
 * of scripts that write no space after them. It continues after an abbreviation, an initial, the number of a list item,
 * and if a lower-case letter follows a closing quotation mark or bracket. It does not end at a line break, since lines
 * are broken anywhere (see `lineSpans`), unless the next line is a numbered item. Linear in the length of the text.
 *
 * Not `Intl.Segmenter`: it ends a sentence after "Dr.", depends on the runtime's ICU, so that two servers would read
 * the same text differently, and is some fifty times slower.
 */
export function sentenceSpans(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { 0: marks, index } of text.matchAll(END)) {
    if (!isSentenceEnd(text, { from: start, at: index, end: index + marks.length })) continue;
    const end = afterSpace(text, index + marks.length);
    spans.push({ start, end });
    start = end;
  }
  if (start < text.length) spans.push({ start, end: text.length });
  return spans;
}

/** Sentences, also split at line breaks: code, lists and headings go by lines. */
export function lineSpans(text: string): Span[] {
  return sentenceSpans(text).flatMap((sentence) => {
    const part = text.slice(sentence.start, sentence.end);
    const spans: Span[] = [];
    let start = 0;
    for (const { 0: breaks, index } of part.matchAll(LINE_BREAKS)) {
      const end = afterSpace(part, index + breaks.length);
      if (end <= start) continue;
      spans.push({ start: sentence.start + start, end: sentence.start + end });
      start = end;
    }
    if (start < part.length) spans.push({ start: sentence.start + start, end: sentence.end });
    return spans;
  });
}

/** Whether a sentence ends just before this place. Its marks and the white space after them come before the place. */
export function endsSentenceBefore(text: string, place: number): boolean {
  let end = place;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  const from = Math.max(0, end - WORD_LENGTH_MAX);
  for (const { 0: marks, index } of text.slice(from, end).matchAll(END))
    if (from + index + marks.length === end) return isSentenceEnd(text, { from, at: from + index, end });
  return false;
}

/** More than the longest abbreviation. */
const WORD_LENGTH_MAX = 24;
const ABBREVIATED = wordSet(ABBREVIATIONS, ...Object.values(FOREIGN_ABBREVIATIONS));
const BEFORE_NUMBERS = wordSet(ABBREVIATIONS_BEFORE_NUMBERS);
const AT_ENDS = wordSet(ABBREVIATIONS_AT_ENDS);
const BEGINNING = wordSet(BEGINNINGS);
/** "e.g", "U.S", "Ph.D", "z.B". */
const DOTTED = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u;

/** Marks in a text, and the start of the sentence that they may end. */
interface Marks {
  readonly from: number;
  readonly at: number;
  readonly end: number;
}

function isSentenceEnd(text: string, { from, at, end }: Marks): boolean {
  const marks = text.slice(at, end);
  if (end >= text.length || UNSPACED_END.test(marks) || isSpace(marks.charCodeAt(0))) return true;
  if (!isSpace(text.charCodeAt(end))) return false;
  const next = text.slice(end, end + WORD_LENGTH_MAX).trimStart();
  const isClosed = !SPACED.includes(marks.at(-1) as string);
  if (isClosed && /^[\p{Ll}\p{Pd},;]/u.test(next)) return false;
  if (marks !== ".") return true;
  const before = text.slice(Math.max(from, at - WORD_LENGTH_MAX), at);
  const word = lastWord(before);
  const toWord = before.slice(0, before.length - word.length);
  const indent = toWord.slice(toWord.trimEnd().length);
  const isFirst = indent.length === toWord.length || LINE_BREAK.test(indent);
  return !isAbbreviated(word.replace(/^[^\p{L}\p{N}]+/u, ""), isFirst && word.length < WORD_LENGTH_MAX, next);
}

/** What follows the last white space. A pattern for it, `\S*$`, would try again from each character. */
function lastWord(text: string): string {
  let from = text.length;
  while (from > 0 && /\S/.test(text.charAt(from - 1))) from -= 1;
  return text.slice(from);
}

/** An abbreviation, an initial, or the number of a list item. */
function isAbbreviated(word: string, isFirst: boolean, next: string): boolean {
  const small = word.toLowerCase();
  if (ABBREVIATED.has(small) || (isFirst && /^(?:\p{N}{1,3}|\p{L})$/u.test(word))) return true;
  if (BEFORE_NUMBERS.has(small)) return /^\p{N}/u.test(next);
  if (!/^\p{Lu}$/u.test(word) && !DOTTED.test(word) && !AT_ENDS.has(small)) return false;
  const [first = ""] = /^\p{L}+/u.exec(next) ?? [];
  return !/^\p{Lu}/u.test(first) || !BEGINNING.has(first.toLowerCase());
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit < 0x80 ? unit >= 0x09 && unit <= 0x0d : /\s/.test(String.fromCharCode(unit)));
}
