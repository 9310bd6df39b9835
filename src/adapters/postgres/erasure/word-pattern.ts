/**
 * Patterns of folded words for Postgres, whose own case folding depends on how its database was made. They match at
 * least every text whose folded form contains the word: the core decides.
 */
import { fold } from "../../../core/subject/term.ts";
import { normalForm } from "../../../recall/language/normal-form.ts";

/** The characters of the basic plane and a few beyond that a fold maps to something else. */
const LAST_CASED = 0x1_e9ff;

interface Folds {
  /** By a folded character: the characters that fold to it. */
  readonly single: ReadonlyMap<string, string>;
  /** Foldings of one character to several, such as "ss". */
  readonly several: readonly string[];
}

let folds: Folds | undefined;

function readFolds(): Folds {
  const single = new Map<string, string>();
  const several = new Set<string>();
  for (let code = 0; code <= LAST_CASED; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    // Postgres has normalised the text before it is matched.
    if (normalForm(character, "NFKC") !== character) continue;
    const folded = fold(character);
    if (folded === character) continue;
    if ([...folded].length > 1) several.add(folded);
    else single.set(folded, (single.get(folded) ?? folded) + character);
  }
  return { single, several: [...several].sort((a, b) => b.length - a.length) };
}

/** A regular expression for the word, in the syntax of Postgres. The word has letters, digits and marks only. */
export function wordPattern(word: string): string {
  folds ??= readFolds();
  const { single, several } = folds;
  let pattern = "";
  for (let at = 0; at < word.length; ) {
    const end = endOfSeveral(word, at, several);
    if (end > at) {
      // As many characters, or fewer that fold to several.
      pattern += `.{1,${end - at}}`;
      at = end;
      continue;
    }
    const character = String.fromCodePoint(word.codePointAt(at) as number);
    const same = single.get(character);
    pattern += same === undefined ? character : `[${same}]`;
    at += character.length;
  }
  return pattern;
}

/** The end of the foldings of one character to several that begin here or overlap; `at` if none begins here. */
function endOfSeveral(word: string, at: number, several: readonly string[]): number {
  let end = at;
  for (let start = at; start === at || start < end; start += 1)
    for (const folded of several)
      if (word.startsWith(folded, start)) end = Math.max(end, start + folded.length);
  return end;
}
