import { foldedLetter, KIND, type Kind, kindOf } from "./character-kinds.ts";
import { ASCII_ONLY, plainDigits } from "./characters.ts";
import { simplified } from "./chinese-forms.ts";
import { normalForm } from "./normal-form.ts";

/** The larger unit that terms belong to. All its terms share one object. */
export interface Whole {
  /**
   * `word`: its weight depends on how many of its parts match. `spelled`: a word that is also represented by its
   * vocabulary pieces. `run`: several words with unknown boundaries.
   */
  readonly kind: "word" | "spelled" | "run";
}

/** Receives a term: a 30-bit hash, its weight as a fraction of a word, and the unit it is a part of, if any. */
export type AddTerm = (term: number, share: number, of: Whole | null) => void;

/** A run of characters in one script. */
export interface ScriptRun {
  readonly kind: RunKind;
  readonly text: string;
}

type RunKind = Exclude<Kind, typeof KIND.none | typeof KIND.mark>;

/**
 * A text split by script. Latin words, numbers and symbols are spelled by the vocabulary of the word-piece table. Of
 * other scripts it has only single letters, so these are compared by overlapping character n-grams (McNamee and
 * Mayfield, "Character n-gram tokenization for European language text retrieval", 2004). That needs no dictionary,
 * which would split differently in each runtime, and treats everything in a script alike.
 */
export interface ScriptText {
  /** In compatibility form (NFKC), with a blank in place of each run. */
  readonly spelled: string;
  readonly runs: readonly ScriptRun[];
}

/** Format controls, variation selectors, and the stroke that stretches Arabic words. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u0640]/gu;

/** Splits a text, in linear time. */
export function splitScripts(text: string): ScriptText {
  if (ASCII_ONLY.test(text)) return { spelled: text, runs: [] };
  const plain = plainDigits(normalForm(text, "NFKC").replace(INVISIBLE, ""));
  const runs: ScriptRun[] = [];
  let spelled = "";
  let copied = 0;
  for (let at = 0; at < plain.length; ) {
    const code = plain.codePointAt(at) as number;
    const kind = code < 0x80 ? KIND.none : kindOf(code);
    if (kind === KIND.none || kind === KIND.mark) {
      at += unitsOf(code);
      continue;
    }
    const end = endOfRun(plain, at + unitsOf(code), kind);
    runs.push({ kind, text: plain.slice(at, end) });
    spelled += `${plain.slice(copied, at)} `;
    copied = end;
    at = end;
  }
  return { spelled: spelled + plain.slice(copied), runs };
}

function endOfRun(text: string, from: number, kind: RunKind): number {
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) as number;
    const next = kindOf(code);
    if (next !== kind && !(next === KIND.mark && kind >= KIND.abjad)) break;
    at += unitsOf(code);
  }
  return at;
}

function unitsOf(code: number): 1 | 2 {
  return code > 0xffff ? 2 : 1;
}

/** Adds the parts of a run. Returns its approximate length in words. */
export function addRun({ kind, text }: ScriptRun, add: AddTerm): number {
  switch (kind) {
    case KIND.ideograph:
      return addIdeographs(text, add);
    case KIND.unspaced:
      return addUnspaced(text, add);
    case KIND.syllable: {
      const word = codesOf(text);
      return addWord(word, word, 2, add);
    }
    case KIND.abjad: {
      const word = codesOf(text, foldedLetter);
      return addWord(word, consonants(word), 3, add);
    }
    case KIND.alphabet: {
      const word = codesOf(text, foldedLetter);
      return addWord(word, word, 4, add);
    }
    case KIND.other: {
      const word = codesOf(foldedIndic(text.toLowerCase()));
      return addWord(word, word, 3, add);
    }
  }
}

/** A pair of ideographs is usually a word; a single one is part of many words. */
const PAIR_SHARE = 0.5;
const IDEOGRAPH_SHARE = 0.25;
const IDEOGRAPH = /^\p{Script=Han}$/u;

function addIdeographs(text: string, add: AddTerm): number {
  const codes = codesOf(text, foldedIdeograph);
  if (codes.length === 1) {
    add(hash(codes, 0, 1), 1, null);
    return 1;
  }
  for (const [at, code] of codes.entries())
    if (isIdeograph(code)) add(hash(codes, at, at + 1), IDEOGRAPH_SHARE, null);
  addOverlapping(codes, 2, PAIR_SHARE, { kind: "run" }, add);
  return Math.ceil(codes.length / 2);
}

function isIdeograph(code: number): boolean {
  if (code >= 0x3041 && code <= 0x30ff) return false;
  return (code >= 0x4e00 && code <= 0x9fff) || IDEOGRAPH.test(String.fromCodePoint(code));
}

/** Maps katakana to hiragana and traditional characters to simplified ones. */
function foldedIdeograph(code: number): number {
  return code >= 0x30a1 && code <= 0x30f6 ? code - 0x60 : simplified(code);
}

