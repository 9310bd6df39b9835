import type { Operation } from "../../../contract/operation.ts";
import { isForVisitors } from "../../../contract/operations.ts";
import { memberPlaces } from "../../http/member-places.ts";

/**
 * A code sample of an operation, in the format of
 * https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples.
 */
export interface CodeSample {
  readonly lang: "Shell" | "TypeScript" | "Python" | "JSON";
  readonly label: string;
  readonly source: string;
}

/** Returns the same request for curl, the TypeScript client, Python, and MCP if the operation is a tool. */
export function codeSamplesOf(operation: Operation, input: Readonly<Record<string, unknown>>): CodeSample[] {
  const { mcp } = operation;
  return [
    { lang: "Shell", label: "curl", source: curl(operation, input) },
    { lang: "TypeScript", label: "TypeScript", source: typescript(operation, input) },
    { lang: "Python", label: "Python", source: python(operation, input) },
    ...(mcp ? [{ lang: "JSON", label: "MCP", source: toolCall(mcp.tool, input) } as const] : []),
  ];
}

function requestOf(operation: Operation, input: Readonly<Record<string, unknown>>) {
  const { body, query } = memberPlaces(operation);
  const { method, path, headers = {} } = operation.http;
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => name in input).map((name) => [name, input[name]]));
  const content = pick(body);
  const inBody = Object.keys(content).length > 0 ? content : null;
  return {
    method,
    target: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))),
    query: Object.entries(pick(query)).filter(([name]) => !(name in content)),
    headers: Object.entries(headers)
      .filter(([member]) => member in input)
      .map(([member, header]): [string, string] => [header, String(input[member])]),
    // Operations with a body need one even if it is empty.
    body: inBody ?? (body.length > 0 ? {} : null),
    needsKey: !isForVisitors(operation),
  };
}

function curl(operation: Operation, input: Readonly<Record<string, unknown>>): string {
  const { method, target, query, headers, body, needsKey } = requestOf(operation, input);
  const implied = body === null ? "GET" : "POST";
  const parts = [
    `curl "$RECOLLECT_URL${target}"`,
    ...(method === implied ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "X-API-Key: $RECOLLECT_API_KEY"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(query.length > 0 ? ["-G"] : []),
    ...query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${textOf(value)}`)}`),
    ...(body === null ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(" \\\n  ");
}

function typescript({ name }: Operation, input: Readonly<Record<string, unknown>>): string {
  return `import { createClient } from "recollect/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8787", apiKey: "YOUR_KEY" });
const answer = await client.${name}(${Object.keys(input).length === 0 ? "{}" : JSON.stringify(input, null, 2)});`;
}

function python(operation: Operation, input: Readonly<Record<string, unknown>>): string {
  const { method, target, query, headers, body, needsKey } = requestOf(operation, input);
  const sent = [
    ...(needsKey ? ['"X-API-Key": os.environ["RECOLLECT_API_KEY"]'] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${pythonOf(value)}`),
  ];
  const parts = [
    JSON.stringify(method),
    `os.environ["RECOLLECT_URL"] + ${JSON.stringify(target)}`,
    ...(sent.length > 0 ? [`headers={${sent.join(", ")}}`] : []),
    ...(query.length > 0 ? [`params=${pythonOf(Object.fromEntries(query))}`] : []),
    ...(body === null ? [] : [`json=${pythonOf(body)}`]),
  ];
  return `import os

import httpx

answer = httpx.request(
${parts.map((part) => `    ${part},`).join("\n")}
).raise_for_status().json()`;
}

function toolCall(tool: string, input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ method: "tools/call", params: { name: tool, arguments: input } }, null, 2);
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Quotes any value for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats a JSON value as a Python literal. */
function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonOf(member)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}
