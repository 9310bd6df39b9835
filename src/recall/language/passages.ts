import { cutPlace } from "./cut-place.ts";
import { isWithinWord } from "./exact-words.ts";
import { endsSentenceBefore, UNSPACED_END } from "./sentences.ts";

/** A stretch of a text, in UTF-16 code units, the end not included. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

/**
 * A text of up to so many characters (code points) is one passage, and longer ones have passages of about as many at most. It
 * is some 350 word pieces, fewer than the 512 that usual embedding models read at once. Of 1,200, 1,600 and 2,000 the least at
 * which RealMem's development part (Apache-2.0) loses nothing: .3 points of recall@10 less, .1 and .3 more.
 */
export const PASSAGE_CHARACTERS = 1600;

/** A text has no more passages than this, which the longest that a memory may have does not come near. */
export const PASSAGES_MAX = 64;

/** So far to either side of where equal passages would end a better place to end is looked for, in UTF-16 units. */
const REACH = 200;

/** How many passages a text has. The record counts the same by its own means: it depends on the number of characters alone. */
export function passageCount(text: string): number {
  if (text.length <= PASSAGE_CHARACTERS) return 1;
  return Math.max(1, Math.min(PASSAGES_MAX, Math.ceil(characterCount(text) / PASSAGE_CHARACTERS)));
}

/**
 * Divides a text into passages of about equal length: together they are the whole text, in order. Each ends with a paragraph
 * where one ends near, else with a line or a sentence, else with a word, else where it does not divide an identifier, and where
 * there is no such place between two characters. The same text always has the same passages.
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

/** A passage of a text by its number, from 0; null for no number, and for a text that is one passage or has no such one. */
export function passageAt(text: string, number: number | null): Passage | null {
  const count = passageCount(text);
  if (number === null || count === 1 || number >= count) return null;
  return { start: number === 0 ? 0 : endOf(number - 1, count, text), end: endOf(number, count, text) };
}

/** Where a passage of so many ends, which is decided for each by itself. */
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
    // Stored texts have no halves of pairs, so that each second half is one character less.
    if (unit >= 0xdc00 && unit <= 0xdfff) count--;
  }
  return count;
}

/** How good a place is to end a passage at, by what is before it. */
const PARAGRAPH = 4;
const LINE_OR_SENTENCE = 3;
const WORD = 2;
const OUTSIDE_WORDS = 1;

/** The best place to end a passage near `ideal`; of equals the nearest, the earlier one first. */
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

/** What ends at a place; 0 where nothing does. White space belongs to what is before it. */
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

/** More white space than this between two words is read as this much. */
const SPACES_READ_MAX = 16;

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}