/** In these scripts a syllable has two or three characters, and a word one or two syllables. */
const UNSPACED_SHARES = [
  { size: 2, share: 0.1 },
  { size: 3, share: 0.25 },
] as const;

function addUnspaced(text: string, add: AddTerm): number {
  const codes = codesOf(text);
  const run: Whole = { kind: "run" };
  for (const { size, share } of UNSPACED_SHARES)
    if (size <= Math.max(2, codes.length)) addOverlapping(codes, size, share, run, add);
  return Math.ceil(codes.length / 4);
}

const LONG_VOWELS: ReadonlySet<number> = new Set(codesOf("اويءוי"));

/** Drops long vowels, which vary with the word's form and with the writer. */
function consonants(word: readonly number[]): readonly number[] {
  const left = word.filter((letter) => !LONG_VOWELS.has(letter));
  return left.length < 2 ? word : left;
}

const DEVANAGARI = /[\u0900-\u097f]/;

/** After Lucene's Hindi normaliser: drops the dot below and unifies nasals, which writers use inconsistently. */
function foldedIndic(word: string): string {
  if (!DEVANAGARI.test(word)) return word;
  return normalForm(word, "NFD")
    .replace(/\u093c/g, "")
    .replace(/\u0901/g, "\u0902")
    .replace(/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g, "\u0902");
}

/** A word with its parts weighs as much as a spelled word. In another form it loses the smaller share. */
const WORD_SHARE = 0.2;
const PARTS_SHARE = 0.8;
/** In most languages the beginning of a word is its stem. */
const EDGE = "_".codePointAt(0) as number;

/**
 * Adds a word as written, and the overlapping parts of its stem, with the beginning marked. A word shorter than a part
 * counts for less: in all languages the shortest words say least.
 */
function addWord(word: readonly number[], stem: readonly number[], size: number, add: AddTerm): number {
  const told = Math.min(1, word.length / size);
  add(hash([EDGE, ...word, EDGE], 0, word.length + 2), told * WORD_SHARE, null);
  addStem(stem, size, told * PARTS_SHARE, { kind: "word" }, add);
  return 1;
}

function addStem(stem: readonly number[], size: number, share: number, of: Whole, add: AddTerm): void {
  const marked = [EDGE, ...stem];
  addOverlapping(marked, size, share / Math.max(1, marked.length - size + 1), of, add);
}

/** Adds every run of `size` characters, or all of them if there are fewer. */
function addOverlapping(
  codes: readonly number[],
  size: number,
  share: number,
  of: Whole,
  add: AddTerm,
): void {
  const last = Math.max(0, codes.length - size);
  for (let at = 0; at <= last; at++) add(hash(codes, at, Math.min(codes.length, at + size)), share, of);
}

/** FNV-1a over code points. A different basis keeps parts from sharing an id with a word that cannot be spelled. */
function hash(codes: readonly number[], from: number, to: number): number {
  let sum = 0x811c9dc5 ^ 0x5c;
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ (codes[at] as number), 0x01000193);
  return sum >>> 2;
}

/** The code points of a text, each mapped by `fold`. Zeros are dropped. */
function codesOf(text: string, fold: (code: number) => number = (code) => code): number[] {
  const codes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    const folded = fold(code);
    if (folded !== 0) codes.push(folded);
    at += unitsOf(code);
  }
  return codes;
}

/** Latin letters that stripping accents leaves unchanged, mapped to what people type without the key. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ı: "i",
  đ: "d",
  ø: "o",
  ł: "l",
  ß: "ss",
  æ: "ae",
  œ: "oe",
};

/** Less than a word, since its pieces count as well. */
const LATIN_PARTS_SHARE = 0.5;
const LATIN_GRAM = 4;
const LATIN_WORD = /^\p{Script=Latin}{4,40}$/u;

/** Whether a lower-case word has 4 to 40 Latin letters. Only such a word indicates a language and has parts. */
export function isLatinWord(word: string): boolean {
  if (word.length < 4 || word.length > 40) return false;
  // A fast path for ASCII letters, since this runs for every word of every text.
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 0x80) return LATIN_WORD.test(word);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}

/** Adds the parts of such a word, given in lower case and without accents. */
export function addLatinParts(word: string, add: AddTerm): void {
  const plain = word.replace(/[ıđøłßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
  addStem(codesOf(plain), LATIN_GRAM, LATIN_PARTS_SHARE, { kind: "spelled" }, add);
}

const LATIN_RUN = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu;
const ASCII_WORD = /^[a-zA-Z]*$/;

/**
 * Adds words with accents as written. The vocabulary has them without, and in many languages those are different words.
 */
export function addMarkedWords({ spelled }: ScriptText, add: AddTerm): void {
  if (ASCII_ONLY.test(spelled)) return;
  for (const [word] of spelled.matchAll(LATIN_RUN)) {
    if (ASCII_WORD.test(word)) continue;
    const codes = codesOf(`_${word.toLowerCase()}_`);
    add(hash(codes, 0, codes.length), 1, { kind: "spelled" });
  }
}
