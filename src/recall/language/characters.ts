import { normalForm } from "./normal-form.ts";

/**
 * Matches printable ASCII text with tabs and line breaks. It has only one spelling, so only other text needs
 * normalising.
 */
export const ASCII_ONLY: RegExp = /^[\t\n\r\x20-\x7e]*$/;
/** In ASCII text: any white space other than single spaces. */
const ODD_BLANKS = /[\t\n\r]| {2}/;
const BLANKS = /\s+/g;
/**
 * The micro sign, full-width, half-width and presentation forms. For these NFKC changes only the appearance; for other
 * characters it can change the meaning.
 */
const FORMS = /[\u00b5\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc\uff00-\uffef]+/g;
/**
 * Invisible characters without meaning: soft hyphen, zero-width space, direction marks, variation selectors, kashida.
 */
const UNSEEN = /[\u00ad\u061c\u0640\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]|[\ufe0e\ufe0f]/g;
const DASHES = /[\u2010-\u2013\u2212\ufe58\ufe63]/g;
/** Long dashes stand between words, with or without blanks. */
const LONG_DASHES = /[\u2014\u2015]/g;
const SINGLE_QUOTES = /[‘’‚‛‹›\u02bc]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
/** French quotation marks, with a blank inside. */
const SPACED_QUOTES = /«[\u0020\u00a0\u202f]([^«»]{1,400})[\u0020\u00a0\u202f]»/g;
/** Opening marks only announce the mark at the end. */
const OPENING_MARKS = /[¿¡]/g;
const QUESTION_MARKS = /[؟⸮]/g;

/**
 * Normalises a text's characters: composition (NFC), width and ligatures, quotation marks, dashes, digits and blanks.
 * Removes invisible characters. Differences that may change the meaning stay: 10² is not 102.
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

/** Folds a plain text's case. */
export function foldedText(plain: string): string {
  return plain.toLowerCase().replaceAll("ς", "σ");
}

/** Replaces the decimal digits of every script by ASCII digits. */
export function plainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    // The ten digits of a script are consecutive, from a code ending in 0 or in 6.
    const zero = code & ~15;
    return String((code & 15) - (/^\p{Nd}$/u.test(String.fromCodePoint(zero)) ? 0 : 6));
  });
}

/** A text as compared with others: in NFC, trimmed, with each run of white space replaced by one blank. */
export function normalizedText(text: string): string {
  return normalForm(text, "NFC").trim().replaceAll(/\s+/gu, " ");
}

/** A text in NFC, for comparison letter by letter. Returns null and undefined unchanged. */
export function inNfc<T extends string | null | undefined>(text: T): T | string {
  return text ? normalForm(text, "NFC") : text;
}

/** A text in NFKC and lower case, with a single form of apostrophe. */
export function compatibleText(text: string): string {
  return normalForm(text, "NFKC").toLowerCase().replaceAll("’", "'");
}
