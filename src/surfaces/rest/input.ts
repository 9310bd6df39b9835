import { z } from "zod";
import type { Operation } from "../../contract/operation.ts";
import { isNaming } from "../../contract/primitives.ts";
import { DomainError, invalid } from "../../core/error.ts";
import { isSameJson, parseExactJson } from "../../core/input/json.ts";
import {
  ignoredMembers,
  type UnknownMember,
  unknownIssues,
  unknownMembers,
} from "../../core/input/unknown-members.ts";
import { readInTurn } from "../http/admission.ts";
import { lazy } from "../http/lazy.ts";
import { requireJsonType } from "../http/media-type.ts";
import { memberPlaces, placeOf } from "../http/member-places.ts";
import type { RequestContext, SurfaceDependencies } from "../http/pipeline.ts";
import type { JsonSchema } from "./openapi/open-api.ts";

/** Dependencies for reading a body in its turn. */
type Surface = Pick<SurfaceDependencies, "share" | "trustedProxies">;

/** State that reading a request leaves for its answer. */
export interface Ignoring {
  ignored: readonly UnknownMember[];
  /** Members that were sent in another place than the contract's, with that place. */
  cameFrom?: ReadonlyMap<string, Place>;
}

/** The part of a request that carries a member. */
type Place = "path" | "header" | "query" | "body";

/** The members that a request carries, by place. */
type Carried = readonly (readonly [Place, Readonly<Record<string, unknown>>])[];

/**
 * Collects the raw input from all places of a request, without validating it. A query member may also be sent in the
 * body and vice versa. Unknown members that are ignored are noted in the context.
 */
export function inputCollector(
  surface: Surface,
  operation: Operation,
): (context: RequestContext & Ignoring) => Promise<Record<string, unknown>> {
  const places = memberPlaces(operation);
  const inQuery = lazy(() => queryMembers(operation, Object.keys(operation.input.shape)));
  const headers = Object.entries(operation.http.headers ?? {});
  const takesBody = places.body.length > 0;
  const tooLong = TOO_LONG + (SEARCHES.has(operation.name) ? ` ${HOW_TO_SEARCH}` : "");
  return async (context) => {
    const { request, params } = context;
    const query = readQuery(searchOf(request, tooLong), inQuery());
    refuseUnknown(operation, query.unknown, "query");
    const body = takesBody ? await readBody(surface, context) : await readUnwanted(surface, context);
    const isMember = (name: string) => Object.hasOwn(operation.input.shape, name);
    const others = Object.keys(body).filter((name) => !isMember(name));
    // Faults of a body are reported together, after it has been read.
    if (!takesBody) refuseUnknown(operation, others, "body");
    const carried: Carried = [
      ["path", Object.fromEntries(places.path.map((name) => [name, pathMember(params, name)]))],
      ["header", Object.fromEntries(headers.map(([name, header]) => [name, request.headers.get(header)]))],
      ["query", query.input],
      ["body", Object.fromEntries(Object.entries(body).filter(([name]) => isMember(name)))],
    ];
    const { members, cameFrom } = agreed(operation, carried);
    context.cameFrom = cameFrom;
    const unknown = takesBody ? others.map((name) => [name, body[name]] as const) : [];
    // Not by assignment, since a name may be __proto__.
    const input: Record<string, unknown> = Object.fromEntries([...members, ...unknown]);
    const mistaken = unknownMembers(query.unknown, operation.input).others;
    context.ignored = [
      ...mistaken,
      ...ignoredMembers(operation, input),
      ...(takesBody ? [] : unknownMembers(others, operation.input).others),
    ];
    // Lets the error about a missing parameter suggest the sent one that was probably meant.
    for (const { name, meant } of mistaken) if (meant !== null) input[name] ??= undefined;
    return input;
  };
}

function pathMember(params: RequestContext["params"], name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw invalid(["path", name], "must be valid percent-encoded UTF-8");
  return value;
}

/**
 * Merges the members of all places; `validation_failed` if two places give a member different values. null counts as
 * absent.
 */
function agreed(
  operation: Operation,
  carried: Carried,
): { members: ReadonlyMap<string, unknown>; cameFrom: ReadonlyMap<string, Place> } {
  const agreedOn = new Map<string, unknown>();
  const from = new Map<string, Place>();
  for (const [place, members] of carried) {
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined || (place === "header" && value === null)) continue;
      const before = agreedOn.get(name) ?? null;
      if (before !== null && value !== null && !isSame(operation.input.shape[name], before, value))
        throw invalid([place, name], `differs from ${name} in the ${from.get(name)}`);
      if (before !== null) continue;
      from.set(name, place);
      agreedOn.set(name, value);
    }
  }
  const isElsewhere = ([name, place]: readonly [string, Place]) => placeOf(operation.http, name) !== place;
  return { members: agreedOn, cameFrom: new Map([...from].filter(isElsewhere)) };
}

/** True if the schema parses both values to the same. */
function isSame(schema: z.ZodType, one: unknown, other: unknown): boolean {
  const [left, right] = [schema.safeParse(one), schema.safeParse(other)];
  return isSameJson(left.success ? left.data : one, right.success ? right.data : other);
}

/** Whether the operation supports `Idempotency-Key`. */
export function takesIdempotencyKey({ http, effect, unrepeatable }: Operation): boolean {
  return http.method === "POST" && effect !== "read" && !unrepeatable;
}

