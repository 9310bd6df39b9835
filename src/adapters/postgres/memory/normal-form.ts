import { isMark, MARKS_MAX } from "../../../recall/language/normal-form.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** `normalForm` of the contract in NFC, of a text that SQL names: `normalize` alone takes as long for many marks as there. */
export function normalForm(sql: AnySql, text: Fragment): Fragment {
  pattern ??= tooManyMarks();
  return sql`case when ${text} ~ ${pattern} then ${text} else normalize(${text}, nfc) end`;
}

let pattern: string | undefined;

/** The planes that have marks. */
const PLACES = [
  [0x300, 0x1ffff],
  [0xe0000, 0xe0fff],
] as const;

/** Postgres knows no classes of Unicode, so that the marks are listed. */
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
