import { compatibleText } from "./characters.ts";
import { UNSPACED_SCRIPTS } from "./scripts.ts";

const NUMBER_OR_WORD = /* @__PURE__ */ new RegExp(
  `\\p{N}+(?:[.,:/-]\\p{N}+)*|[${UNSPACED_SCRIPTS}]|\\p{L}[\\p{L}\\p{M}]*(?:['’]\\p{L}+)?`,
  "gu",
);

/**
 * The words of a text in order, compatibility-normalised and lower-case. A number with its separators is one word
 * ("2024-05-01", "1,000"), so is a contraction ("don't"); scripts written without spaces go by character.
 * For comparing texts with each other; search compares pieces (see `Lexicon`).
 */
export function wordsIn(text: string): string[] {
  return compatibleText(text).match(NUMBER_OR_WORD) ?? [];
}

/** Whatever stands together of letters and digits alone, as full-text search in the record looks it up. */
export function lettersAndDigits(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
