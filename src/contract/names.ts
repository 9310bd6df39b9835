/** Rules for names, without their schemas, so that the admin UI checks them without loading zod. */

const WORDS_FOR_NOTHING = ["", "null", "none", "undefined", "nil", "n/a"];

/** True for words that programs write for a missing value, ignoring case and surrounding blanks. */
export function isWordForNothing(value: string): boolean {
  return WORDS_FOR_NOTHING.includes(value.trim().toLowerCase());
}

export const PUBLIC_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** True for `.` and `..`, which URL parsers remove from a path. */
export const isDots = (name: string): boolean => name === "." || name === "..";

/** True for the id of a project that a request may name. */
export function isProjectId(name: string): boolean {
  return PUBLIC_ID.test(name) && !isWordForNothing(name) && !isDots(name);
}
