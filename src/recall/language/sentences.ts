import { normalForm } from "./normal-form.ts";

/** Words before a full stop that does not end a sentence, in lower case. */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "mr mrs ms dr prof st vs etc e.g i.e eg ie cf approx no fig inc ltd co jr sr dept est z.b bzw usw ca".split(
    " ",
  ),
);

/** Whether a plainly written word inside of a sentence keeps its capital. */
type Capitals = "folded" | "kept";

/**
 * The sentences of a text, each in one spelling of what it says: its words in their order, everything that stands between two
 * blanks being one. Two spellings of one sentence are the same string; what may mean something else is not.
 *
 * Makes no difference: white space, composition (NFC), width and ligatures, styles of quotation marks and of dashes, what is
 * not seen, the full stop or exclamation mark at the end, and the capital of a plainly written word ("Swift", "swift") unless it
 * is to be kept; of a sentence's first word and of weekdays and months it never is.
 * Everything else does: other capitals ("US", "getUser"), and those of units ("5 Mb"); signs, operators, symbols and emoji;
 * and characters that NFKC would make others of, since 10² is not 102.
 *
 * A sentence ends at a full stop, an exclamation or question mark before white space, but not after an abbreviation or an
 * initial; never at a line break, since lines are broken anywhere. Takes time that grows with the length of the text alone.
 */
export function sentencesOf(text: string, capitals: Capitals = "folded"): string[] {
  const sentences: string[] = [];
  let words: string[] = [];
  let before = "";
  for (const written of plainText(text).match(/\S+/g) ?? []) {
    const spelt = spelling(written, words.length === 0, before, capitals);
    const { word, ends } = withoutEnd(spelt, words.length === 0);
    if (word !== "") words.push(word);
    before = word;
    if (!ends || words.length === 0) continue;
    sentences.push(words.join(" "));
    words = [];
    before = "";
  }
  if (words.length > 0) sentences.push(words.join(" ").replace(/(?<!\.)\.$/, ""));
  // Nothing but full stops: it says what it is.
  return sentences.length > 0 ? sentences : [text.trim()];
}

/** Nothing else has a second spelling. */
const NOT_ASCII = /\P{ASCII}/u;
/** The micro sign, full-width, half-width and presentation forms: NFKC changes how these look, and of others what they mean. */
const FORMS = /[\u00b5\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc\uff00-\uffef]+/g;
/** Neither seen nor of any effect on what is: soft hyphen, zero-width space, direction marks, variation selectors. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]|[\ufe0e\ufe0f]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const SINGLE_QUOTES = /[‘’‚‛‹›]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
/** As French has them, with a blank inside. */
const SPACED_QUOTES = /«[\u0020\u00a0\u202f]([^«»]{1,400})[\u0020\u00a0\u202f]»/g;
/** They only announce the mark at the end. */
const OPENING_MARKS = /[¿¡]/g;
const QUESTION_MARKS = /[؟⸮]/g;
/** Their ends need no blank after them. */
const FULL_WIDTH_ENDS = /[。！？｡]+/g;

/** A text in one spelling of its characters: composition, width, quotation marks, dashes, and nothing that is not seen. */
export function plainText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return normalForm(text, "NFC")
    .replaceAll(FULL_WIDTH_ENDS, "$& ")
    .replaceAll(FORMS, (forms) => normalForm(forms, "NFKC"))
    .replaceAll(UNSEEN, "")
    .replaceAll(DASHES, "-")
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(SPACED_QUOTES, '"$1"')
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(OPENING_MARKS, "")
    .replaceAll(QUESTION_MARKS, "?");
}

const CALENDAR: ReadonlySet<string> = new Set(
  "monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december".split(
    " ",
  ),
);

/** A capital, then small letters, with what may stand around and inside a word. */
const PLAINLY_WRITTEN =
  /^[^\p{L}\p{N}]*\p{Lu}[\p{Ll}\p{M}]+(?:['-]\p{Ll}[\p{Ll}\p{M}]*)*[^\p{L}\p{N}\p{M}]*$/u;
/** "A" or "I" at the beginning of a sentence. */
const ONE_CAPITAL = /^["'([]*\p{Lu}["')\],;:]*$/u;
const PLAIN_LENGTH_MAX = 64;

function spelling(written: string, isFirst: boolean, before: string, capitals: Capitals): string {
  if (written.length > PLAIN_LENGTH_MAX) return written;
  // Most words have no capital, and nothing to look for.
  const small = written.toLowerCase();
  if (small === written) return written;
  // What follows a number may be a unit, of which "Mb" and "mb" are two.
  const isPlain =
    PLAINLY_WRITTEN.test(written) &&
    !/\p{N}$/u.test(before) &&
    (isFirst || capitals === "folded" || isOfCalendar(written));
  return isPlain || (isFirst && ONE_CAPITAL.test(written)) ? small : written;
}

/** It has a capital in English wherever it stands, and so tells nothing by it: "Fridays". */
function isOfCalendar(written: string): boolean {
  const [word = ""] = written.toLowerCase().match(/\p{L}+/u) ?? [];
  return CALENDAR.has(word) || CALENDAR.has(word.replace(/s$/, ""));
}

const CLOSING = new Set([..."\"')]}"]);
const ENDS = new Set([...".!?…。।॥۔"]);

/** A word without the marks that end its sentence, where they do. A question keeps its mark: it states nothing. */
function withoutEnd(word: string, isFirst: boolean): { word: string; ends: boolean } {
  if (/[a-z]$/.test(word)) return { word, ends: false };
  let close = word.length;
  while (close > 0 && CLOSING.has(word[close - 1] as string)) close--;
  let end = close;
  while (end > 0 && ENDS.has(word[end - 1] as string)) end--;
  if (end === close) return { word, ends: false };
  const marks = word.slice(end, close);
  const core = word.slice(0, end);
  if (marks === "." && isAbbreviated(core, isFirst)) return { word, ends: false };
  // "5!" and "n!" are not 5 and n.
  if (marks.startsWith("!") && /^(?:\p{N}{1,2}|\p{L})$/u.test(core)) return { word, ends: true };
  const question = marks.includes("?") ? "?" : "";
  return { word: core + question + word.slice(close), ends: true };
}

/** An abbreviation, an initial, something with a full stop inside, or the number of a list's item. */
function isAbbreviated(core: string, isFirst: boolean): boolean {
  if (core.length > PLAIN_LENGTH_MAX) return false;
  const word = core.replace(/^[^\p{L}\p{N}]+/u, "");
  return (
    /^\p{Lu}$/u.test(word) ||
    word.includes(".") ||
    (isFirst && /^(?:\p{N}+|\p{L})$/u.test(word)) ||
    ABBREVIATIONS.has(word.toLowerCase())
  );
}
