import type { ErrorCode } from "../../contract/error.ts";
import type { Effect } from "../../contract/operation.ts";

/*
 * How the service is watched, as those see it who tell of what they do. Nothing of it may hold content, and what becomes a
 * label of a metric is one of a few words: never an id, a name or a path.
 */

/** The stages of an operation whose time is told apart. */
export const STAGES = [
  /** Waiting for a place among what runs. */
  "place",
  /** Finding the visible owners, and the ids that only the record can find for the filter. */
  "reach",
  "embed_query",
  /** Candidates from the index. */
  "index",
  /** The record's own full-text search, for owners that the index does not hold. */
  "full_text",
  "rank",
  "token_model",
  /** Reading the hits again from the record, under the caller's own predicate. */
  "read",
  "rerank",
  "contradictions",
  /** Choosing and rendering what fits into a context. */
  "pack",
] as const;

export type Stage = (typeof STAGES)[number];

/** Measurements that use cases report. */
export interface Watch {
  /** Carries out a stage, and notes how long it took. */
  stage<T>(name: Stage, work: () => T | Promise<T>): Promise<T>;
  /** Told of each recall that was answered. */
  recalled(recall: RecallMeasurement): void;
}

export interface RecallMeasurement {
  readonly ownerId: string;
  readonly engine: "elasticsearch" | "embedded" | "full text";
  /** See `CandidateSet.coverage`: 0 to 1. */
  readonly coverage: number;
  /** Whether something could not take part. */
  readonly isDegraded: boolean;
}

/** Measurements that surfaces report. */
export interface SurfaceMetrics {
  /** Answers a request, in the trace that its sender names or in one of its own. */
  request<T>(arrived: ArrivedRequest, answer: () => Promise<T>): Promise<T>;
  /** The trace of what is being carried out, in 32 hexadecimal digits; null where there is none. */
  traceId(): string | null;
  /** Carries out an operation as a part of its request's trace. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
  stage: Watch["stage"];
  /** Told of each request when its answer is made. */
  answered(request: AnsweredRequest): void;
  /** Told of each operation that was carried out or refused, when its request is answered. */
  operationEnded(operation: EndedOperation): void;
}

export interface ArrivedRequest {
  readonly door: string;
  readonly method: string;
  /** The route's template; null where there is no such route. */
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
  /** One of the contract's, or `oauth` and `page` for what those surfaces do. */
  readonly operation: string;
  readonly effect: Effect;
  /** Code of the error that it ended with; null if it succeeded. */
  readonly code: ErrorCode | null;
  readonly ms: number;
  /** Owner of the credential; null without one, and for unbound agents. */
  readonly ownerId: string | null;
}

/** For what nobody watches. */
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
  /** Called when a statement is begun. The answered function is called when it has ended, with what it failed by or null. */
  statement(kind: StatementKind): (failure: unknown) => void;
  /** Carries out a whole transaction; `began` is to be called when it has its connection. */
  transaction<T>(work: (began: () => void) => Promise<T>): Promise<T>;
}

/** The first word of a statement, as far as it matters. */
export type StatementKind = "select" | "insert" | "update" | "delete" | "with" | "other";

/** Present use of the connection pool. */
export interface PoolUse {
  /** Statements that the database works on, outside and inside of transactions. */
  readonly running: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** Transactions that are open, each of which has a connection to itself. */
  readonly transactions: number;
}

/** Background queues, as operators see them. */

/** Beyond this a queue is not counted: it is too long, and to count it would take as long. */
export const QUEUE_LENGTH_MAX = 100_000;

export interface Queue {
  readonly name: "outbox" | "set_aside" | "embedding" | "events" | "webhooks" | "dead_letters";
  /** At most `QUEUE_LENGTH_MAX`. */
  readonly length: number;
  /** 0 where it is empty; null where nobody waits for it. */
  readonly oldestSeconds: number | null;
}

export interface QueueFigures {
  readonly queues: readonly Queue[];
  /** How far a new search index is built, 0 to 1; null where none is being built. */
  readonly indexBuild: number | null;
  /** Memories that are kept; beyond `QUEUE_LENGTH_MAX` what the database estimates. */
  readonly memories: number;
  /** 1, and one more for each time that the record was restored, put back, or taken over by a replica. */
  readonly incarnation: number;
  /** Whether what such a move has brought along is put right. */
  readonly isMended: boolean;
}
