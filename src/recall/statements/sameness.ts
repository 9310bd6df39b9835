import { read } from "../language/reading.ts";

/** A text prepared for comparison. */
export interface ComparedText {
  /** See `Reading`. Texts that say the same have equal sentences; the converse does not hold. */
  readonly sentences: readonly string[];
  /**
   * The same sentences with the capitals of plain words. null for a text without capitals, whose writer does not
   * distinguish them.
   */
  readonly written: readonly string[] | null;
}

/** Prepares a text for comparison. Comparing then takes time linear in its number of sentences. */
export function comparedText(text: string): ComparedText {
  // In code and lists, indentation shows what a line belongs to, so such a text is one unit.
  if (isLaidOut(text)) return { sentences: [text], written: null };
  const reading = read(text);
  return { sentences: reading.sentences, written: /\p{Lu}/u.test(text) ? reading.written : null };
}

/**
 * Whether one text says everything that the other says: it contains all of its sentences, in order and adjacent. This
 * is the only definition of "says the same" wherever a memory is dropped in favour of another.
 *
 * Nothing weaker counts, neither shared words nor a cosine: "allergic to walnuts" and "allergic to peanuts" share
 * nearly all of both. Sentences in between could change whom a "she" refers to. Capitals count ("Polish", "polish"),
 * unless one of the texts has none at all.
 */
export function saysAllOf(other: ComparedText, one: ComparedText): boolean {
  if (indexOfRun(other.sentences, one.sentences) < 0) return false;
  return other.written === null || one.written === null || indexOfRun(other.written, one.written) >= 0;
}

/** Whether two texts say the same: each says everything that the other says. */
export function saysTheSame(a: ComparedText, b: ComparedText): boolean {
  return a.sentences.length === b.sentences.length && saysAllOf(a, b);
}

/** Whether its lines have different indentation. The first line is ignored, since it often lacks its own. */
function isLaidOut(text: string): boolean {
  let first: string | null = null;
  for (const [, indentation] of text.matchAll(/\n([^\S\n]*)(?=\S)/g)) {
    first ??= indentation as string;
    if (indentation !== first) return true;
  }
  return false;
}

/** Index at which a run of sentences occurs; -1 if it does not. Knuth-Morris-Pratt, so linear. */
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

/** For each prefix of the run, the length of the longest proper prefix that is also its suffix. */
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