/**
 * Returns the `Idempotency-Key` of a request, if the operation supports it. Throws `validation_failed` if the key
 * cannot be stored.
 */
export function idempotencyKey(operation: Operation, headers: Headers): string | null {
  const key = takesIdempotencyKey(operation) ? headers.get("idempotency-key") : null;
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(["header", "idempotency-key"], "must be 1 to 255 visible ASCII characters");
}

/** Treats `metdata.topic` as a misspelling of `metadata.topic`, not as an independent name. */
function refuseUnknown(operation: Operation, names: readonly string[], place: Place): void {
  const members = new Set(names.map((name) => name.split(".", 1)[0] ?? ""));
  const issues = unknownIssues(members, operation, [place]);
  if (issues.length > 0) throw new DomainError("validation_failed", "The request is not valid.", { issues });
}

/**
 * The longest accepted query string. Below the limits of all three runtimes, so that this refusal always comes first.
 */
const QUERY_BYTES_MAX = 32 * 1024;

const TOO_LONG = `The query string is longer than ${QUERY_BYTES_MAX} bytes.`;
/** Operations for which a POST search with a body is an alternative. */
const SEARCHES = new Set(["listMemories", "searchMemories"]);
const HOW_TO_SEARCH = "POST /v1/memories/search takes a search in a body.";

function searchOf({ url }: Request, tooLong: string): string {
  const at = url.indexOf("?");
  const search = at === -1 ? "" : (url.slice(at + 1).split("#", 1)[0] ?? "");
  if (search.length <= QUERY_BYTES_MAX) return search;
  throw new DomainError("payload_too_large", tooLong);
}

/** JSON types of a member, by their JSON Schema names. */
type Kinds = ReadonlySet<string>;

/** Query members of an operation, with the types that their text may be converted to. */
type QueryMembers = ReadonlyMap<string, Kinds>;

/** Returns the types of these members, from the operation's input schema. */
function queryMembers(operation: Operation, names: readonly string[]): QueryMembers {
  if (names.length === 0) return new Map();
  const schema = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const definition = schema.$ref ? schema.$defs?.[schema.$ref.slice("#/$defs/".length)] : schema;
  return new Map(
    names.map((name) => {
      const kinds = kindsOf(definition?.properties?.[name] ?? {});
      // Keys, ids and names are never null: there, an empty text or `null` is refused instead of converted.
      if (isNaming(operation.input.shape[name])) kinds.delete("null");
      return [name, kinds];
    }),
  );
}

function kindsOf(schema: JsonSchema): Set<string> {
  return new Set([schema.type ?? [], ...(schema.anyOf ?? []).map((branch) => [...kindsOf(branch)])].flat());
}

interface Query {
  readonly input: Record<string, unknown>;
  /** Unknown names in it, without duplicates. */
  readonly unknown: readonly string[];
}

/**
 * Parses a query string (without its `?`). Text is converted to the member's number, boolean or null; other text stays,
 * so that the schema refuses it. `metadata.<key>=<value>` fills the record `metadata`. No member is a list, so a
 * repeated name is ambiguous and refused.
 */
function readQuery(search: string, members: QueryMembers): Query {
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
      // zod drops this key from a record, and a dropped filter would match too much.
      if (key === "__proto__") throw invalid(loc, "cannot be filtered by");
      if (Object.hasOwn(filled, key)) throw repeated(loc);
      filled[key] = value(loc);
      input.set(record, filled);
    }
  }
  return { input: Object.fromEntries(input), unknown: [...unknown] };
}

/** Returns the record that a name such as `metadata.topic` belongs to, or null. */
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

/** Deeper than any body that the contract allows, and far below what would overflow a parser's stack. */
const NESTING_MAX = 128;

/**
 * Reads the members of a JSON body; none if there is no body, so that the schema reports what is missing. Rejects with
 * `payload_too_large`, `unsupported_media_type`, or `validation_failed` at `["body"]`, the same on every runtime.
 */
async function readBody(surface: Surface, context: RequestContext): Promise<Record<string, unknown>> {
  const bytes = await readInTurn(surface, context);
  if (bytes.length === 0) return {};
  requireJson(context.request.headers);
  return asObject(parsed(bytes));
}

/**
 * The same for a body that is not needed: an unreadable one does not fail the request. The body of a GET has no meaning
 * in HTTP, and not every runtime exposes it.
 */
async function readUnwanted(surface: Surface, context: RequestContext): Promise<Record<string, unknown>> {
  const { body, method } = context.request;
  if (body === null || method === "GET" || method === "HEAD") return {};
  try {
    return await readBody(surface, context);
  } catch (error) {
    if (error instanceof DomainError) return {};
    throw error;
  }
}

function requireJson(headers: Headers): void {
  requireJsonType(headers);
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new DomainError("unsupported_media_type", "Send the body without Content-Encoding.");
  }
}

function parsed(bytes: Uint8Array): unknown {
  if (nesting(bytes) > NESTING_MAX) {
    throw invalid(["body"], `must not be nested deeper than ${NESTING_MAX} levels`, "json_invalid");
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(["body"], "must be UTF-8", "json_invalid");
  }
  return parseExactJson(text, ["body"]);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * Returns how deep arrays and objects are nested. Checked before parsing and without recursion, since a parser may
 * recurse.
 */
function nesting(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (isOpening(byte)) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (isClosing(byte)) depth -= 1;
  }
  return deepest;
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalid(["body"], "must be a JSON object", "invalid_type");
}
