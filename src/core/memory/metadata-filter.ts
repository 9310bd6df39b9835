/**
 * How a filter reads a memory's metadata. `metadataMatches` in the Postgres adapter's `filter.ts` implements the same
 * rules in SQL.
 */
import type { MetadataValue } from "../../contract/filter.ts";
import { normalForm } from "../../recall/language/normal-form.ts";

/**
 * The values of a name in the metadata: of the member with exactly that name if there is one, otherwise of the nested
 * member on the dotted path. A list stands for its elements, along the path too; in the result, lists of lists are also
 * flattened.
 */
export function heldIn(metadata: Readonly<Record<string, unknown>>, name: string): unknown[] {
  const held = Object.hasOwn(metadata, name) ? [metadata[name]] : nestedIn(metadata, name.split("."));
  return held.flatMap(listMembers).flatMap(listMembers);
}

function nestedIn(metadata: unknown, names: readonly string[]): unknown[] {
  let held = [metadata];
  for (const name of names) {
    held = held
      .flatMap(listMembers)
      .flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));
  }
  return held;
}

function listMembers(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if a memory's value equals the requested one. */
export function equalsAsked(held: unknown, asked: MetadataValue): boolean {
  const isText = typeof held === "string";
  return equalTo(asked).includes((isText ? normalForm(held, "NFC") : held) as MetadataValue);
}

/** The values that equal a requested one: a text also equals the number, boolean or null that it spells. */
export function equalTo(asked: MetadataValue): MetadataValue[] {
  if (typeof asked !== "string") return [asked];
  if (WORDS.has(asked)) return [asked, WORDS.get(asked) as boolean | null];
  const number = NUMBER.test(asked) ? Number(asked) : Number.NaN;
  return Number.isFinite(number) ? [asked, number] : [asked];
}

const WORDS = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
