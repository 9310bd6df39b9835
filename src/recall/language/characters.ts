import { normalForm } from "./normal-form.ts";

/** Nothing else has a second spelling. */
export const ASCII_ONLY: RegExp = /^[\t\n\r\x20-\x7e]*$/;
/** Of ASCII: anything but single spaces. */
const ODD_BLANKS = /[\t\n\r]| {2}/;
const BLANKS = /\s+/g;
/** The micro sign, full-width, half-width and presentation forms: NFKC changes how these look, and of others what they mean. */
const FORMS = /[\u00b5\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc\uff00-\uffef]+/g;
/** Neither seen nor of any effect on the meaning: soft hyphen, zero-width space, direction marks, variation selectors, kashida. */
const UNSEEN = /[\u00ad\u061c\u0640\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]|[\ufe0e\ufe0f]/g;
const DASHES = /[\u2010-\u2013\u2212\ufe58\ufe63]/g;
/** These stand between words, with blanks or without. */
const LONG_DASHES = /[\u2014\u2015]/g;
const SINGLE_QUOTES = /[‘’‚‛‹›\u02bc]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
/** As French has them, with a blank inside. */
const SPACED_QUOTES = /«[\u0020\u00a0\u202f]([^«»]{1,400})[\u0020\u00a0\u202f]»/g;
/** They only announce the mark at the end. */
const OPENING_MARKS = /[¿¡]/g;
const QUESTION_MARKS = /[؟⸮]/g;

/**
 * A text in one spelling of its characters: composition (NFC), width and ligatures, quotation marks, dashes, digits, single
 * blanks, and nothing that is not seen. What may mean something else stays: 10² is not 102.
 */
export function plainText(text: string): string {
  if (ASCII_ONLY.test(text)) return ODD_BLANKS.test(text) ? text.replace(BLANKS, " ") : text;
  return plainDigits(
    normalForm(text, "NFC")
      .replaceAll(FORMS, (forms) => normalForm(forms, "NFKC"))
      .replaceAll(UNSEEN, "")
      .replaceAll(DASHES, "-")
      .replaceAll(LONG_DASHES, " - ")
      .replaceAll(SINGLE_QUOTES, "'")
      .replaceAll(SPACED_QUOTES, '"$1"')
      .replaceAll(DOUBLE_QUOTES, '"')
      .replaceAll(OPENING_MARKS, "")
      .replaceAll(QUESTION_MARKS, "?"),
  ).replace(BLANKS, " ");
}

/** The same whatever its letter case. */
export function foldedText(plain: string): string {
  return plain.toLowerCase().replaceAll("ς", "σ");
}

/** The decimal digits of every script as those of ASCII. */
export function plainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    // Ten digits stand together, from a code that ends in 0 or in 6.
    const zero = code & ~15;
    return String((code & 15) - (/^\p{Nd}$/u.test(String.fromCodePoint(zero)) ? 0 : 6));
  });
}

/** A text as it is compared with others: in NFC, without blanks at its ends, and with one for each run of white space. */
export function normalizedText(text: string): string {
  return normalForm(text, "NFC").trim().replaceAll(/\s+/gu, " ");
}

/** A text that is compared letter by letter, in NFC; null and undefined as they are. */
export function inNfc<T extends string | null | undefined>(text: T): T | string {
  return text ? normalForm(text, "NFC") : text;
}

/** A text in compatibility characters and lower case, with one apostrophe. */
export function compatibleText(text: string): string {
  return normalForm(text, "NFKC").toLowerCase().replaceAll("’", "'");
}
