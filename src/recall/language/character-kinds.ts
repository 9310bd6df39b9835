import { normalForm } from "./normal-form.ts";

/** Kinds of characters, by how informative a single one is and by what varies in their words. */
export const KIND = {
  /** Spelled by word pieces (Latin letters, digits, symbols), or not part of a word. */
  none: 0,
  ideograph: 1,
  /** In a script without spaces between words. */
  unspaced: 2,
  syllable: 3,
  /** In a consonantal script. */
  abjad: 4,
  alphabet: 5,
  other: 6,
  /** Belongs to the letter before it, whatever its script. */
  mark: 7,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** The first match decides. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  [KIND.ideograph, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u30fc]/u],
  [KIND.unspaced, /(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  [KIND.syllable, /\p{Script=Hangul}/u],
  [KIND.mark, /\p{M}/u],
  [KIND.abjad, /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}]/u],
  [KIND.alphabet, /(?=\p{L})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u],
  [KIND.other, /(?!\p{Script=Latin})\p{L}/u],
];

/**
 * Blocks are created lazily: a table of all characters would take as long to create as a thousand texts take to read.
 */
const BLOCK_BITS = 7;
const BLOCK_SIZE = 1 << BLOCK_BITS;

interface Block {
  readonly kinds: Uint8Array;
  readonly folded: Uint32Array;
}

const blocks: (Block | undefined)[] = [];

/** The kind of a character, by its code point. */
export function kindOf(code: number): Kind {
  return blockOf(code).kinds[code & (BLOCK_SIZE - 1)] as Kind;
}

/**
 * The letter that a letter is compared as, by their code points: in lower case, without accents and points, and unified
 * with letters that people confuse. 0 for a mark, which is not compared.
 */
export function foldedLetter(code: number): number {
  return blockOf(code).folded[code & (BLOCK_SIZE - 1)] as number;
}

function blockOf(code: number): Block {
  const block = blocks[code >>> BLOCK_BITS];
  if (block !== undefined) return block;
  const codes = Array.from({ length: BLOCK_SIZE }, (_, at) => (code & ~(BLOCK_SIZE - 1)) + at);
  const characters = codes.map((one) => String.fromCodePoint(one));
  const made = {
    kinds: Uint8Array.from(characters, kindOfCharacter),
    folded: Uint32Array.from(characters, folded),
  };
  blocks[code >>> BLOCK_BITS] = made;
  return made;
}

function kindOfCharacter(character: string): Kind {
  return PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? KIND.none;
}

/** Final forms, and letters that people write for each other (after Lucene's normalizers for Arabic and Persian). */
const ALIKE: Readonly<Record<string, string>> = {
  ى: "ي",
  ی: "ي",
  ة: "ه",
  ک: "ك",
  ך: "כ",
  ם: "מ",
  ן: "נ",
  ף: "פ",
  ץ: "צ",
  ς: "σ",
};

function folded(character: string): number {
  const letter = normalForm(character.toLowerCase(), "NFD").replace(/\p{Mn}/gu, "");
  return (ALIKE[letter] ?? letter).codePointAt(0) ?? 0;
}
