/** Exact matching of the names and addresses of a person or subject: whole words, in any case and Unicode form. */
import { normalForm } from "../../recall/language/normal-form.ts";

export interface Term {
  /** As the person wrote it. */
  readonly text: string;
  /** Its words, folded. A text that contains the term contains all of them. */
  readonly words: readonly string[];
  /** Finds the term in a folded text. */
  readonly pattern: RegExp;
}

const WORD = String.raw`\p{L}\p{N}\p{M}`;
const WORDS = new RegExp(`[${WORD}]+`, "gu");
const PARTS = new RegExp(`[${WORD}]+|[^${WORD}]+`, "gu");
const IS_WORD = new RegExp(`^[${WORD}]`, "u");
/** White space, dashes and underscores between two words: any other of them means the same. */
const IS_GAP = /^[\s_\p{Pd}]+$/u;
/** A dot without a blank separates the words of a login name. */
const GAP = String.raw`(?:[\s_\p{Pd}]+|\.)`;
const APOSTROPHES = /['’‘ʼ`´]/gu;
/** Scripts that write words without blanks between them, or append particles to names. */
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Characters of an address, so that anna@example.com is not found in joanna@example.com or max.anna@example.com. */
const NO_ADDRESS_BEFORE = `(?<![${WORD}._%+-])`;
const NO_ADDRESS_AFTER = `(?![${WORD}_]|[.-][${WORD}])`;
const NO_WORD_BEFORE = `(?<![${WORD}])`;
const NO_WORD_AFTER = `(?![${WORD}])`;

/** The text without differences of case and compatibility forms. Character by character, it gives the same. */
export function fold(text: string): string {
  return foldCase(normalForm(text, "NFKC"));
}

// Lower case first, because ẞ has an upper case of its own only by its lower case.
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");

/** The folded words of a text. */
function wordsOf(text: string): string[] {
  return [...new Set(fold(text).match(WORDS) ?? [])];
}

/** False if the text is too short to identify anything: it needs two letters or digits. */
export function isTerm(text: string): boolean {
  return [...wordsOf(text).join("")].length >= 2;
}

/** Reads a term that `isTerm` accepts. */
export function readTerm(given: string): Term {
  const text = given.trim();
  const folded = fold(text);
  const isAddress = folded.includes("@");
  const source = (folded.match(PARTS) ?? [])
    .map((part) => (!isAddress && IS_GAP.test(part) ? GAP : literal(part)))
    .join("");
  const [first, last] = [[...folded].at(0) ?? "", [...folded].at(-1) ?? ""];
  const before = isAddress ? NO_ADDRESS_BEFORE : isBounded(first) ? NO_WORD_BEFORE : "";
  const after = isAddress ? NO_ADDRESS_AFTER : isBounded(last) ? NO_WORD_AFTER : "";
  return { text, words: wordsOf(text), pattern: new RegExp(before + source + after, "u") };
}

function isBounded(edge: string): boolean {
  return IS_WORD.test(edge) && !IS_UNSPACED.test(edge);
}

function literal(part: string): string {
  return part.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`).replace(APOSTROPHES, "['’‘ʼ`´]");
}

export function termsIn(text: string, terms: readonly Term[]): Term[] {
  const folded = fold(text);
  return terms.filter(({ pattern }) => pattern.test(folded));
}

/** A part of a text around a term. */
export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

const CHARACTERS_BEFORE = 60;
const CHARACTERS_AFTER = 100;

/** The part of the text around the term; its beginning if the text does not contain the term. */
export function excerptOf(text: string, { pattern }: Term): Excerpt {
  const characters = [...normalForm(text, "NFKC")];
  const starts: number[] = [];
  let folded = "";
  for (const character of characters) {
    starts.push(folded.length);
    folded += foldCase(character);
  }
  const found = pattern.exec(folded);
  const from = found === null ? 0 : characterAt(starts, found.index);
  const to = found === null ? 0 : characterAt(starts, found.index + found[0].length - 1) + 1;
  const begin = Math.max(0, from - CHARACTERS_BEFORE);
  const end = Math.min(characters.length, to + CHARACTERS_AFTER);
  return {
    before: (begin > 0 ? "…" : "") + characters.slice(begin, from).join(""),
    match: characters.slice(from, to).join(""),
    after: characters.slice(to, end).join("") + (end < characters.length ? "…" : ""),
  };
}

/** The character that a place in the folded text comes from. */
function characterAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
