import { foldedLetter, KIND, type Kind, kindOf } from "./character-kinds.ts";
import { ASCII_ONLY, plainDigits } from "./characters.ts";
import { simplified } from "./chinese-forms.ts";
import { normalForm } from "./normal-form.ts";

/** What terms are parts of, the same object for all parts of one. */
export interface Whole {
  /**
   * `word`: it weighs by how many of its parts match. `spelled`: a word that its pieces of the vocabulary stand for as well.
   * `run`: several words, nobody knows which.
   */
  readonly kind: "word" | "spelled" | "run";
}

/** Takes what a text is compared by: 30 bits that stand for it, what it counts for, of a word, and what it is a part of, if anything. */
export type AddTerm = (term: number, share: number, of: Whole | null) => void;

/** Characters of one script that follow each other. */
export interface ScriptRun {
  readonly kind: RunKind;
  readonly text: string;
}

type RunKind = Exclude<Kind, typeof KIND.none | typeof KIND.mark>;

/**
 * A text taken apart by script. Words in Latin letters, numbers and symbols are spelled by the vocabulary of the table of
 * word pieces; it has nothing but single letters of all other scripts, so those are compared by overlapping characters
 * (McNamee and Mayfield, "Character n-gram tokenization for European language text retrieval", 2004): no dictionary, which
 * would cut differently in each runtime, and one rule for all that a script is written in.
 */
export interface ScriptText {
  /** In compatible characters (NFKC), with a blank in place of each run. */
  readonly spelled: string;
  readonly runs: readonly ScriptRun[];
}

/** Controls of format, variants of glyphs, and the stroke that stretches Arabic words. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u0640]/gu;

/** Takes a text apart. In time that grows with its length alone. */
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

/** Adds the parts of a run. Returns its length in words, about. */
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

/** A pair of ideographs is a word, more often than not; one by itself is a part of many. */
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

/** Katakana as hiragana, traditional characters as simplified ones. */
function foldedIdeograph(code: number): number {
  return code >= 0x30a1 && code <= 0x30f6 ? code - 0x60 : simplified(code);
}

/** A syllable of these scripts has two or three characters, and a word one or two syllables. */
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

/** Long vowels change with the form of a word, and with who writes it. */
function consonants(word: readonly number[]): readonly number[] {
  const left = word.filter((letter) => !LONG_VOWELS.has(letter));
  return left.length < 2 ? word : left;
}

const DEVANAGARI = /[\u0900-\u097f]/;

/** After Lucene's normaliser for Hindi: a dot below and the kind of nasal are written or not. */
function foldedIndic(word: string): string {
  if (!DEVANAGARI.test(word)) return word;
  return normalForm(word, "NFD")
    .replace(/\u093c/g, "")
    .replace(/\u0901/g, "\u0902")
    .replace(/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g, "\u0902");
}

/** A word and its parts weigh as much as a word that is spelled; in another form it lacks the smaller share. */
const WORD_SHARE = 0.2;
const PARTS_SHARE = 0.8;
/** What begins a word is its stem in most languages. */
const EDGE = "_".codePointAt(0) as number;

/**
 * A word as it stands, and by overlapping parts of its stem, the first of which are marked as such. One that is shorter than
 * a part counts for less: the shortest words of all languages are those that tell least.
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

/** Every run of `size` characters; the whole where there are fewer. */
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

/** FNV-1a over code points from a basis of its own, so that no part has the number of a word that cannot be spelled. */
function hash(codes: readonly number[], from: number, to: number): number {
  let sum = 0x811c9dc5 ^ 0x5c;
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ (codes[at] as number), 0x01000193);
  return sum >>> 2;
}

/** The code points of a text, each as `fold` has it; what that makes 0 is left out. */
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

/** Latin letters that no mark was taken from, as people write them who lack the key. */
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

/** Whether a word in lower case is of 4 to 40 Latin letters: it tells of its language, and has parts. */
export function isLatinWord(word: string): boolean {
  if (word.length < 4 || word.length > 40) return false;
  // Most words are of ASCII letters, and every word of every text is asked.
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 0x80) return LATIN_WORD.test(word);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}

/** Adds the parts of such a word, which is in lower case and without marks. */
export function addLatinParts(word: string, add: AddTerm): void {
  const plain = word.replace(/[ıđøłßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
  addStem(codesOf(plain), LATIN_GRAM, LATIN_PARTS_SHARE, { kind: "spelled" }, add);
}

const LATIN_RUN = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu;
const ASCII_WORD = /^[a-zA-Z]*$/;

/** Adds words with marks as they are written: the vocabulary has them without, and in many languages those are other words. */
export function addMarkedWords({ spelled }: ScriptText, add: AddTerm): void {
  if (ASCII_ONLY.test(spelled)) return;
  for (const [word] of spelled.matchAll(LATIN_RUN)) {
    if (ASCII_WORD.test(word)) continue;
    const codes = codesOf(`_${word.toLowerCase()}_`);
    add(hash(codes, 0, codes.length), 1, { kind: "spelled" });
  }
}
