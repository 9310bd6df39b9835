import type { Operation } from "../../contract/operation.ts";
import { DomainError, type Issue } from "../../core/error.ts";
import { CLAIM_HEADERS } from "./admission.ts";

/** The place of each member of an operation's input in an HTTP request. */
export interface MemberPlaces {
  readonly path: readonly string[];
  readonly query: readonly string[];
  /** The members of the JSON body. Where there are none, nothing in a body counts. */
  readonly body: readonly string[];
}

/**
 * The places that the documents name: path parameters by the template, headers by the binding, all else in the query (GET,
 * DELETE) or the body, and in both if the binding says so. Requests may carry a member in the other of the two as well.
 */
export function memberPlaces({ http, input }: Operation): MemberPlaces {
  const path = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const elsewhere = new Set([...path, ...Object.keys(http.headers ?? {})]);
  const members = Object.keys(input.shape).filter((name) => !elsewhere.has(name));
  const isInQuery = isQueryOnly(http);
  return { path, query: isInQuery ? members : (http.queryToo ?? []), body: isInQuery ? [] : members };
}

function isQueryOnly({ method }: Operation["http"]): boolean {
  return method === "GET" || method === "DELETE";
}

/**
 * Calls the operation. The core names the members that broke a rule; what it rejects with then also says where HTTP
 * carries them: `["content"]` becomes `["body", "content"]`. `cameFrom`: those that the request carried elsewhere.
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

/** The place of a member as the documents name it. */
export function placeOf(http: Operation["http"], member: string): "path" | "header" | "query" | "body" {
  if (http.path.includes(`{${member}}`)) return "path";
  if (http.headers && Object.hasOwn(http.headers, member)) return "header";
  return isQueryOnly(http) ? "query" : "body";
}

/** The same for requests within the request, which are refused in the answer. */
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
