import { cutPlace } from "./cut-place.ts";
import { isWithinWord } from "./exact-words.ts";
import { endsSentenceBefore, UNSPACED_END } from "./sentences.ts";

/** A range of a text, in UTF-16 code units, with an exclusive end. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

/**
 * Maximum length of a text with one passage, in characters (code points), and approximate maximum length of each
 * passage of a longer text. About 350 word pieces, fewer than the 512 that common embedding models read at once. Out of
 * 1,200, 1,600 and 2,000 this is the smallest at which RealMem's development part (Apache-2.0) loses nothing: recall@10
 * changes by −.3, +.1 and +.3 points.
 */
export const PASSAGE_CHARACTERS = 1600;

/** Maximum number of passages per text. The longest allowed memory does not come near it. */
export const PASSAGES_MAX = 64;

/** How far from the end of an equal division a better break is searched for, in either direction, in UTF-16 units. */
const REACH = 200;

/**
 * Number of passages of a text. Depends only on the number of characters, so the record can compute the same in its own
 * way.
 */
export function passageCount(text: string): number {
  if (text.length <= PASSAGE_CHARACTERS) return 1;
  return Math.max(1, Math.min(PASSAGES_MAX, Math.ceil(characterCount(text) / PASSAGE_CHARACTERS)));
}

/**
 * Divides a text into passages of about equal length that cover it in order. Each ends at a paragraph if one ends
 * nearby, else at a line or sentence, else at a word, else outside identifiers, and else between two characters.
 * Deterministic.
 */
export function passagesOf(text: string): Passage[] {
  const count = passageCount(text);
  const passages: Passage[] = [];
  for (let number = 0, start = 0; number < count; number++) {
    const end = endOf(number, count, text);
    passages.push({ start, end });
    start = end;
  }
  return passages;
}

/**
 * A passage of a text by its index, from 0. null if the index is null or out of range, or if the text has only one
 * passage.
 */
export function passageAt(text: string, number: number | null): Passage | null {
  const count = passageCount(text);
  if (number === null || count === 1 || number >= count) return null;
  return { start: number === 0 ? 0 : endOf(number - 1, count, text), end: endOf(number, count, text) };
}

/** The end of a passage out of `count`, computed independently of the others. */
function endOf(number: number, count: number, text: string): number {
  const next = number + 1;
  return next === count ? text.length : endNear(text, Math.round((next * text.length) / count));
}

/** The text of each passage. */
export function passageTexts(text: string): string[] {
  return passagesOf(text).map(({ start, end }) => text.slice(start, end));
}

function characterCount(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Stored texts have no unpaired surrogates, so each low surrogate means one character less.
    if (unit >= 0xdc00 && unit <= 0xdfff) count--;
  }
  return count;
}

/** Quality of a place to end a passage, by what precedes it. */
const PARAGRAPH = 4;
const LINE_OR_SENTENCE = 3;
const WORD = 2;
const OUTSIDE_WORDS = 1;

/** The best place near `ideal` to end a passage. Ties go to the nearest, then to the earlier. */
function endNear(text: string, ideal: number): number {
  let best = cutPlace(text, ideal);
  let bestKind = 0;
  for (let distance = 0; distance <= REACH && bestKind < PARAGRAPH; distance++) {
    for (const place of distance === 0 ? [ideal] : [ideal - distance, ideal + distance]) {
      const kind = endKind(text, place);
      if (kind <= bestKind || cutPlace(text, place) !== place) continue;
      best = place;
      bestKind = kind;
    }
  }
  return best;
}

/** The kind of unit that ends at a place; 0 if none does. White space belongs to the text before it. */
function endKind(text: string, place: number): number {
  const before = text[place - 1] as string;
  if (isSpace(text[place])) return 0;
  if (UNSPACED_END.test(before)) return LINE_OR_SENTENCE;
  if (!isSpace(before)) return isWithinWord(text, place) ? 0 : OUTSIDE_WORDS;
  let lines = 0;
  let at = place - 1;
  for (; at >= 0 && place - at <= SPACES_READ_MAX && isSpace(text[at]); at--) {
    if (text[at] === "\n") lines++;
  }
  if (lines > 1) return PARAGRAPH;
  if (lines === 1 || endsSentenceBefore(text, place)) return LINE_OR_SENTENCE;
  return WORD;
}

/** More white space than this between two words is treated as this much. */
const SPACES_READ_MAX = 16;

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}
