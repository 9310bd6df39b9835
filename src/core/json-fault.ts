/**
 * Describes where a text stops being JSON, in words that repeat nothing of it and are the same on every runtime. It is
 * walked once and without recursion.
 */
export function jsonFault(text: string): string {
  const at = faultAt(text);
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return at >= text.length
    ? `ends before it is complete (line ${line}, column ${column})`
    : `is not from line ${line}, column ${column} on`;
}

/** The expected next token. The first value or name of a list or object may be missing. */
type Next = "value" | "first value" | "name" | "first name" | "colon" | "rest";

const SPACE = new Set(" \t\n\r");

/** The position of the first character that cannot be there; the length of the text where more was to come. */
function faultAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let next: Next = "value";
  for (let at = 0; ; ) {
    while (SPACE.has(text[at] as string)) at += 1;
    const mark = text[at];
    const inside = open.at(-1);
    if (mark === undefined) return text.length;
    const closes =
      (mark === "}" && inside === "{" && (next === "rest" || next === "first name")) ||
      (mark === "]" && inside === "[" && (next === "rest" || next === "first value"));
    if (closes) {
      open.pop();
      next = "rest";
      at += 1;
    } else if (next === "rest") {
      if (mark !== "," || inside === undefined) return at;
      next = inside === "{" ? "name" : "value";
      at += 1;
    } else if (next === "colon") {
      if (mark !== ":") return at;
      next = "value";
      at += 1;
    } else if (next === "name" || next === "first name") {
      if (mark !== '"') return at;
      const end = stringEnd(text, at);
      if (end.isFault) return end.at;
      at = end.at;
      next = "colon";
    } else if (mark === "{" || mark === "[") {
      open.push(mark);
      next = mark === "{" ? "first name" : "first value";
      at += 1;
    } else {
      const end = mark === '"' ? stringEnd(text, at) : wordEnd(text, at);
      if (end.isFault) return end.at;
      at = end.at;
      next = "rest";
    }
  }
}

interface End {
  /** The position after it, or of what cannot be in it. */
  readonly at: number;
  readonly isFault: boolean;
}

/** By hand: on Bun a regular expression gives up without a word on a string of a megabyte. */
function stringEnd(text: string, start: number): End {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { at: at + 1, isFault: false };
    if (text.charCodeAt(at) < 0x20) return { at, isFault: true };
    if (text[at] !== "\\") continue;
    at += 1;
    if (text[at] === "u") {
      const digits = text.slice(at + 1, at + 5);
      if (!/^[0-9a-fA-F]*$/.test(digits)) return { at, isFault: true };
      at += 4;
    } else if (at < text.length && !'"\\/bfnrt'.includes(text[at] as string)) return { at, isFault: true };
  }
  return { at: text.length, isFault: true };
}

const WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Prefixes of a literal. */
const BEGUN = /^(?:-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?)|tr?|tru|fa?|fals?|nu?|nul)$/;
const IN_WORD = /[\w.+-]/;

/** A number, true, false or null. A fault is where it begins, as what was meant by it is not known. */
function wordEnd(text: string, start: number): End {
  let end = start;
  while (end < text.length && IN_WORD.test(text[end] as string)) end += 1;
  const word = text.slice(start, end);
  if (WORD.test(word)) return { at: end, isFault: false };
  return { at: end === text.length && BEGUN.test(word) ? end : start, isFault: true };
}
