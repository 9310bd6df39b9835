import type { ErrorCode } from "../../contract/error.ts";
import type { Effect } from "../../contract/operation.ts";

/*
 * Ports through which code reports measurements. They must not contain content, and a metric label must be one of a few
 * fixed words: never an id, a name or a path.
 */

/** The stages of an operation that are timed separately. */
export const STAGES = [
  /** Waiting for a slot. */
  "place",
  /** Finding the visible owners, and the ids that only the record can find for the filter. */
  "reach",
  "embed_query",
  /** Candidates from the index. */
  "index",
  /** The record's own full-text search, for owners that the index does not hold. */
  "full_text",
  "rank",
  "multilingual",
  "token_model",
  /** Re-reading the hits from the record, with the caller's visibility predicate. */
  "read",
  "rerank",
  "contradictions",
  /** Choosing and rendering what fits into a context. */
  "pack",
] as const;

export type Stage = (typeof STAGES)[number];

/** Measurements that use cases report. */
export interface Watch {
  /** Runs a stage and records its duration. */
  stage<T>(name: Stage, work: () => T | Promise<T>): Promise<T>;
  /** Called for each recall that was answered. */
  recalled(recall: RecallMeasurement): void;
}

export interface RecallMeasurement {
  readonly ownerId: string;
  readonly engine: "elasticsearch" | "embedded" | "full text";
  /** See `CandidateSet.coverage`: 0 to 1. */
  readonly coverage: number;
  /** Whether a dependency was missing. */
  readonly isDegraded: boolean;
}

/** Measurements that surfaces report. */
export interface SurfaceMetrics {
  /** Answers a request, in the trace that its sender names or in a new one. */
  request<T>(arrived: ArrivedRequest, answer: () => Promise<T>): Promise<T>;
  /** The current trace id, 32 hexadecimal digits; null if there is none. */
  traceId(): string | null;
  /** Runs an operation as a part of its request's trace. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
  stage: Watch["stage"];
  /** Called for each request when its answer is ready. */
  answered(request: AnsweredRequest): void;
  /** Called for each operation that was run or refused, when its request is answered. */
  operationEnded(operation: EndedOperation): void;
}

export interface ArrivedRequest {
  readonly door: string;
  readonly method: string;
  /** The route's template; null if no route was found. */
  readonly route: string | null;
  readonly headers: Headers;
}

export interface AnsweredRequest {
  readonly door: string;
  readonly status: number;
  /** Code of an error response to a request without an operation; null otherwise. */
  readonly code: ErrorCode | null;
  readonly ms: number;
}

export interface EndedOperation {
  readonly door: string;
  /** An operation of the contract, or `oauth` or `page` for those surfaces. */
  readonly operation: string;
  readonly effect: Effect;
  /** Code of the error that it ended with; null if it succeeded. */
  readonly code: ErrorCode | null;
  readonly ms: number;
  /** Owner of the credential; null without one, and for unbound agents. */
  readonly ownerId: string | null;
}

/** A no-op implementation. */
export const UNWATCHED: Watch & SurfaceMetrics = {
  stage: async (_, work) => work(),
  recalled: () => {},
  request: (_, answer) => answer(),
  traceId: () => null,
  operation: (_, work) => work(),
  answered: () => {},
  operationEnded: () => {},
};

/** Measurements that the record reports: how long statements took, never their text or results. */
export interface StatementWatch {
  /** Called when a statement begins. The returned function is called when it ends, with its failure or null. */
  statement(kind: StatementKind): (failure: unknown) => void;
  /** Runs a whole transaction, which must call `began` when it has its connection. */
  transaction<T>(work: (began: () => void) => Promise<T>): Promise<T>;
}

/** The first word of a statement, or `other`. */
export type StatementKind = "select" | "insert" | "update" | "delete" | "with" | "other";

/** Current use of the connection pool. */
export interface PoolUse {
  /** Statements that are running, inside and outside of transactions. */
  readonly running: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** Open transactions. Each holds a connection. */
  readonly transactions: number;
}

/** Background queues, as operators see them. */

/** Queues are counted up to this length, since counting longer ones would take too long. */
export const QUEUE_LENGTH_MAX = 100_000;

export interface Queue {
  readonly name: "outbox" | "set_aside" | "embedding" | "events" | "webhooks" | "dead_letters";
  /** At most `QUEUE_LENGTH_MAX`. */
  readonly length: number;
  /** 0 if the queue is empty; null if it is not in use. */
  readonly oldestSeconds: number | null;
}

export interface QueueFigures {
  readonly queues: readonly Queue[];
  /** Progress of building a new search index, 0 to 1; null if none is being built. */
  readonly indexBuild: number | null;
  /** Stored memories; beyond `QUEUE_LENGTH_MAX` the database's estimate. */
  readonly memories: number;
  /** 1, plus 1 each time the record was restored, rolled back, or taken over by a replica. */
  readonly incarnation: number;
  /** Whether the consequences of the last such event have been repaired. */
  readonly isMended: boolean;
}
