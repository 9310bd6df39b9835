import type { Operations } from "./contract.ts";

export type OperationName = keyof Operations;

/**
 * What may be done with a request whose fate is not known:
 * `read` changes nothing; `keyed` is carried out once for its Idempotency-Key; `same` leads to the same state when it is
 * done again; `once` may do something a second time, such as handing out another token.
 */
export type OperationKind = "read" | "keyed" | "same" | "once";

/** What an operation's kind is unless it is said: by its method. */
export const KINDS_BY_METHOD = { GET: "read", POST: "keyed", PATCH: "same", DELETE: "same" } as const;

/** How an operation is reached: its method, its path's template below /v1, and its kind where it does not follow from the method. */
export type OperationTable = Readonly<Record<OperationName, string>>;

/** An entry of the table, taken apart. */
export function readEntry(entry: string): { method: Method; template: string; kind: OperationKind } {
  const [method, template = "", kind] = entry.split(" ") as [Method, string, OperationKind?];
  return { method, template, kind: kind ?? KINDS_BY_METHOD[method] };
}

type Method = keyof typeof KINDS_BY_METHOD;
