import type { StoredVectors } from "../../recall/index/vector-bytes.ts";

/** A memory's internal id and owner. It is not found under another owner. */
export interface OwnedMemory {
  readonly ownerId: string;
  readonly memory: string;
}

/** Work that a write leaves to be done after its commit. The owner is the one at the time of the write. */
export interface OutboxLine extends OwnedMemory {
  readonly id: number;
  /** The row's revision after the write. */
  readonly revision: number;
  /** `embed`: the memory is in the index and only waits for its vector. */
  readonly kind: "put" | "remove" | "embed";
  /** The receipt that is confirmed when this line is done. */
  readonly receipt: string | null;
  /** True if the memory should have a vector of the current generation and has none. */
  readonly needsVector: boolean;
  /** The current length of the memory's content; 0 if there is none. */
  readonly bytes: number;
}

/** Lines that no other worker processes during the lease, which ends ten seconds after it was taken or renewed. */
export interface Claim {
  readonly lease: string;
  readonly lines: readonly OutboxLine[];
  /**
   * Memories whose lines needed no work and are already settled: without a search engine, those that have their
   * vectors.
   */
  readonly done: readonly OwnedMemory[];
}

/** Outcome of a line. Reasons are classes of errors, without content. */
export type Outcome =
  /** The memory is in every index with its vector, or removed from every index. */
  | { readonly kind: "done" }
  /**
   * The memory is in every index without its vector, because the embedder refuses the text for this reason, or is
   * unreachable (null).
   */
  | { readonly kind: "indexed"; readonly refused: string | null }
  /** An index rejected the document. */
  | { readonly kind: "refused"; readonly reason: string }
  /** To be retried. Nothing is known to be wrong with the line itself. */
  | { readonly kind: "again" };

/**
 * The queue of work after writes. Lines are processed at least once, in any order. Several workers share them; lines of
 * a dead worker are due again when its lease ends.
 */
export interface Outbox {
  /** Claims up to `limit` due lines, including those that need no work. */
  claim(limit: number): Promise<Claim>;
  renew(lease: string): Promise<void>;
  /**
   * Releases a claim's lines. Done lines are removed and their receipts confirmed. Refused ones are retried with
   * backoff, and set aside after `TRIES_MAX` refusals. Lines that another worker has leased meanwhile are skipped.
   */
  settle(lease: string, outcomes: ReadonlyMap<OutboxLine, Outcome>): Promise<void>;
  /** Makes lines that were set aside due again, and returns their number. */
  retrySetAside(): Promise<number>;
  /** Collects the database's statistics once there are memories. True if that is done and need not be called again. */
  learnFirst(): Promise<boolean>;
  /** Merges the counters that writes have added, so that lists have few of them to read. */
  fold(): Promise<void>;
  /** Removes expired data: old tombstones and idempotency answers. */
  sweep(): Promise<void>;
}

/** The number of refusals after which a line is set aside, which takes about a minute. */
export const TRIES_MAX = 5;

/** The vectors of a memory's passages, computed after its write. */
export interface MadeVectors extends OwnedMemory {
  /** The revision whose text was embedded. */
  readonly revision: number;
  readonly vectors: StoredVectors;
}
