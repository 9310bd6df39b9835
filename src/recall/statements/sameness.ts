import { read } from "../language/reading.ts";

/** A text as it is compared with others. */
export interface ComparedText {
  /** See `Reading`. Texts that say the same have the same; it takes more to say the same. */
  readonly sentences: readonly string[];
  /** The same sentences with the capitals of plain words; null of a text without capitals, whose writer tells nothing by them. */
  readonly written: readonly string[] | null;
}

/** Reads a text for comparing. Read once, it is compared in time that grows with how many sentences it has. */
export function comparedText(text: string): ComparedText {
  // How far a line is indented tells in code and lists what it belongs to, so such a text is one saying.
  if (isLaidOut(text)) return { sentences: [text], written: null };
  const reading = read(text);
  return { sentences: reading.sentences, written: /\p{Lu}/u.test(text) ? reading.written : null };
}

/**
 * Whether everything that one text says is said by the other: all of its sentences stand there, in their order and with
 * nothing between them. This is the one meaning of "says the same" wherever a memory gives way to another.
 *
 * No more than that is taken for the same: not a shared word, and no cosine, since "allergic to walnuts" and "allergic to
 * peanuts" have nearly all of both in common. Sentences between them could make a "she" somebody else. A capital tells
 * ("Polish", "polish"), unless one of them has none at all.
 */
export function saysAllOf(other: ComparedText, one: ComparedText): boolean {
  if (indexOfRun(other.sentences, one.sentences) < 0) return false;
  return other.written === null || one.written === null || indexOfRun(other.written, one.written) >= 0;
}

/** Whether two texts say the same, each all that the other says. */
export function saysTheSame(a: ComparedText, b: ComparedText): boolean {
  return a.sentences.length === b.sentences.length && saysAllOf(a, b);
}

/** Whether its lines are indented differently, but for the first, which often lacks its indentation. */
function isLaidOut(text: string): boolean {
  let first: string | null = null;
  for (const [, indentation] of text.matchAll(/\n([^\S\n]*)(?=\S)/g)) {
    first ??= indentation as string;
    if (indentation !== first) return true;
  }
  return false;
}

/** Where a run of sentences begins in others; -1 where it does not stand there. Knuth, Morris and Pratt's, so that it is linear. */
function indexOfRun(within: readonly string[], run: readonly string[]): number {
  if (run.length > within.length) return -1;
  const borders = bordersOf(run);
  let matched = 0;
  for (const [at, sentence] of within.entries()) {
    while (matched > 0 && sentence !== run[matched]) matched = borders[matched - 1] as number;
    if (sentence === run[matched]) matched++;
    if (matched === run.length) return at - run.length + 1;
  }
  return -1;
}

/** For each beginning of the run, how long the longest other beginning is that it ends with. */
function bordersOf(run: readonly string[]): Int32Array {
  const borders = new Int32Array(run.length);
  let matched = 0;
  for (let at = 1; at < run.length; at++) {
    while (matched > 0 && run[at] !== run[matched]) matched = borders[matched - 1] as number;
    if (run[at] === run[matched]) matched++;
    borders[at] = matched;
  }
  return borders;
}
