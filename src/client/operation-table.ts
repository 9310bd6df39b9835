import type { Operations } from "./contract.ts";

export type OperationName = keyof Operations;

/**
 * How a request of unknown outcome may be retried. `read` changes nothing; `keyed` runs once per Idempotency-Key;
 * `same` is idempotent; `once` may have a second effect, such as issuing another token.
 */
export type OperationKind = "read" | "keyed" | "same" | "once";

/** Default kind of an operation, by its method. */
export const KINDS_BY_METHOD = { GET: "read", POST: "keyed", PATCH: "same", DELETE: "same" } as const;

type Method = keyof typeof KINDS_BY_METHOD;

/**
 * Routes of operations as a tree of path segments. The last segment has the operations by method, with their kind if it
 * differs from the method's default.
 */
export interface OperationTree {
  readonly [segmentOrMethod: string]: OperationTree | OperationName | `${OperationName} ${OperationKind}`;
}

/** The route of one operation. */
export interface Route {
  readonly method: Method;
  /** A template with members in braces. */
  readonly path: string;
  readonly kind: OperationKind;
}

/** Returns the routes of all operations below a path. */
export function routesOf(tree: OperationTree, path: string): [OperationName, Route][] {
  return Object.entries(tree).flatMap(([key, below]): [OperationName, Route][] => {
    if (typeof below !== "string") return routesOf(below, `${path}/${key}`);
    const method = key as Method;
    const [name, kind = KINDS_BY_METHOD[method]] = below.split(" ") as [OperationName, OperationKind?];
    return [[name, { method, path, kind }]];
  });
}
