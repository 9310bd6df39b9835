import type { Operation } from "../../contract/operation.ts";
import { DomainError, type Issue } from "../../core/error.ts";
import { CLAIM_HEADERS } from "./admission.ts";

/** Where an HTTP request carries each member of an operation's input. */
export interface MemberPlaces {
  readonly path: readonly string[];
  readonly query: readonly string[];
  /** Members of the JSON body. If empty, the body is ignored. */
  readonly body: readonly string[];
}

/**
 * Returns the documented places: path parameters by the template, headers by the binding, everything else in the query
 * (GET, DELETE) or the body, or in both if the binding says so. Requests may also send a query member in the body and
 * vice versa.
 */
export function memberPlaces({ http, input }: Operation): MemberPlaces {
  const path = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const elsewhere = new Set([...path, ...Object.keys(http.headers ?? {})]);
  const members = Object.keys(input.shape).filter((name) => !elsewhere.has(name));
  // The name of an end user alone is no reason for a body.
  const isInQuery = isQueryOnly(http) || members.every((name) => name === "user_id");
  return { path, query: isInQuery ? members : (http.queryToo ?? []), body: isInQuery ? [] : members };
}

function isQueryOnly({ method }: Operation["http"]): boolean {
  return method === "GET" || method === "DELETE";
}

/**
 * Calls the operation and adds HTTP places to the issues it rejects with: `["content"]` becomes `["body", "content"]`.
 * `cameFrom`: members that the request carried in another than the documented place.
 */
export async function withMemberPlaces<T>(
  operation: Operation,
  call: () => Promise<T>,
  cameFrom: ReadonlyMap<string, string> = new Map(),
): Promise<T> {
  try {
    return withPlacesOfEach(operation, await call());
  } catch (error) {
    if (!(error instanceof DomainError) || error.issues.length === 0) throw error;
    const issues = error.issues.map((issue) => placed(operation, issue, cameFrom));
    throw new DomainError(error.code, error.message, { issues, cause: error });
  }
}

function placed(
  { http }: Operation,
  { claim, loc, msg, type }: Issue,
  cameFrom: ReadonlyMap<string, string> = new Map(),
): Issue {
  if (claim !== undefined) return { loc: ["header", CLAIM_HEADERS[claim]], msg, type };
  const member = String(loc[0] ?? "");
  return { loc: [cameFrom.get(member) ?? placeOf(http, member), ...loc], msg, type };
}

export function placeOf(http: Operation["http"], member: string): "path" | "header" | "query" | "body" {
  if (http.path.includes(`{${member}}`)) return "path";
  if (http.headers && Object.hasOwn(http.headers, member)) return "header";
  return isQueryOnly(http) ? "query" : "body";
}

/** The same for the items of a batch, whose refusals are in the answer. */
function withPlacesOfEach<T>(operation: Operation, output: T): T {
  if (!operation.each) return output;
  const { answers } = operation.each;
  const list = (output as Record<string, readonly EachAnswer[]>)[answers] ?? [];
  return { ...output, [answers]: list.map((answer) => withPlacesOfOne(operation, answer)) };
}

interface EachAnswer {
  readonly error?: { readonly code: string; readonly detail: string | readonly Issue[] };
}

function withPlacesOfOne(operation: Operation, answer: EachAnswer): EachAnswer {
  if (!Array.isArray(answer.error?.detail)) return answer;
  const detail = answer.error.detail.map((issue: Issue) => placed(operation, issue));
  return { error: { ...answer.error, detail } };
}
