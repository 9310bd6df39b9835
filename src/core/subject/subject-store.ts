import type { Owner } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import type { Authority } from "../maintenance/maintenance-store.ts";

/** An agent's quarantine that the person may read and erase in, because they approved the agent. */
export interface ApprovedQuarantine {
  readonly owner: Owner;
  /** The agent's name for itself. */
  readonly agentName: string;
}

/** A current or an earlier state of a record that may contain one of the terms. */
export interface CandidateState {
  readonly id: string;
  readonly memoryId: string;
  readonly kind: "memory" | "todo" | "decision";
  /** The record's status and text now. */
  readonly status: string;
  readonly content: string;
  readonly metadata: unknown;
  readonly isEarlier: boolean;
  /** Everything that this state holds: texts, numbers, objects and lists of them. */
  readonly state: unknown;
}

/** Questions of the recall log that may contain one of the terms. */
export interface CandidateQuestion {
  readonly id: string;
  readonly question: string;
}

/** Reads everything that one owner stores. The words of each term are folded: see `Term`. */
export interface SubjectStore {
  quarantines(userId: string): Promise<ApprovedQuarantine[]>;
  /**
   * Passes every state that the caller may see and that contains all words of one of the terms, whatever its status, in
   * batches. The states of a record follow each other. An earlier state that belonged to somebody else is left out.
   */
  states(
    caller: Caller,
    ownerId: string,
    terms: readonly (readonly string[])[],
    onBatch: (states: readonly CandidateState[]) => Promise<void>,
  ): Promise<void>;
  questions(ownerId: string, terms: readonly (readonly string[])[]): Promise<CandidateQuestion[]>;
  forgetQuestions(ownerId: string, ids: readonly string[]): Promise<void>;
}

/** A record to erase. It is left if its digest is another one by then: see `recordDigest`. */
export interface PlannedRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly digest: string;
}

/** Ids of questions in the recall log, by owner. */
type Questions = Readonly<Record<string, readonly string[]>>;

/** An erasure as it was confirmed: ids and digests, no terms and no content. */
export interface PlannedErasure {
  readonly id: string;
  /** The person who began it. */
  readonly ownerId: string;
  readonly authority: Authority;
  readonly records: readonly PlannedRecord[];
  readonly questions: Questions;
}

export type OpenErasure = Pick<PlannedErasure, "id" | "authority" | "questions">;

/** Progress of an erasure, and what is kept of it. */
export interface SubjectErasure {
  readonly id: string;
  readonly records: number;
  readonly erased: number;
  /** Records that were gone, changed or out of the person's reach when their turn came. */
  readonly skipped: number;
  readonly questions: number;
  /** Ids. */
  readonly receipts: readonly string[];
  readonly beganAt: number;
  readonly finishedAt: number | null;
  /** Whether the person ended it before everything was erased. */
  readonly wasStopped: boolean;
  /** Failed attempts since it last erased anything. 0: it is not failing. */
  readonly failures: number;
  /** Why the last attempt failed, without stored content; null if it did not. */
  readonly failure: string | null;
  /** When a server takes it up again, if none works on it. */
  readonly dueAt: number;
}

/** Erasures of subjects that the server carries out, and those that it has. */
export interface SubjectErasures {
  begin(erasure: PlannedErasure): Promise<void>;
  /** The newest first. */
  list(ownerId: string, limit: number): Promise<SubjectErasure[]>;
  /** Returns an unfinished erasure that no server works on, and leases it for a few seconds; null if there is none. */
  takeUp(): Promise<OpenErasure | null>;
  /** Ends the erasure. Its remaining records count as skipped. */
  finish(id: string): Promise<void>;
  /** Notes why an attempt failed, and postpones the next one: twice as long after each failure, up to an hour. */
  fail(id: string, error: unknown): Promise<void>;
  /** Ends the person's erasure before its remaining records are erased. False if they have none open with that id. */
  stop(ownerId: string, id: string): Promise<boolean>;
}

/** The batches of an erasure, each in the transaction that erases its records. */
export interface SubjectTransaction {
  /** Takes the next records of the workspace out of the plan. */
  take(erasure: string, workspaceId: string, limit: number): Promise<Omit<PlannedRecord, "ownerId">[]>;
  /** Adds a batch to the erasure's counts, and renews its lease. */
  note(
    erasure: string,
    batch: Pick<SubjectErasure, "erased" | "skipped"> & { readonly receipt: string | null },
  ): Promise<void>;
}
