import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { asciiFor } from "./look-alikes.ts";

/** A text as somebody takes it in, and where what is found in it stands in the text as it was written. */
export interface Reading {
  readonly text: string;
  inOriginal(finding: Finding): Finding;
}

/**
 * The ways in which a text is read: as it is; as it is seen, without what shows nothing; and as it is understood, with
 * ASCII in the place of what looks like it. A secret that is one in any of them is one. Those that are no different from
 * the one before are left out, so that ASCII is read once, and never copied.
 */
export function readingsOf(original: string): readonly Reading[] {
  const readings: Reading[] = [{ text: original, inOriginal: (finding) => finding }];
  if (!NOT_PLAIN.test(original)) return readings;
  const classes = classesOf(original);
  if (classes.has(INVISIBLE) || classes.has(MARK)) readings.push(rewritten(original, false));
  if (classes.has(LOOKS_LIKE_ASCII)) readings.push(rewritten(original, true));
  return readings;
}

const NOT_PLAIN = /[^\t-\r -~]/;

/**
 * What shows nothing: joiners, variation selectors, controls of direction, tags, fillers, soft hyphens and their like,
 * and control characters but those that break a line.
 */
const SHOWS_NOTHING = /^(?![\t-\r\x85])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]$/u;
/** What is drawn over the character before it. On ASCII it is no letter of any language's own. */
const COMBINES = /^[\p{Mn}\p{Me}]$/u;
/** What belongs to the character before it although it may not show, so that the two go together. */
const CLINGS = /^[\p{M}\u{E0000}-\u{E007F}]$/u;

const UNKNOWN = 0;
const OTHER = 1;
const INVISIBLE = 2;
const MARK = 3;
const LOOKS_LIKE_ASCII = 4;

/** The class of each code point that was met so far: to ask for its properties each time is slow. */
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
    const codePoint = text.codePointAt(at) as number;
    classes.add(classOf(codePoint));
    if (codePoint > 0xffff) at += 1;
  }
  return classes;
}

/** Each character is looked at once, and becomes at most three. */
function rewritten(original: string, asUnderstood: boolean): Reading {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let isOnAscii = false;
  for (let at = 0; at < original.length; ) {
    const codePoint = original.codePointAt(at) as number;
    const end = at + (codePoint > 0xffff ? 2 : 1);
    const kind = classOf(codePoint);
    if (kind === INVISIBLE || (kind === MARK && isOnAscii)) {
      const clings = CLINGS.test(original.slice(at, end));
      if (clings && ends.length > 0 && ends.at(-1) === at) ends[ends.length - 1] = end;
      at = end;
      continue;
    }
    const ascii = asUnderstood && kind === LOOKS_LIKE_ASCII ? replacements.get(codePoint) : undefined;
    const shown = ascii ?? original.slice(at, end);
    isOnAscii = ascii !== undefined || codePoint < 0x80;
    text += shown;
    for (let unit = 0; unit < shown.length; unit += 1) {
      // The halves of a surrogate pair stand for themselves; all that a look-alike became stands for the whole of it.
      starts.push(ascii === undefined ? at + unit : at);
      ends.push(ascii === undefined ? at + unit + 1 : end);
    }
    at = end;
  }
  return {
    text,
    inOriginal: ({ kind, start, end }) => ({
      kind,
      start: starts[start] as number,
      end: ends[end - 1] as number,
    }),
  };
}
