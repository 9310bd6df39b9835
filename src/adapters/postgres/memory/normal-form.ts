import { isMark, MARKS_MAX } from "../../../recall/language/normal-form.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/**
 * SQL version of the contract's `normalForm`, in NFC. As there, `normalize` alone takes too long for many marks in a
 * row.
 */
export function normalForm(sql: AnySql, text: Fragment): Fragment {
  return sql`case when ${hasTooManyMarks(sql, text)} then ${text} else normalize(${text}, nfc) end`;
}

/** True if the text must not be normalised, because that would take too long. */
export function hasTooManyMarks(sql: AnySql, text: Fragment): Fragment {
  pattern ??= tooManyMarks();
  return sql`(${text} ~ ${pattern})`;
}

let pattern: string | undefined;

/** Ranges of code points that contain marks. */
const PLACES = [
  [0x300, 0x1ffff],
  [0xe0000, 0xe0fff],
] as const;

/** Pattern for more than `MARKS_MAX` marks in a row. Postgres has no Unicode classes, so the marks are listed. */
function tooManyMarks(): string {
  let ranges = "";
  for (const [start, end] of PLACES) {
    let first: number | null = null;
    for (let code = start; code <= end; code += 1) {
      if (isMark(String.fromCodePoint(code))) first ??= code;
      else if (first !== null) {
        ranges += `${escaped(first)}-${escaped(code - 1)}`;
        first = null;
      }
    }
  }
  return `[${ranges}]{${MARKS_MAX + 1}}`;
}

function escaped(code: number): string {
  return String.raw`\U${code.toString(16).padStart(8, "0")}`;
}
