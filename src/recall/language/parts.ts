import { cutPlace, placeAfter } from "./cut-place.ts";
import { isWithinWord } from "./exact-words.ts";
import { read } from "./reading.ts";
import { isSpace, type Span } from "./sentences.ts";

/** Sentences longer than this are divided into clauses, in UTF-16 units. */
const SENTENCE_LENGTH_MAX = 300;
/** What is still longer than this is divided anywhere, and so are words: text without divisions is shown by its best part too. */
const CLAUSE_LENGTH_MAX = 512;
const WORD_LENGTH_MAX = 64;
const CLAUSE_END = /[;:,]["'”’)\]»]*|[，；：、،؛၊፣]+/gu;

/**
 * Divides a text into parts of which it can be shown: sentences, divided at line breaks; of very long ones clauses, and of
 * endless ones stretches between words or characters. They cover it without gaps, white space belonging to what it follows.
 */
export function partsOfText(text: string): Span[] {
  return read(text).lines.flatMap((sentence) =>
    sentence.end - sentence.start <= SENTENCE_LENGTH_MAX
      ? [sentence]
      : clausesOf(text, sentence).flatMap((clause) => splitAnywhere(text, clause, CLAUSE_LENGTH_MAX)),
  );
}

/** Divides what is too long after the last space of each part, or else outside of words, or else between characters. */
function splitAnywhere(text: string, { start, end }: Span, lengthMax: number): Span[] {
  const spans: Span[] = [];
  let from = start;
  while (end - from > lengthMax) {
    const last = from + lengthMax;
    const space = text.slice(from, last).lastIndexOf(" ") + 1;
    const to = space > lengthMax / 2 ? from + space : placeOutsideWords(text, from, last);
    spans.push({ start: from, end: to });
    from = to;
  }
  spans.push({ start: from, end });
  return spans;
}

/** The last place in the second half of a stretch that divides no identifier; where there is none its end. */
function placeOutsideWords(text: string, from: number, at: number): number {
  for (let place = at; place > (from + at) / 2; place--)
    if (!isWithinWord(text, place) && cutPlace(text, place) === place) return place;
  return placeAfter(text, from, at);
}

/** Divides a stretch of a text into words, each with the white space after it; endless ones between characters. */
export function splitWords(text: string, within: Span): Span[] {
  const spans: Span[] = [];
  for (const match of text.slice(within.start, within.end).matchAll(/\S+\s*|\s+/gu)) {
    const start = within.start + match.index;
    spans.push(...splitAnywhere(text, { start, end: start + match[0].length }, WORD_LENGTH_MAX));
  }
  return spans;
}

/** Clauses of some length at least. */
function clausesOf(text: string, within: Span): Span[] {
  const spans: Span[] = [];
  const part = text.slice(within.start, within.end);
  let start = 0;
  for (const { 0: marks, index } of part.matchAll(CLAUSE_END)) {
    let end = index + marks.length;
    const isDivider = !/^[;:,]/.test(marks) || end >= part.length || isSpace(part.charCodeAt(end));
    if (!isDivider || end - start < SENTENCE_LENGTH_MAX / 4) continue;
    while (end < part.length && isSpace(part.charCodeAt(end))) end++;
    spans.push({ start: within.start + start, end: within.start + end });
    start = end;
  }
  if (start < part.length) spans.push({ start: within.start + start, end: within.end });
  return spans;
}
