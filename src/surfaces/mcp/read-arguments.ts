import type { z } from "zod";
import { asRfc3339, isStatement, isWordForNothing } from "../../contract/primitives.ts";
import { parseExactJson } from "../../core/input/json.ts";

type Members = Readonly<Record<string, unknown>>;
type Place = readonly PropertyKey[];

/** A reading of a value as "not given". */
const LEFT_OUT = Symbol("left out");

/** An argument within an argument takes a round of its own. */
const ROUNDS_MAX = 4;
/** No tool has as many arguments; in a list of wrong ids no reading helps. */
const ISSUES_MAX = 50;

/**
 * A tool's arguments with the values that its schema refuses read in the one way that it takes: numbers, booleans, lists
 * and objects that a client sent as text, and whatever stands for an argument that is not given: null, an empty text, an
 * empty object, a word for nothing. What the schema takes stays as it is, and so does what no reading helps.
 */
export function readArguments(schema: z.ZodObject, given: unknown): unknown {
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

/** The input with the value at that place in the first reading that is no longer refused there. */
function readAt(schema: z.ZodObject, input: unknown, place: Place): unknown {
  const value = place.reduce<unknown>(
    (from, key) => (isObject(from) ? from[key as string] : undefined),
    input,
  );
  for (const reading of readingsOf(value, schema.shape[place[0] as string])) {
    // An element that is left out of a list would make another list of it.
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

/** In which other ways a value can be meant. */
function readingsOf(value: unknown, member: unknown): unknown[] {
  if (value === null) return [LEFT_OUT];
  if (isObject(value)) return !Array.isArray(value) && Object.keys(value).length === 0 ? [LEFT_OUT] : [];
  if (typeof value !== "string") return [];
  const held = heldIn(value);
  const readings = held === undefined ? [] : [held, ...readingsOf(held, member)];
  const instant = asRfc3339(value);
  if (instant !== null) readings.push(instant);
  // Whoever sends an empty content says something, though nothing that can be stored.
  if (isWordForNothing(value) && !isStatement(member as z.ZodType)) readings.push(LEFT_OUT);
  return readings;
}

/** The number, boolean, list or object that a text holds as JSON, or as Python writes booleans; undefined for any other. */
export function heldIn(text: string): unknown {
  const json = /^\s*(?:True|False)\s*$/.test(text) ? text.toLowerCase() : text;
  // Anything else is no such value, and most texts are long.
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
