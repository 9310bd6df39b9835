import { invalid } from "./error.ts";
import { jsonFault } from "./json-fault.ts";

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
