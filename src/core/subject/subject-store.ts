import type { Owner } from "../access/credential.ts";
import type { Caller } from "../caller.ts";

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
