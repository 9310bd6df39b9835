import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { asciiFor } from "./look-alikes.ts";

/** A reading of a text, with a mapping of positions back to the original. */
export interface Reading {
  readonly text: string;
  inOriginal(finding: Finding): Finding;
}

/**
 * The ways in which a text is read: as it is; as it is seen, without what shows nothing; and as it is understood, with
 * ASCII in the place of what looks like it. A secret that is one in any of them is one. Those that are no different
 * from
 * the one before are left out, so that ASCII is read once, and never copied.
 */
export function readingsOf(original: string): readonly Reading[] {
  const readings: Reading[] = [{ text: original, inOriginal: (finding) => finding }];
  if (!NOT_PLAIN.test(original)) return readings;
  const classes = classesOf(original);
  if (classes.has(INVISIBLE) || classes.has(MARK)) readings.push(rewritten(original, false));
  if (classes.has(LOOKS_LIKE_ASCII)) readings.push(rewritten(original, true));
  return readings.filter(({ text }, index) => text !== readings[index - 1]?.text);
}

const NOT_PLAIN = /[^\t-\r -~]/;

/**
 * Invisible characters: joiners, variation selectors, controls of direction, tags, fillers, soft hyphens and their
 * like,
 * and control characters but those that break a line.
 */
const SHOWS_NOTHING = /^(?![\t-\r\x85])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]$/u;
/** Marks drawn over the character before them. On ASCII they make no letter of any language. */
const COMBINES = /^[\p{Mn}\p{Me}]$/u;
/** Marks and tags that belong to the character before them, visible or not. */
const CLINGING = /[\p{Mn}\p{Me}\u{E0000}-\u{E007F}]*/uy;

const UNKNOWN = 0;
const OTHER = 1;
const INVISIBLE = 2;
const MARK = 3;
const LOOKS_LIKE_ASCII = 4;

/** Cached class of each code point seen so far, since testing Unicode properties is slow. */
const known = new Uint8Array(0x110000);
const replacements = new Map<number, string>();

function classOf(codePoint: number): number {
  const before = known[codePoint] as number;
  if (before !== UNKNOWN) return before;
  const found = classified(codePoint);
  known[codePoint] = found;
  return found;
}

function classified(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (SHOWS_NOTHING.test(character)) return INVISIBLE;
  if (COMBINES.test(character)) return MARK;
  const ascii = codePoint < 0x80 ? null : asciiFor(character);
  if (ascii === null) return OTHER;
  replacements.set(codePoint, ascii);
  return LOOKS_LIKE_ASCII;
}

function classesOf(text: string): ReadonlySet<number> {
  const classes = new Set<number>();
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = isPlain(text.charCodeAt(at)) ? null : (text.codePointAt(at) as number);
    if (codePoint === null) continue;
    classes.add(classOf(codePoint));
    if (codePoint > 0xffff) at += 1;
  }
  return classes;
}

function isPlain(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d);
}

/** A part of a reading, from `at` on: characters as they were written, or one that stands for another. */
interface Piece {
  readonly at: number;
  readonly start: number;
  /** Behind the character that is stood for, and behind what clings to it; null where all is as it was written. */
  readonly end: number | null;
}

/** Each character is looked at once, and becomes at most three. */
function rewritten(original: string, asUnderstood: boolean): Reading {
  let text = "";
  const pieces: Piece[] = [];
  let from = 0;
  const copied = (to: number) => {
    if (to > from) pieces.push({ at: text.length, start: from, end: null });
    text += original.slice(from, to);
  };
  let isOnAscii = false;
  for (let at = 0; at < original.length; ) {
    if (isPlain(original.charCodeAt(at))) {
      isOnAscii = true;
      at += 1;
      continue;
    }
    const codePoint = original.codePointAt(at) as number;
    const end = at + (codePoint > 0xffff ? 2 : 1);
    const kind = classOf(codePoint);
    const isLeftOut = kind === INVISIBLE || (kind === MARK && isOnAscii);
    const ascii = asUnderstood && kind === LOOKS_LIKE_ASCII ? (replacements.get(codePoint) as string) : null;
    if (isLeftOut || ascii !== null) {
      copied(at);
      if (ascii !== null) {
        pieces.push({ at: text.length, start: at, end });
        text += ascii;
      }
      from = end;
    }
    if (!isLeftOut) isOnAscii = ascii !== null;
    at = end;
  }
  copied(original.length);
  const ending = createEnding(original);
  return {
    text,
    inOriginal: ({ kind, start, end }) => {
      const first = pieceAt(pieces, start);
      const last = pieceAt(pieces, end - 1);
      return {
        kind,
        start: first.end === null ? first.start + start - first.at : first.start,
        end: ending(last.end ?? last.start + end - last.at),
      };
    },
  };
}

/** Returns the last piece that begins at or before a position of the reading. */
function pieceAt(pieces: readonly Piece[], position: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle] as Piece).at <= position) low = middle;
    else high = middle - 1;
  }
  return pieces[low] as Piece;
}

/** Behind all that belongs to the character before a position; it is read once, however many findings end there. */
function createEnding(original: string): (position: number) => number {
  const ends = new Map<number, number>();
  return (position) => {
    const before = ends.get(position);
    if (before !== undefined) return before;
    CLINGING.lastIndex = position;
    const end = position + (CLINGING.exec(original)?.[0].length ?? 0);
    ends.set(position, end);
    return end;
  };
}
