import { invalid } from "../error.ts";

/** Path of a value in a document: the names and positions that lead to it. */
type Place = (string | number)[];

/**
 * Parses JSON without losing integers: refuses an integer that a double cannot represent exactly, with its place below
 * `root`. Other numbers are rounded to the nearest double, as usual. Throws `validation_failed`, at `root` if the text
 * is not JSON. The check is linear and not recursive; callers must limit the nesting for `JSON.parse`.
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
    // The parser's own message quotes the text, and differs between runtimes.
    throw invalid(root, `must be valid JSON: it ${jsonFault(text)}`, "json_invalid");
  }
}

/** Matches an integer with as many digits as 2^53, or something similar inside a string. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?[1-9]\d{15,}(?=[,\]}\s]|$)/;

/** Returns the path of the first integer that parsing would change; null if there is none. The JSON must be valid. */
function inexactInteger(text: string): Place | null {
  /** The path of the token: a position for each array around it, and a name, still quoted, for each object. */
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
 * Yields the strings, punctuation, literals and numbers of a JSON text in order. Hand-written, because on Bun a regular
 * expression silently fails on a string of a megabyte.
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
 * Describes where a text stops being JSON, without repeating any of it, the same on every runtime. Linear and not
 * recursive.
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

/** Returns the position of the first invalid character, or the length of the text if it ends too early. */
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
  /** The position after the token, or of its first invalid character. */
  readonly at: number;
  readonly isFault: boolean;
}

/** Hand-written, because on Bun a regular expression silently fails on a string of a megabyte. */
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

/**
 * Finds the end of a number, true, false or null. A fault is reported at its start, since the intended word is unknown.
 */
function wordEnd(text: string, start: number): End {
  let end = start;
  while (end < text.length && IN_WORD.test(text[end] as string)) end += 1;
  const word = text.slice(start, end);
  if (WORD.test(word)) return { at: end, isFault: false };
  return { at: end === text.length && BEGUN.test(word) ? end : start, isFault: true };
}

/**
 * Serialises a value with object members sorted by name, so that values that differ only in member order have the same
 * text. Otherwise like JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

/** True if two values are the same JSON, regardless of member order. `undefined` counts as null. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
