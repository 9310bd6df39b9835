import { normalForm } from "./normal-form.ts";

const WORD =
  /\p{N}+(?:[.,:/-]\p{N}+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;

/**
 * The words of a text in order, compatibility-normalised and lower-case. A number with its separators is one
 * word ("2024-05-01", "1,000"), so is a contraction ("don't"); scripts written without spaces go by character.
 * For comparing memories with each other; search has an analysis of its own.
 */
export function wordsOf(text: string): string[] {
  return normalForm(text, "NFKC").toLowerCase().replaceAll("’", "'").match(WORD) ?? [];
}

/** A text as it is compared with others: in NFC, without blanks at its ends, and with one for each run of white space. */
export function normalizedText(text: string): string {
  return normalForm(text, "NFC").trim().replaceAll(/\s+/gu, " ");
}

/** A text that is compared letter by letter, in NFC; null and undefined as they are. */
export function inNfc<T extends string | null | undefined>(text: T): T | string {
  return text ? normalForm(text, "NFC") : text;
}
