import { cutPlace, cutPlaceAfter } from "./cut-place.ts";
import { isWithinWord } from "./exact-words.ts";
import { read } from "./reading.ts";
import { isSpace, type Span } from "./sentences.ts";

/** Sentences longer than this are divided into clauses, in UTF-16 units. */
const SENTENCE_LENGTH_MAX = 300;
/**
 * Longer clauses are divided anywhere, and so are longer words, so that the best part of an undivided text can be shown
 * too.
 */
const CLAUSE_LENGTH_MAX = 512;
const WORD_LENGTH_MAX = 64;
const CLAUSE_END = /[;:,]["'”’)\]»]*|[，；：、،؛၊፣]+/gu;

/**
 * Divides a text into parts that can be shown separately: sentences, also divided at line breaks. Very long ones are
 * divided into clauses, and endless ones between words or characters. The parts cover the text without gaps; white
 * space belongs to the part before it.
 */
export function partsOfText(text: string): Span[] {
  return read(text).lines.flatMap((sentence) =>
    sentence.end - sentence.start <= SENTENCE_LENGTH_MAX
      ? [sentence]
      : clausesOf(text, sentence).flatMap((clause) => splitAnywhere(text, clause, CLAUSE_LENGTH_MAX)),
  );
}

/** Divides a long range after the last space of each part, or else outside words, or else between characters. */
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

/** The last place in the second half of a range that does not divide an identifier; its end if there is none. */
function placeOutsideWords(text: string, from: number, at: number): number {
  for (let place = at; place > (from + at) / 2; place--)
    if (!isWithinWord(text, place) && cutPlace(text, place) === place) return place;
  return cutPlaceAfter(text, from, at);
}

/**
 * Divides a range of a text into words, each with the white space after it. Endless words are divided between
 * characters.
 */
export function splitWords(text: string, within: Span): Span[] {
  const spans: Span[] = [];
  for (const match of text.slice(within.start, within.end).matchAll(/\S+\s*|\s+/gu)) {
    const start = within.start + match.index;
    spans.push(...splitAnywhere(text, { start, end: start + match[0].length }, WORD_LENGTH_MAX));
  }
  return spans;
}

/** Divides a range into clauses of a minimum length. */
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
