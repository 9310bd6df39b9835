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

/**
 * The input that a query string (without its `?`) spells. Text becomes the number, boolean or null that the member
 * wants; text that is none stays text, for the schema to refuse. The last of a repeated name wins;
 * `metadata.<key>=<value>` fills the record `metadata`. Names that no member has are ignored.
 */
export function readQuery(search: string, members: QueryMembers): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decoded(at === -1 ? pair : pair.slice(0, at), ["query"]);
    const kinds = members.get(name);
    if (kinds) {
      input[name] = valueFor(decoded(at === -1 ? "" : pair.slice(at + 1), ["query", name]), kinds);
      continue;
    }
    const dot = name.indexOf(".");
    const record = dot === -1 ? "" : name.slice(0, dot);
    if (!members.get(record)?.has("object")) continue;
    const key = name.slice(dot + 1);
    // zod drops this key from a record, and a dropped filter would widen the answer.
    if (key === "__proto__") throw invalid(["query", record, key], "cannot be filtered by");
    const value = decoded(at === -1 ? "" : pair.slice(at + 1), ["query", record, key]);
    const before = typeof input[record] === "object" ? input[record] : null;
    input[record] = { ...before, [key]: value };
  }
  return input;
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
