import type { Operation } from "../../contract/operation.ts";
import { DomainError, type Issue } from "../../core/error.ts";
import { CLAIM_HEADERS } from "./admission.ts";

/** Where HTTP carries the members of an operation's input. */
export interface MemberPlaces {
  readonly path: readonly string[];
  readonly query: readonly string[];
  /** The members of the JSON body. Where there are none, nothing in a body counts. */
  readonly body: readonly string[];
}

/**
 * Path parameters by the template, headers by the binding, all else in the query (GET, DELETE) or the body; what the
 * binding takes from the query too is in both, and the body wins.
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
 * carries them: `["content"]` becomes `["body", "content"]`.
 */
export async function withMemberPlaces<T>(operation: Operation, call: () => Promise<T>): Promise<T> {
  try {
    return withPlacesOfEach(operation, await call());
  } catch (error) {
    if (!(error instanceof DomainError) || error.issues.length === 0) throw error;
    const issues = error.issues.map((issue) => placed(operation, issue));
    throw new DomainError(error.code, error.message, { issues, cause: error });
  }
}

function placed({ http }: Operation, { claim, loc, msg, type }: Issue): Issue {
  if (claim !== undefined) return { loc: ["header", CLAIM_HEADERS[claim]], msg, type };
  return { loc: [placeOf(http, String(loc[0] ?? "")), ...loc], msg, type };
}

function placeOf(http: Operation["http"], member: string): string {
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
  const detail = answer.error.detail.map((issue: Issue) =>
    // An answer that an earlier release kept under an Idempotency-Key names the place already.
    issue.loc[0] === "body" ? issue : placed(operation, issue),
  );
  return { error: { ...answer.error, detail } };
}
