import type { z } from "zod";
import { isWordForNothing } from "../../contract/names.ts";
import { asRfc3339, isStatement } from "../../contract/primitives.ts";
import { ofServiceAlone, serviceMembers } from "../../contract/service-members.ts";
import { parseExactJson } from "../../core/input/json.ts";

type Members = Readonly<Record<string, unknown>>;
type Place = readonly PropertyKey[];

/** Marks the interpretation of a value as an omitted argument. */
const LEFT_OUT = Symbol("left out");

/** Maximum number of passes. Each level of nested arguments takes one. */
const ROUNDS_MAX = 4;
/** More than any tool has arguments. Longer lists, such as of wrong ids, cannot be repaired anyway. */
const ISSUES_MAX = 50;

/**
 * Repairs arguments that a tool's schema refuses: parses numbers, booleans, lists and objects that a client sent as
 * text, converts instants to RFC 3339, and omits values that stand for an absent argument (null, an empty text, an
 * empty object, words such as "none"). Valid values stay unchanged, and so do values that cannot be repaired.
 */
export function readArguments(schema: z.ZodObject, given: unknown): unknown {
  return withoutNamesForNothing(repaired(schema, given));
}

/** Names in a provenance, which has no schema of its own. */
const NAMES_IN_PROVENANCE = serviceMembers.provenance.filter(
  (name) => !ofServiceAlone.includes(name as never),
);

/** Omits the names in `provenance` that are words for nothing. The provenance is otherwise the caller's own. */
function withoutNamesForNothing(input: unknown): unknown {
  if (!isObject(input) || !isObject(input.provenance)) return input;
  const { provenance } = input;
  const isForNothing = (value: unknown) => typeof value === "string" && isWordForNothing(value);
  const omitted = NAMES_IN_PROVENANCE.filter((name) => isForNothing((provenance as Members)[name]));
  if (omitted.length === 0) return input;
  const kept = Object.entries(provenance).filter(([name]) => !omitted.includes(name as never));
  return { ...input, provenance: Object.fromEntries(kept) };
}

function repaired(schema: z.ZodObject, given: unknown): unknown {
  let read = given;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { error } = schema.safeParse(read);
    if (error === undefined) return read;
    const before = read;
    for (const { path } of error.issues.slice(0, ISSUES_MAX)) read = readAt(schema, read, path);
    if (read === before) return read;
  }
  return read;
}

/**
 * Returns the input with the value at that place replaced by the first interpretation that the schema accepts there.
 */
function readAt(schema: z.ZodObject, input: unknown, place: Place): unknown {
  const value = place.reduce<unknown>(
    (from, key) => (isObject(from) ? from[key as string] : undefined),
    input,
  );
  for (const reading of readingsOf(value, schema.shape[place[0] as string])) {
    // Omitting an element would change the meaning of a list.
    const [parent, last] = [place.slice(0, -1), place.at(-1)];
    if (last === undefined || (reading === LEFT_OUT && typeof last === "number")) continue;
    const changed = withReading(input, [...parent, last], reading);
    const isRefused = schema
      .safeParse(changed)
      .error?.issues.some(
        ({ path }) => path.length === place.length && path.every((key, at) => key === place[at]),
      );
    if (!isRefused) return changed;
  }
  return input;
}

/** Returns alternative interpretations of a value. */
function readingsOf(value: unknown, member: unknown): unknown[] {
  if (value === null) return [LEFT_OUT];
  if (isObject(value)) return !Array.isArray(value) && Object.keys(value).length === 0 ? [LEFT_OUT] : [];
  if (typeof value !== "string") return [];
  const held = heldIn(value);
  const readings = held === undefined ? [] : [held, ...readingsOf(held, member)];
  const instant = asRfc3339(value);
  if (instant !== null) readings.push(instant);
  // An empty content is an error to report, not an omitted argument.
  if (isWordForNothing(value) && !isStatement(member as z.ZodType)) readings.push(LEFT_OUT);
  return readings;
}

/**
 * Parses a text that holds a number, boolean, list or object as JSON, or a Python boolean; undefined for any other
 * text.
 */
export function heldIn(text: string): unknown {
  const json = /^\s*(?:True|False)\s*$/.test(text) ? text.toLowerCase() : text;
  // Avoids parsing texts that cannot be such a value; most texts are long.
  if (!/^\s*(?:[-\d[{]|true\s*$|false\s*$)/.test(json)) return undefined;
  try {
    return parseExactJson(json, []);
  } catch {
    return undefined;
  }
}

function withReading(input: unknown, [key, ...rest]: Place, reading: unknown): unknown {
  if (key === undefined) return reading;
  if (Array.isArray(input))
    return input.map((one, at) => (at === key ? withReading(one, rest, reading) : one));
  const { [key as string]: member, ...others } = input as Members;
  const read = withReading(member, rest, reading);
  return read === LEFT_OUT ? others : { ...others, [key as string]: read };
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
