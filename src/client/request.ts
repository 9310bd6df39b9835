import { type Attribution, attributionHeaders } from "./attribution.ts";
import { RecollectError } from "./error.ts";
import { type OperationKind, type OperationName, routesOf } from "./operation-table.ts";
import { HEADER_MEMBERS, OPERATIONS } from "./operations.ts";

/** A prepared request, which can be sent repeatedly. */
export interface PreparedRequest {
  readonly kind: OperationKind;
  readonly method: string;
  /** Below the base address, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Paths of operations that take no name of an end user, because they are about no owner's space. */
export const OF_NO_SPACE: RegExp = /^\/v1\/(agents|erasures|eval-sets|keys|skill|users)/;

const ROUTES = new Map(routesOf(OPERATIONS, "/v1"));

/** Names of all operations. */
export const OPERATION_NAMES: readonly OperationName[] = [...ROUTES.keys()];

/** Places the members of an operation's input in path, query, headers and body. */
export function prepare(
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  {
    attribution,
    user,
    idempotencyKey,
  }: { attribution: Attribution; user?: string | undefined; idempotencyKey?: string | undefined },
): PreparedRequest {
  const route = ROUTES.get(name);
  if (!route) throw new TypeError(`There is no operation ${name}.`);
  const { method, kind } = route;
  const rest = { ...input };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, member: string) => {
    const segment = pathSegment(member, rest[member]);
    delete rest[member];
    return segment;
  });
  const headers: Record<string, string> = {
    accept: "application/json",
    ...attributionHeaders(attribution, OF_NO_SPACE.test(path) ? undefined : user),
  };
  for (const [member, header] of Object.entries(HEADER_MEMBERS)) {
    if (typeof rest[member] === "string") headers[header] = rest[member];
    if (typeof rest[member] === "string" || rest[member] == null) delete rest[member];
  }
  if (kind === "keyed") headers["idempotency-key"] = idempotencyKey ?? newKey();
  const isInQuery = method === "GET" || method === "DELETE";
  if (isInQuery) return { kind, method, path: path + queryOf(rest), headers, body: undefined };
  const body = Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
  if (body !== undefined) headers["content-type"] = "application/json";
  return { kind, method, path, headers, body };
}

/** Encodes a path segment. Refuses `.` and `..`, which URL normalisation would resolve to another path. */
function pathSegment(member: string, value: unknown): string {
  const text = typeof value === "string" ? value : "";
  const issue = (msg: string) =>
    new RecollectError(`${member} ${msg}.`, {
      code: "validation_failed",
      issues: [{ loc: ["path", member], msg, type: value === undefined ? "missing" : "invalid" }],
    });
  if (text === "" || text === "." || text === "..") throw issue("must be an id, and not . or ..");
  try {
    return encodeURIComponent(text);
  } catch {
    throw issue("must be well-formed text");
  }
}

/** Formats members as a query with its `?`; empty if there are none. */
export function queryOf(members: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    // No query member can be cleared by null, so null is omitted.
    if (value == null) continue;
    // A record is serialised by its keys.
    if (typeof value !== "object") query.append(name, String(value));
    else for (const [key, inner] of Object.entries(value)) query.append(`${name}.${key}`, String(inner));
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** 128 random bits. `randomUUID` is unavailable on pages over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
