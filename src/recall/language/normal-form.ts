/**
 * More marks than any script puts on one letter: the Stream-Safe Text Format (UAX #15, section 13) allows this many.
 * Ordering marks takes time quadratic in the length of their run: ten seconds for the longest allowed content, in every
 * runtime and in Postgres.
 */
export const MARKS_MAX = 30;

/** Marks, and the two letters that compatibility normalisation turns into marks. */
const IS_MARK = /^[\p{M}\uff9e\uff9f]$/u;
/** More than `MARKS_MAX`. As literals, for a bundler to see what a program does not use. */
const TOO_MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u;

/**
 * The text in a Unicode normal form, in linear time. A text with more than 30 marks in a row, which no real text has,
 * is returned unchanged, and is equal only to itself.
 */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form);
}

/** Whether a character counts as a mark in `normalForm`. */
export function isMark(character: string): boolean {
  return IS_MARK.test(character);
}
