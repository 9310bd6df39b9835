import { z } from "zod";
import { nearestWord } from "./nearest-word.ts";

/**
 * Zod options for input whose errors people read: plain messages for every rule that does not define its own. Each
 * message continues the member's name ("must be at most 100") and never quotes the value.
 */
export const inPlainWords = { error: (issue: Raw) => wordsFor(issue) } as const;

type Raw = z.core.$ZodRawIssue;

const INVALID = "is not valid";

/** Message for a missing member. */
export const IS_REQUIRED = "is required";

function wordsFor(issue: Raw): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType([issue.expected], issue.input);
    case "invalid_value":
      return notAmong(issue.values, issue.input);
    case "too_big":
      return issue.exact ? exactly(issue.origin, issue.maximum) : atMost(issue);
    case "too_small":
      return issue.exact ? exactly(issue.origin, issue.minimum) : atLeast(issue);
    case "invalid_format":
      return FORMATS[issue.format] ?? "is not written in the form that is expected here";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return unknownKeys(issue.keys, issue.inst);
    case "invalid_union":
      return noneOf(issue.errors, issue.input);
    case "custom":
      return Array.isArray(issue.params?.values) ? notAmong(issue.params.values, issue.input) : INVALID;
    default:
      return INVALID;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  date: "a date",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

function wrongType(expected: readonly string[], given: unknown): string {
  if (given === undefined) return IS_REQUIRED;
  const wanted = [...new Set(expected.map((type) => TYPES[type] ?? "of another type"))].join(" or ");
  const got = givenType(given);
  // Avoids "must be a whole number, not a number" for 1.5.
  const isNear = wanted.endsWith("number") && got === "a number";
  return got === null || isNear ? `must be ${wanted}` : `must be ${wanted}, not ${got}`;
}

function givenType(given: unknown): string | null {
  if (given === null) return "null";
  if (Array.isArray(given)) return "a list";
  return typeof given === "boolean" ? "a boolean" : (TYPES[typeof given] ?? null);
}

/**
 * Message with the allowed values, or the one that was probably meant. A wrong guess does no harm, since the value is
 * refused anyway.
 */
function notAmong(values: readonly unknown[], given: unknown): string {
  const words = values.map(String);
  const meant = typeof given === "string" ? nearestWord(given, words) : null;
  const allowed = words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(", ")}`;
  return meant === null ? allowed : `${allowed} (did you mean ${meant}?)`;
}

interface Bound {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
}

function atMost({ origin, inclusive, maximum }: Bound & { readonly maximum: number | bigint }): string {
  const unit = unitOf(origin, maximum);
  if (unit === null) return `must be ${inclusive ? "at most" : "less than"} ${maximum}`;
  return `must ${unit.verb} at most ${maximum} ${unit.name}`;
}

function atLeast({ origin, inclusive, minimum }: Bound & { readonly minimum: number | bigint }): string {
  const unit = unitOf(origin, minimum);
  if (unit === null) return `must be ${inclusive ? "at least" : "more than"} ${minimum}`;
  return Number(minimum) === 1 ? "must not be empty" : `must ${unit.verb} at least ${minimum} ${unit.name}`;
}

function exactly(origin: string, count: number | bigint): string {
  const unit = unitOf(origin, count);
  return unit === null ? `must be ${count}` : `must ${unit.verb} exactly ${count} ${unit.name}`;
}

/** Returns the unit and its verb; null for a plain number, which has none. */
function unitOf(
  origin: string,
  count: number | bigint,
): { readonly verb: string; readonly name: string } | null {
  const plural = Number(count) === 1 ? "" : "s";
  if (origin === "string") return { verb: "be", name: `character${plural}` };
  return origin === "array" || origin === "set" ? { verb: "have", name: `item${plural}` } : null;
}

const UUID = "must be a UUID, such as 018f2f6e-6a1c-7cc1-9d2f-0a5c0e5b7d11";

const FORMATS: Readonly<Record<string, string>> = {
  date: "must be a date such as 2026-01-31",
  datetime: "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z",
  email: "must be an email address, such as ada@example.org",
  guid: UUID,
  url: "must be a URL, such as https://example.org/path",
  uuid: UUID,
};

/** Message for unknown members of a strict object: suggests the nearest known name, otherwise lists the known names. */
function unknownKeys(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  for (const key of keys) {
    const meant = nearestWord(key, known);
    if (meant !== null) return `${UNKNOWN_KEY}: did you mean ${meant}?`;
  }
  return known.length === 0 || known.length > LISTED_MAX
    ? UNKNOWN_KEY
    : `${UNKNOWN_KEY}; known are ${known.join(", ")}`;
}

/** A longer list is unreadable in a sentence. */
const LISTED_MAX = 12;

const UNKNOWN_KEY = "has a member that is not known here";

/** Message if no alternative of a union matches and all reject the value itself. */
function noneOf(forms: readonly (readonly z.core.$ZodIssue[])[], given: unknown): string {
  const first = forms.map((issues) => issues[0]);
  const types = first.flatMap((issue) =>
    issue?.code === "invalid_type" && issue.path.length === 0 ? [issue.expected] : [],
  );
  if (types.length === forms.length && types.length > 0) return wrongType(types, given);
  const words = new Set(first.map((issue) => (issue?.path.length === 0 ? issue.message : null)));
  return words.size === 0 || words.has(null)
    ? "has none of the forms that are allowed here"
    : [...words].join(", or ");
}
