/** Reads JSON as peers write it: one document, or one value per line. */
import { DomainError } from "../../error.ts";
import { parseExactJson } from "../../input/json.ts";
import type { Place } from "./peer-record.ts";

/** A line that is not blank: its value or its problem. */
export type ParsedLine = Place & ({ readonly value: unknown } | { readonly problem: string });

export function* jsonLines(text: string): Generator<ParsedLine> {
  let line = 0;
  let offset = 0;
  for (const written of text.split("\n")) {
    line += 1;
    offset += written.length + 1;
    const place = { line, offset: Math.min(offset, text.length) };
    if (written.trim() === "") continue;
    yield { ...place, ...parsed(written) };
  }
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parseExactJson(text, []) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** The text as one JSON value; null if it is not valid JSON. */
export function wholeDocument(text: string): unknown {
  try {
    return parseExactJson(text, []);
  } catch {
    return null;
  }
}

/** The text as one JSON value; `validation_failed` with the hint if it is not valid JSON. */
export function requireDocument(text: string, hint: string): unknown {
  try {
    return parseExactJson(text, []);
  } catch (error) {
    const reason = problemOf(error);
    throw new DomainError("validation_failed", `The file ${reason}. ${hint}`);
  }
}

function problemOf(error: unknown): string {
  const [issue] = error instanceof DomainError ? error.issues : [];
  if (issue?.type === "integer_inexact") return `at ${issue.loc.join(".")} ${issue.msg}`;
  return "is not JSON, or is cut short";
}

/** The items of a document's list, each with its place. */
export function* itemsOf(list: readonly unknown[], size: number): Generator<Place & { value: unknown }> {
  for (const [index, value] of list.entries())
    yield { line: index + 1, offset: Math.round((size * (index + 1)) / list.length), value };
}
