import type { Operation } from "../../contract/operation.ts";

/** Where REST carries the members of an operation's input. */
export interface MemberPlaces {
  readonly path: readonly string[];
  readonly query: readonly string[];
  /** The members of the JSON body. Where there are none, nothing in a body counts. */
  readonly body: readonly string[];
}

/**
 * Path parameters by the template, headers by the binding, all else in the query (GET, DELETE) or the body; what the
 * binding takes from the query too is in both, and the body's word counts.
 */
export function memberPlaces({ http, input }: Operation): MemberPlaces {
  const path = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const elsewhere = new Set([...path, ...Object.keys(http.headers ?? {})]);
  const members = Object.keys(input.shape).filter((name) => !elsewhere.has(name));
  const isInQuery = http.method === "GET" || http.method === "DELETE";
  return { path, query: isInQuery ? members : (http.queryToo ?? []), body: isInQuery ? [] : members };
}
