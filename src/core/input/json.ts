import { invalid } from "../error.ts";

/** Path of a value in a document: the names and positions that lead to it. */
type Place = (string | number)[];

/**
 * Parses JSON if all of it can be kept: an integer that does not come back digit for digit as it was
 * sent is refused, with its place below `root`. Other numbers are the double next to them, as in every JSON.
 * `validation_failed` also for what is no JSON, at `root`. The text is walked once and without recursion; how deep
 * `JSON.parse` may go is for the caller to see to.
 */
export function parseExactJson(text: string, root: readonly (string | number)[]): unknown {
  const value = parsed(text, root);
  const place = MAY_BE_INEXACT.test(text) ? inexactInteger(text) : null;
  if (place === null) return value;
  throw invalid(
    [...root, ...place],
    "is an integer that a JSON number cannot hold exactly: send it as a string",
    "integer_inexact",
  );
}

function parsed(text: string, root: readonly (string | number)[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, and is another one on each runtime.
    throw invalid(root, `must be valid JSON: it ${jsonFault(text)}`, "json_invalid");
  }
}

/** An integer of as many digits as 2^53 has, or something in a string that looks like one. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?[1-9]\d{15,}(?=[,\]}\s]|$)/;

/** Path of the first integer that parsing would change; null if there is none. Valid JSON only. */
function inexactInteger(text: string): Place | null {
  /** For each array around the token its position, for each object its name, still in quotes. */
  const place: Place = [];
  let string = "";
  for (const token of tokensOf(text)) {
    const last = place.length - 1;
    const at = place[last];
    if (token.startsWith('"')) string = token;
    else if (token === "{") place.push("");
    else if (token === "[") place.push(0);
    else if (token === "}" || token === "]") place.pop();
    else if (token === ":") place[last] = string;
    else if (token === ",") place[last] = typeof at === "number" ? at + 1 : "";
    else if (isInexact(token))
      return place.map((part) => (typeof part === "string" ? JSON.parse(part) : part));
  }
  return null;
}

function isInexact(token: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(token) && String(Number(token)) !== token;
}

/**
 * The strings, the marks and the words and numbers of a JSON text in their order. By hand: on Bun a regular expression
 * gives up without a word on a string of a megabyte.
 */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    const token = text.slice(at, end);
    at = end;
    if (token.trim() !== "") yield token;
  }
}

const BETWEEN = new Set('"[]{}:, \t\n\r');

function tokenEnd(text: string, start: number): number {
  const first = text[start] as string;
  let at = start + 1;
  if (first === '"') {
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (BETWEEN.has(first)) return at;
  while (at < text.length && !BETWEEN.has(text[at] as string)) at += 1;
  return at;
}

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

/**
 * The JSON of a value with the members of its objects in order of their names, so that values that differ in that order
 * alone have one text. Arrays keep theirs; the rest is as JSON.stringify writes it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

/** True where two values are the same JSON, in whatever order the members of their objects stand. `undefined` counts as null. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
