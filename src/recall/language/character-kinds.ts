import { normalForm } from "./normal-form.ts";

/** What makes words of characters: by how much one tells, and by what changes in their words. */
export const KIND = {
  /** Spelled by word pieces (Latin letters, digits, symbols), or no part of a word. */
  none: 0,
  ideograph: 1,
  /** Of a script that writes no spaces between words. */
  unspaced: 2,
  syllable: 3,
  /** Of a script of consonants. */
  abjad: 4,
  alphabet: 5,
  other: 6,
  /** Goes with the letter before it, whatever its script. */
  mark: 7,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** The first that fits decides. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  [KIND.ideograph, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u30fc]/u],
  [KIND.unspaced, /(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  [KIND.syllable, /\p{Script=Hangul}/u],
  [KIND.mark, /\p{M}/u],
  [KIND.abjad, /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}]/u],
  [KIND.alphabet, /(?=\p{L})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u],
  [KIND.other, /(?!\p{Script=Latin})\p{L}/u],
];

/** A table of all characters would take as long to make as a thousand texts take to read: it is made where it is needed. */
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
 * The letter that another one is compared as, by their code points: in lower case, without accents and points, and the same
 * for those of which people write one for another. 0 for a mark, which is not compared.
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

/** Final forms, and letters of which people write one for another (after Lucene's normalizers for Arabic and Persian). */
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
