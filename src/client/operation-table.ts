import type { Operations } from "./contract.ts";

export type OperationName = keyof Operations;

/**
 * How a request of unknown outcome may be retried:
 * `read` changes nothing; `keyed` is carried out once for its Idempotency-Key; `same` leads to the same state when it is
 * done again; `once` may do something a second time, such as handing out another token.
 */
export type OperationKind = "read" | "keyed" | "same" | "once";

/** Default kind of an operation, by its method. */
export const KINDS_BY_METHOD = { GET: "read", POST: "keyed", PATCH: "same", DELETE: "same" } as const;

type Method = keyof typeof KINDS_BY_METHOD;

/**
 * How operations are reached: the segments of their paths, and under the last of them each by its method, with its kind where
 * that does not follow from the method.
 */
export interface OperationTree {
  readonly [segmentOrMethod: string]: OperationTree | OperationName | `${OperationName} ${OperationKind}`;
}

/** How one operation is reached. */
export interface Route {
  readonly method: Method;
  /** With its members in braces. */
  readonly path: string;
  readonly kind: OperationKind;
}

/** The routes of all operations below a path. */
export function routesOf(tree: OperationTree, path: string): [OperationName, Route][] {
  return Object.entries(tree).flatMap(([key, below]): [OperationName, Route][] => {
    if (typeof below !== "string") return routesOf(below, `${path}/${key}`);
    const method = key as Method;
    const [name, kind = KINDS_BY_METHOD[method]] = below.split(" ") as [OperationName, OperationKind?];
    return [[name, { method, path, kind }]];
  });
}
