/** A stretch of a text, in UTF-16 units, the end not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Sentences longer than this are divided into clauses, in UTF-16 units. */
const SENTENCE_LENGTH_MAX = 300;
const ABBREVIATIONS = new Set(
  "mr mrs ms dr prof st vs etc e.g i.e eg ie cf approx no fig inc ltd co jr sr dept est z.b bzw usw ca".split(
    " ",
  ),
);
/** Matched without a look ahead: a pattern that can fail after a long run would be quadratic on "....". */
const SENTENCE_END = /[.!?…]+["'”’)\]»]*|[。！？｡]+["'”’」』）]*|[\n\r\u2028\u2029]+/gu;
const CLAUSE_END = /[;:,]["'”’)\]»]*|[，；：、]+/gu;

/**
 * Divides a text into sentences; the spans cover it without gaps, white space belonging to what it follows.
 * A line end always divides, so code and lists go by lines. A full stop divides where white space follows and
 * the next sentence does not begin in lower case, but not after an abbreviation, an initial or the number of a
 * list item; CJK full stops need no space. Very long sentences are divided into clauses.
 *
 * Not `Intl.Segmenter`: it divides after "Dr.", differs with the runtime's ICU and is some fifty times slower.
 */
export function splitSentences(text: string): Span[] {
  const sentences = splitAfter(text, { start: 0, end: text.length }, SENTENCE_END, isSentenceEnd);
  return sentences.flatMap((sentence) =>
    sentence.end - sentence.start <= SENTENCE_LENGTH_MAX
      ? [sentence]
      : splitAfter(text, sentence, CLAUSE_END, isClauseEnd),
  );
}

/** Divides a stretch of a text into words, each with the white space after it. */
export function splitWords(text: string, within: Span): Span[] {
  const spans: Span[] = [];
  for (const match of text.slice(within.start, within.end).matchAll(/\S+\s*|\s+/gu)) {
    const start = within.start + match.index;
    spans.push({ start, end: start + match[0].length });
  }
  return spans;
}

/**
 * The last place at or before `at` where a text may be cut: never inside a surrogate pair, nor between a
 * character and what attaches to it (combining marks, joiners, variation selectors, skin tones).
 */
export function cutPlace(text: string, at: number): number {
  let place = Math.min(at, text.length);
  while (place > 0 && place < text.length && !isCharacterStart(text, place)) place--;
  return place;
}

function isCharacterStart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const unitBefore = text.charCodeAt(at - 1);
  if (unit >= 0xdc00 && unit <= 0xdfff && unitBefore >= 0xd800 && unitBefore <= 0xdbff) return false;
  if (unitBefore === 0x200d) return false;
  return !/^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u.test(text.slice(at, at + 2));
}

type EndTest = (text: string, ending: string, at: number, from: number) => boolean;

function splitAfter(text: string, within: Span, endings: RegExp, isEnd: EndTest): Span[] {
  const spans: Span[] = [];
  const part = text.slice(within.start, within.end);
  let start = 0;
  for (const match of part.matchAll(endings)) {
    if (match.index < start || !isEnd(part, match[0], match.index, start)) continue;
    let end = match.index + match[0].length;
    while (end < part.length && isSpace(part.charCodeAt(end))) end++;
    spans.push({ start: within.start + start, end: within.start + end });
    start = end;
  }
  if (start < part.length) spans.push({ start: within.start + start, end: within.end });
  return spans;
}

function isSentenceEnd(text: string, ending: string, at: number, from: number): boolean {
  if (!/^[.!?…]/.test(ending)) return true;
  const after = at + ending.length;
  if (after >= text.length) return true;
  if (!isSpace(text.charCodeAt(after))) return false;
  if (/^\s*\p{Ll}/u.test(text.slice(after, after + 8))) return false;
  return !ending.startsWith(".") || !isAbbreviated(text.slice(Math.max(from, at - 12), at), at - from);
}

/** Of the words before a full stop: an abbreviation, an initial, or the number that begins a list item. */
function isAbbreviated(before: string, length: number): boolean {
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? "";
  if (/^\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())) return true;
  return length <= 3 && /^\p{N}+$/u.test(word);
}

function isClauseEnd(text: string, ending: string, at: number, from: number): boolean {
  const after = at + ending.length;
  const isDivider = !/^[;:,]/.test(ending) || after >= text.length || isSpace(text.charCodeAt(after));
  return isDivider && after - from >= SENTENCE_LENGTH_MAX / 4;
}

function isSpace(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    unit === 0xa0 ||
    unit === 0x3000 ||
    unit === 0x2028 ||
    unit === 0x2029
  );
}
