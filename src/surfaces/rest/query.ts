import { z } from "zod";
import type { Operation } from "../../contract/operation.ts";
import { invalid } from "../../core/error.ts";
import type { JsonSchema } from "./openapi/json-schema.ts";

/** What kinds of JSON value a member may be, by the names JSON Schema gives them. */
type Kinds = ReadonlySet<string>;

/** The members of an operation that arrive in the query string. */
export type QueryMembers = ReadonlyMap<string, Kinds>;

/** What each of these members of the operation's input wants to be, read from its schema. */
export function queryMembers(operation: Operation, names: readonly string[]): QueryMembers {
  if (names.length === 0) return new Map();
  const schema = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const definition = schema.$ref ? schema.$defs?.[schema.$ref.slice("#/$defs/".length)] : schema;
  return new Map(names.map((name) => [name, kindsOf(definition?.properties?.[name] ?? {})]));
}

function kindsOf(schema: JsonSchema): Kinds {
  return new Set([schema.type ?? [], ...(schema.anyOf ?? []).map((branch) => [...kindsOf(branch)])].flat());
}

/** What a query string says. */
export interface Query {
  readonly input: Record<string, unknown>;
  /** The names in it that no member has, each once. */
  readonly unknown: readonly string[];
}

/**
 * Reads a query string (without its `?`). Text becomes the number, boolean or null that the member wants; text that is
 * none stays text, for the schema to refuse. `metadata.<key>=<value>` fills the record `metadata`. No member is a list,
 * so each is given once: which of two was meant, nobody can tell.
 */
export function readQuery(search: string, members: QueryMembers): Query {
  const input = new Map<string, unknown>();
  const unknown = new Set<string>();
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decoded(at === -1 ? pair : pair.slice(0, at), ["query"]);
    const value = (loc: readonly string[]) => decoded(at === -1 ? "" : pair.slice(at + 1), loc);
    const kinds = members.get(name);
    const record = recordOf(name, members);
    if (kinds) {
      if (input.has(name)) throw repeated(["query", name]);
      input.set(name, valueFor(value(["query", name]), kinds));
    } else if (record === null) unknown.add(name);
    else {
      const key = name.slice(record.length + 1);
      const loc = ["query", record, key];
      const before = input.get(record);
      const filled = (before instanceof Object ? before : {}) as Record<string, unknown>;
      // zod drops this key from a record, and a dropped filter would widen the answer.
      if (key === "__proto__") throw invalid(loc, "cannot be filtered by");
      if (Object.hasOwn(filled, key)) throw repeated(loc);
      filled[key] = value(loc);
      input.set(record, filled);
    }
  }
  return { input: Object.fromEntries(input), unknown: [...unknown] };
}

/** The record that a name such as `metadata.topic` is about; null where it is about none. */
function recordOf(name: string, members: QueryMembers): string | null {
  const dot = name.indexOf(".");
  const record = dot === -1 ? "" : name.slice(0, dot);
  return members.get(record)?.has("object") ? record : null;
}

function repeated(loc: readonly string[]) {
  return invalid(loc, "must be given once", "repeated");
}

function decoded(text: string, loc: readonly string[]): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw invalid(loc, "must be valid percent-encoded UTF-8");
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function valueFor(text: string, kinds: Kinds): unknown {
  if (kinds.has("null") && (text === "" || text === "null")) return null;
  if (kinds.has("integer") || kinds.has("number")) {
    const number = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(number) ? number : text;
  }
  if (kinds.has("boolean")) return BOOLEANS.get(text.toLowerCase()) ?? text;
  return text;
}
