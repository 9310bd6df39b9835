import type { Operations } from "./contract.ts";

export type OperationName = keyof Operations;

/**
 * What may be done with a request whose fate is not known:
 * `read` changes nothing; `keyed` is carried out once for its Idempotency-Key; `same` leads to the same state when it is
 * done again; `once` may do something a second time, such as handing out another token.
 */
export type OperationKind = "read" | "keyed" | "same" | "once";

/** How an operation is reached: method, path template and kind. */
export type OperationTable = Readonly<
  Record<OperationName, readonly ["GET" | "POST" | "PATCH" | "DELETE", string, OperationKind]>
>;
