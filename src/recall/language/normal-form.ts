/**
 * More marks on one letter than any script has: the Stream-Safe Text Format (UAX #15, section 13) allows as many. To put
 * marks in order takes time that grows with the square of how many follow each other, ten seconds for what a content may
 * hold, in every runtime and in Postgres.
 */
export const MARKS_MAX = 30;

/** Marks, and the two letters that compatibility makes marks of. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
const IS_MARK = new RegExp(`^${MARK}$`, "u");
const TOO_MANY_MARKS = new RegExp(`${MARK}{${MARKS_MAX + 1}}`, "u");

/**
 * The text in a Unicode normal form, in time that grows with its length alone. One in which more than 30 marks follow each
 * other, which nobody writes, stays as it is, and is equal only to itself.
 */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form);
}

/** Whether a character counts as a mark there. */
export function isMark(character: string): boolean {
  return IS_MARK.test(character);
}
