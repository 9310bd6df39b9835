import { z } from "zod";
import { normalForm } from "../recall/language/normal-form.ts";
import { isDots, isWordForNothing, PUBLIC_ID } from "./names.ts";

/** False if the text has characters that Postgres or JSON peers cannot store: U+0000 or a lone surrogate. */
function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

const UNSTORABLE = "must not contain U+0000 or an unpaired surrogate";

/** A string that can be stored as given. Bounds are in UTF-16 code units. */
export function text(min: number, max: number, tooLong?: { readonly error: string; readonly abort: true }) {
  return z.string().min(min).max(max, tooLong).refine(isStorable, { error: UNSTORABLE, abort: true });
}

/** The role of a member, beyond its schema. */
const roles = z.registry<{ readonly role: "naming" | "statement" }>();

/** The role of a schema, ignoring optional and nullable wrappers. */
function roleOf(schema: z.ZodType): "naming" | "statement" | null {
  const role = roles.get(schema)?.role;
  if (role !== undefined) return role;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? roleOf(schema.unwrap() as z.ZodType)
    : null;
}

const NAMES_NOTHING = "must not be a word for nothing, such as null; if there is none, leave it out";

/**
 * A key, an id or a name. Words such as "null" are refused: two facts under the key "null", or two projects called
 * "undefined", would be mistaken for one.
 */
export function naming(schema: z.ZodString): z.ZodString {
  return schema
    .refine((value) => value === "" || !isWordForNothing(value), { error: NAMES_NOTHING })
    .register(roles, { role: "naming" });
}

/** True for the schema of a key, an id or a name. */
export function isNaming(schema: z.ZodType): boolean {
  return roleOf(schema) === "naming";
}

/** The text of a memory, a todo or a decision. An empty text is an error even if the member is optional. */
export function statement(max: number): z.ZodString {
  return text(1, max).register(roles, { role: "statement" });
}

/** True for a schema made by `statement`. */
export function isStatement(schema: z.ZodType): boolean {
  return roleOf(schema) === "statement";
}

/** A text that is compared, so it is normalised to NFC, as filters are. `max` applies to the normalised text. */
export function label(max: number) {
  const error = `must be at most ${max} characters`;
  // A character's longest form is four times as long as its shortest.
  return text(1, 4 * max, { error, abort: true })
    .overwrite((value) => normalForm(value, "NFC"))
    .refine((value) => value.length <= max, { error })
    .meta({ maxLength: max });
}

/** Removes empty segments and slashes at the ends, and normalises to NFC. Filters are normalised the same way. */
function normalizePath(path: string): string {
  return normalForm(path, "NFC")
    .split("/")
    .map((segment) => segment.trim())
    .filter((segment) => segment !== "")
    .join("/");
}

/** The path rules that JSON Schema can express. */
export const NOT_ONLY_SLASHES = "[^/\\s]";

/** Refuses `.` and `..`: URLs and file systems would resolve such a segment to another path. */
function hasNoDots(path: string): boolean {
  return !path.split("/").some(isDots);
}

const DOTS = "must have no segment that is . or ..";

const PATH_LENGTH = "must be 1 to 512 characters, not only slashes";

/** A path as older versions may have stored it, with `.` and `..` segments, so that old exports can be imported. */
export const storedPath = text(1, 2048, { error: PATH_LENGTH, abort: true })
  .overwrite(normalizePath)
  .refine((value) => value.length >= 1 && value.length <= 512, { error: PATH_LENGTH });

/** Path of a memory: 1..512 characters once normalised. */
export const path = storedPath.refine(hasNoDots, { error: DOTS }).meta({
  maxLength: 512,
  pattern: NOT_ONLY_SLASHES,
  description: "The memory's place, such as notes/deploys; no segment may be . or ..",
  examples: ["notes/deploys"],
});

const LIKE = "`%` matches any text, `_` only itself";

/** Collapses repeated wildcards. They match the same as one, but each would cost time for every memory. */
function withSingleWildcards(pattern: string): string {
  return pattern.replaceAll(/%+/g, "%");
}

/** A filter on paths, with `%` as wildcard. */
export const pathFilter = text(1, 2048, { error: "must be at most 2048 characters", abort: true })
  .overwrite((pattern) => withSingleWildcards(normalizePath(pattern)))
  .refine((value) => value !== "", { error: "must not be only slashes; leave it out to match every path" })
  .refine(hasNoDots, { error: DOTS })
  .meta({
    pattern: NOT_ONLY_SLASHES,
    description: `Path or pattern: ${LIKE}`,
    examples: ["notes/%"],
  });

/** A filter on a label (bucket, type, status), with `%` as wildcard. */
export const labelFilter = label(128)
  .overwrite(withSingleWildcards)
  .meta({ description: `Value or pattern: ${LIKE}` });

/** A label that callers choose freely. It groups memories and grants nothing. */
export const bucket = label(128).meta({
  description: "A label of your choice",
  examples: ["work"],
});

/** Name of an agent, a session or a task. */
export const attributionName = naming(label(256));

