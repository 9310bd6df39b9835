import { compatibleText } from "./characters.ts";
import { UNSPACED_SCRIPTS } from "./scripts.ts";

const NUMBER_OR_WORD = /* @__PURE__ */ new RegExp(
  `\\p{N}+(?:[.,:/-]\\p{N}+)*|[${UNSPACED_SCRIPTS}]|\\p{L}[\\p{L}\\p{M}]*(?:['’]\\p{L}+)?`,
  "gu",
);

/**
 * The words of a text in order, compatibility-normalised and in lower case. A number with its separators is one word
 * ("2024-05-01", "1,000"), and so is a contraction ("don't"). Scripts without spaces are split by character. For
 * comparing texts with each other; search compares pieces (see `Lexicon`).
 */
export function wordsIn(text: string): string[] {
  return compatibleText(text).match(NUMBER_OR_WORD) ?? [];
}

/** Runs of letters and digits, as the record's full-text search looks them up. */
export function lettersAndDigits(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
