import type { Operation } from "../../src/contract/operation.ts";
import { memberPlaces } from "../../src/surfaces/http/member-places.ts";
import { type Leaf, leavesOf, plainValue } from "./members.ts";
import type { HttpRequest } from "./target.ts";

type Members = Readonly<Record<string, unknown>>;

/** Where a member is carried, and so how much of it there can be. */
export type Carrier = "path" | "query" | "header" | "body";

export const BYTES_MAX: Readonly<Record<Carrier, number>> = {
  // All three runtimes take an address and headers of this size.
  path: 12 * 1024,
  header: 12 * 1024,
  query: 30 * 1024,
  body: 1024 * 1024 - 1024,
};

/** Input of the operation that is as small as it can be, with these members as they are. */
export function plainInput(operation: Operation, known: Members): Members {
  const input: Record<string, unknown> = { ...known };
  for (const { path, schema, isRequired, of } of leavesOf(operation)) {
    const [name = ""] = path;
    if (!isRequired || path.length > 1 || name in input) continue;
    input[name] = of.length > 0 ? [plainItem(of)] : plainValue(schema);
  }
  return input;
}

/** A request within a request. */
export function plainItem(members: readonly Leaf[]): Members {
  const required = members.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map(({ path, schema }) => [path[0] as string, plainValue(schema)]));
}

/** The input with another value at a place. */
export function withValue(input: Members, [name = "", ...rest]: readonly string[], value: unknown): Members {
  const inner = (input[name] ?? {}) as Members;
  return { ...input, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

export function carrierOf(operation: Operation, name: string): Carrier {
  const places = memberPlaces(operation);
  if (places.path.includes(name)) return "path";
  if (operation.http.headers && name in operation.http.headers) return "header";
  return places.query.includes(name) && places.body.length === 0 ? "query" : "body";
}

/** The request over REST that carries the input. */
export function restRequest(operation: Operation, input: Members): HttpRequest {
  const { method, path, headers: named = {} } = operation.http;
  const of = (carrier: Carrier) =>
    Object.entries(input).filter(([name]) => carrierOf(operation, name) === carrier);
  const inPath = new Map(of("path"));
  const query = of("query")
    .flatMap(([name, value]) => queryPairs(name, value))
    .join("&");
  const headers = Object.fromEntries(
    of("header").map(([name, value]) => [named[name] as string, headerText(value)]),
  );
  const body =
    memberPlaces(operation).body.length > 0 ? JSON.stringify(Object.fromEntries(of("body"))) : undefined;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(inPath.get(name))));
  return { method, path: query === "" ? filled : `${filled}?${query}`, headers, body };
}

/** The call of the operation's tool over MCP; null where it is none. */
export function mcpRequest({ mcp }: Operation, input: Members): HttpRequest | null {
  if (!mcp) return null;
  return {
    method: "POST",
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: mcp.tool, arguments: input },
    }),
  };
}

function queryPairs(name: string, value: unknown): string[] {
  if (value === null || typeof value !== "object") return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).map(
    ([key, text]) => `${encodeURIComponent(`${name}.${key}`)}=${encodeURIComponent(String(text))}`,
  );
}

/** As much of it as a header can carry. */
function headerText(value: unknown): string {
  return String(value)
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "a")
    .trim();
}