/** Type of a memory: one of the known types, or any other lower-case word. */
export const memoryType = text(1, 64)
  .regex(/^[a-z][a-z0-9_-]*$/, { error: "must be a lower-case word of a-z, 0-9, _ and -" })
  .meta({
    description:
      "semantic, episodic, procedural, working, decision, reminder, knowledge or a word of your own",
    examples: ["semantic"],
  });

/** A type that a caller may store. Excludes the types reserved for todos and for automatic choice by a context. */
export const chosenMemoryType = memoryType
  .refine((type) => type !== "todo" && type !== "auto", {
    error: "must not be todo or auto: a todo is created in its project, and auto is only a filter",
  })
  .meta({ ...memoryType.meta() });

/** An id as older versions may have stored it, such as "null", so that old exports can be imported. */
export const storedPublicId = z
  .string()
  .regex(PUBLIC_ID, { error: "must be 1 to 128 of A-Z a-z 0-9 . _ : -", abort: true });

/** An id chosen by a caller or generated by the service. */
export const publicId = naming(storedPublicId);

/** Names that API paths use as segments, or that URL parsers remove. */
const RESERVED_IDS = new Set(["search", "batch", "delete", ".", ".."]);

/** An id that a caller chooses for a new memory. */
export const chosenId = publicId.refine((id) => !RESERVED_IDS.has(id), {
  error: "must not be search, batch, delete, . or .., which the API's own paths use",
});

/** A project id as older versions may have stored it, such as `..` or "null", so that old exports can be imported. */
export const storedProjectId = storedPublicId.meta({ description: "The project that it belongs to" });

/** Message for a refused project id. */
export const PROJECT_ID_RULE =
  "must be 1 to 128 of A-Z a-z 0-9 . _ : -, and not . or .. or a word for nothing, such as null";

/** The name of a project. It is a URL segment, so `.` and `..` are refused: URL parsers remove them. */
export const projectId = naming(storedProjectId)
  .refine((id) => !isDots(id), { error: PROJECT_ID_RULE })
  .meta({ description: "The project that it belongs to; not . or .." });

/** A UUID in its usual form, in lower case. */
export const uuid = z.guid().toLowerCase().register(roles, { role: "naming" });

/** An instant with its offset, in the years 1 to 9999. */
export const instant = z.iso
  .datetime({
    offset: true,
    error: "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z",
    abort: true,
  })
  .refine((value) => isInstant(Date.parse(value)), { error: "must be in the years 1 to 9999" })
  .meta({ examples: ["2026-01-31T09:00:00Z"] });

/** A date and time with an offset in the formats of databases and programming languages. */
const WRITTEN_INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Converts an instant in another format, such as `2026-01-31 09:00:00+00`, to RFC 3339. Returns null without an offset,
 * since the time zone would be unknown.
 */
export function asRfc3339(written: string): string | null {
  const [, date, clock = "", offset = ""] = WRITTEN_INSTANT.exec(written.trim()) ?? [];
  if (date === undefined) return null;
  const time = clock.length === 5 ? `${clock}:00` : clock;
  const [, sign = "", hours = "", minutes = "00"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return `${date}T${time}${sign === "" ? "Z" : `${sign}${hours}:${minutes}`}`;
}

/** True if the milliseconds since the epoch fall in the years 1 to 9999, the range that can be stored. */
export function isInstant(milliseconds: number): boolean {
  const year = new Date(milliseconds).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A moment in an answer: RFC 3339 in UTC. */
export const time = z.string().meta({ format: "date-time" });

/** An IANA time zone. */
export const timeZone = text(1, 64)
  .refine(isTimeZone, { error: "must be an IANA time zone, such as Europe/Berlin" })
  .meta({ examples: ["Europe/Berlin"] });

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

const JSON_BYTES_MAX = 64 * 1024;
const JSON_DEPTH_MAX = 64;
const TOO_LARGE = "must be at most 64 KiB of JSON";

/**
 * Why a JSON value cannot be stored, or null. Iterative, so that nesting cannot exhaust the stack. A number counts as
 * many bytes as the database writes digits: 1e300 has 301.
 */
function whyNotStorable(root: unknown): string | null {
  let digits = 0;
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > JSON_DEPTH_MAX) return `must not be nested deeper than ${JSON_DEPTH_MAX} levels`;
    if (typeof value === "string" && !isStorable(value)) return UNSTORABLE;
    if (typeof value === "number" && !Number.isFinite(value)) return "must not contain numbers out of range";
    if (typeof value === "number" && value !== 0) digits += Math.abs(Math.log10(Math.abs(value)));
    if (digits > JSON_BYTES_MAX) return TOO_LARGE;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key)) return UNSTORABLE;
      pending.push({ value: member, depth: depth + 1 });
    }
  }
  return null;
}

/** A JSON object of at most 64 KiB, kept as given. */
export const jsonObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    {
      error: "must be a JSON object",
      abort: true,
    },
  )
  .superRefine((value, context) => {
    const message =
      whyNotStorable(value) ??
      (new TextEncoder().encode(JSON.stringify(value)).length > JSON_BYTES_MAX ? TOO_LARGE : null);
    if (message) context.addIssue({ code: "custom", message });
  })
  .meta({ type: "object", additionalProperties: true });

/** A share or weight from 0 to 1. */
export const unitInterval = z.number().min(0).max(1);
