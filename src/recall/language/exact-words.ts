import { ASCII_ONLY, foldedText } from "./characters.ts";

/** A word between blanks, brackets, quotes and scripts that are written without blanks. */
export interface ExactWord {
  /** Without the punctuation of the surrounding sentence. */
  readonly text: string;
  /** Its position in the plain text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Characters of identifiers: digits, joining signs, and letters of alphabets that do not attach words to each other. A
 * comma joins digits only.
 */
const JOINING = String.raw`./\\:@=#&?+~%^_$€£¥-`;
const LETTERS = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\u0300-\u036f\p{N}`;
const RUN = new RegExp(String.raw`(?:[${LETTERS}${JOINING}]|(?<=\p{N}),(?=\p{N}))+`, "gu");

/** Equivalent to `RUN` for ASCII text, in a fraction of the time. */
const ASCII_RUN = /(?:[A-Za-z0-9./\\:@=#&?+~%^_$-]|(?<=[0-9]),(?=[0-9]))+/g;

function runPattern(plain: string): RegExp {
  return ASCII_ONLY.test(plain) ? ASCII_RUN : RUN;
}

const ENDS_IN_RUN = new RegExp(`[${LETTERS}${JOINING}]$`, "u");
const BEGINS_WITH_RUN = new RegExp(`^[${LETTERS}${JOINING}]`, "u");
const REST_OF_RUN = new RegExp(`^${RUN.source}`, "u");

/** Whether a position in a text is inside what may be one word: an identifier, an address or a number. */
export function isWithinWord(text: string, at: number): boolean {
  if (isPlainUnit(text.charCodeAt(at - 1)) && isPlainUnit(text.charCodeAt(at))) return true;
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at, at + 2)];
  if (ENDS_IN_RUN.test(before)) return BEGINS_WITH_RUN.test(after) || /^,\p{N}/u.test(after);
  return /\p{N},$/u.test(before) && /^\p{N}/u.test(after);
}

/** The rest of the word around a position, at most `lengthMax` UTF-16 units; "" if it is not inside a word. */
export function restOfWord(text: string, at: number, lengthMax: number): string {
  if (!isWithinWord(text, at)) return "";
  return REST_OF_RUN.exec(text.slice(at, at + lengthMax))?.[0] ?? "";
}

/** Signs that more often end or begin a phrase than belong to the word. */
const TRAILING = ".:?=&@~^\\$€£¥,/_-";
const LEADING = ":?=&,^%.";

/** The words of a plain text that contain a letter or digit, in order. */
export function* exactWords(plain: string): Generator<ExactWord> {
  for (const { 0: run, index } of plain.matchAll(runPattern(plain))) {
    const [from, to] = withoutSentence(run);
    const text = run.slice(from, to);
    if (ALPHANUMERIC.test(text)) yield { text, start: index + from, end: index + to };
  }
}

/** The range of a run without the signs of the surrounding sentence. */
function withoutSentence(run: string): [from: number, to: number] {
  let [from, to] = [0, run.length];
  while (to > 0 && TRAILING.includes(run.charAt(to - 1))) to--;
  while (from < to && LEADING.includes(run.charAt(from))) from++;
  // ".env", but not "...and".
  const isHidden = from === 1 && run.startsWith(".") && /^\p{L}/u.test(run.slice(1, 3));
  return [isHidden ? 0 : from, to];
}

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
const PLAIN_WORD = /^\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]*$|^\p{Lu}+$/u;
/** A fast path for most words by far, including at the end of a sentence: they are not distinctive. */
const ORDINARY = /^[A-Z]?[a-z]*\.?$/;
const SHORT_NUMBER = /^\p{N}{1,2}$/u;

/**
 * Whether a word is more distinctive as a whole than by its pieces: it contains a sign, a capital inside, or three
 * digits. Pieces suffice for plain letters and small numbers.
 */
export function isDistinctive(word: string): boolean {
  return !PLAIN_WORD.test(word) && !SHORT_NUMBER.test(word);
}

/** A distinctive word, or a part of one, as an index stores it. */
export interface ExactKey {
  readonly text: string;
  readonly isPart: boolean;
}

/** Signs that always separate the parts of a word. */
const DIVIDING = "=&?,~%^+$€£¥";
/**
 * Signs that separate parts in some words and belong to others ("mailto:ann@example.org", "report_INC-7.pdf"). Every
 * choice is tried: first of the signs between the parts of an address, then of those within them.
 */
const BETWEEN = [":", "@", "/\\\\"] as const;
const WITHIN = ["#", ".", "_", "-"] as const;
const DIVISIONS = [
  ...choices(BETWEEN),
  ...choices(WITHIN).flatMap((signs) => (signs.length === 0 ? [] : [[...BETWEEN, ...signs]])),
].map((signs) => ({
  isWorthwhile: (word: string) =>
    signs.every((sign) => !WITHIN.includes(sign as never) || word.includes(sign)),
  pattern: new RegExp(`[${DIVIDING}${signs.join("")}]+`, "u"),
}));

function choices(signs: readonly string[]): string[][] {
  return Array.from({ length: 2 ** signs.length }, (_, choice) =>
    signs.filter((_, at) => (choice >> at) & 1),
  );
}

/** "v1.2", and a ticket number inside a longer word. */
const VERSION = /^[vV](?=\p{N})/u;
const TICKET = /(?<![\p{L}\p{N}])\p{L}{1,16}-\p{N}+(?![\p{L}\p{N}])/gu;

/** The keys of a plain text's words, without duplicates. In total at most fifty times the text's characters. */
export function exactKeys(plain: string): ExactKey[] {
  const wholes = new Set<string>();
  const parts = new Set<string>();
  // Matches directly: `exactWords` takes three times as long because it computes positions.
  for (const run of plain.match(runPattern(plain)) ?? []) {
    if (ORDINARY.test(run)) continue;
    const text = run.slice(...withoutSentence(run));
    if (!ALPHANUMERIC.test(text) || !isDistinctive(text) || wholes.has(text)) continue;
    wholes.add(text);
    for (const part of partsOf(text)) if (isDistinctive(part)) parts.add(part);
  }
  return [
    ...[...wholes].map((text) => ({ text, isPart: false })),
    ...[...parts].map((text) => ({ text, isPart: true })),
  ];
}

function* partsOf(word: string): Generator<string> {
  for (const { isWorthwhile, pattern } of DIVISIONS) {
    if (!isWorthwhile(word)) continue;
    for (const segment of word.split(pattern)) {
      const [from, to] = withoutSentence(segment);
      const part = segment.slice(from, to);
      for (const text of [part, withoutSigns(part)]) if (text !== word) yield text;
    }
  }
  if (VERSION.test(word)) yield word.slice(1);
  for (const [ticket] of word.matchAll(TICKET)) if (ticket !== word) yield ticket;
}

function withoutSigns(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && !ALPHANUMERIC.test(text.charAt(from)) && !isSurrogate(text, from)) from++;
  while (to > from && !ALPHANUMERIC.test(text.charAt(to - 1)) && !isSurrogate(text, to - 1)) to--;
  return text.slice(from, to);
}

function isSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xf800) === 0xd800;
}

/** The words inside code symbols ("getUser", but not "WhatsApp"), split; "" if there are none. */
export function dividedWords(plain: string): string {
  if (!INNER_CAPITAL.test(plain)) return "";
  const divided: string[] = [];
  for (const { text } of exactWords(plain)) {
    if (!INNER_CAPITAL.test(text)) continue;
    for (const [symbol] of text.matchAll(SYMBOL)) {
      const words = symbol.split(BEFORE_CAPITAL);
      if (words.length > 2 || !/^\p{Lu}/u.test(symbol)) divided.push(...words);
    }
  }
  return divided.join(" ");
}

const SYMBOL = /[\p{L}\p{N}]+/gu;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const BEFORE_CAPITAL = /(?<=\p{Ll})(?=\p{Lu})/gu;

/** How a phrase appears in a text. 0: not at all. */
export const MATCH = {
  /** By itself, in the same case. */
  exact: 1,
  /** Same case, inside something longer that signs divide ("7781" in "host:7781"). */
  part: 0.8,
  /** By itself, in a different case. */
  folded: 0.5,
  foldedPart: 0.4,
} as const;

/** How well a plain text contains a plain phrase, never inside a word. `folded`: the text in lower case. */
export function matchIn(plain: string, folded: string, phrase: string): number {
  const same = standing(plain, phrase);
  if (same === "whole") return MATCH.exact;
  if (same === "part") return MATCH.part;
  const other = standing(folded, foldedText(phrase));
  return other === "whole" ? MATCH.folded : other === "part" ? MATCH.foldedPart : 0;
}

const BEGINS_IN_WORD = new RegExp(`^[${LETTERS}]`, "u");
const ENDS_IN_WORD = new RegExp(`[${LETTERS}]$`, "u");
/** Checked first, since a pattern takes ten times as long. */
const isPlainUnit = (unit: number) =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
/** Signs that join their neighbours if a letter or digit follows. */
const JOINED_AFTER = new RegExp(String.raw`^[${JOINING}]{1,2}[\p{L}\p{N}]`, "u");
const JOINED_BEFORE = new RegExp(String.raw`(?:[\p{L}\p{N}][${JOINING}]{1,2}|[#@$+~/\\_])$`, "u");

function endOfWord(text: string, at: number): number {
  let end = at + 1;
  while (isPlainUnit(text.charCodeAt(end))) end++;
  return end;
}

/** Scans once. For each occurrence, three UTF-16 units on either side are checked. */
function standing(text: string, phrase: string): "whole" | "part" | null {
  if (phrase === "") return null;
  const beginsInWord = BEGINS_IN_WORD.test(phrase.slice(0, 2));
  const endsInWord = ENDS_IN_WORD.test(phrase.slice(-2));
  let found: "part" | null = null;
  // A phrase that begins with a word character matches only at the beginning of a word, so skip the rest of each word.
  const next = (at: number) => (beginsInWord ? endOfWord(text, at) : at + 1);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, next(at))) {
    if (beginsInWord && isPlainUnit(text.charCodeAt(at - 1))) continue;
    if (endsInWord && isPlainUnit(text.charCodeAt(at + phrase.length))) continue;
    const before = text.slice(Math.max(0, at - 3), at);
    const after = text.slice(at + phrase.length, at + phrase.length + 3);
    if (beginsInWord && ENDS_IN_WORD.test(before)) continue;
    if (endsInWord && BEGINS_IN_WORD.test(after)) continue;
    if (!JOINED_BEFORE.test(before) && !JOINED_AFTER.test(after)) return "whole";
    found = "part";
  }
  return found;
}
