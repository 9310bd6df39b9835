import type { StoredVectors } from "../../recall/index/vector-bytes.ts";

/** A memory by its own id, and whose it is: of another owner there is no such memory. */
export interface OwnedMemory {
  readonly ownerId: string;
  readonly memory: string;
}

/** Work left by a write after its commit. The owner is that of the time of the write. */
export interface OutboxLine extends OwnedMemory {
  readonly id: number;
  /** The row's revision as of the write. */
  readonly revision: number;
  /** `embed`: the memory is in the index and waits for its vector only. */
  readonly kind: "put" | "remove" | "embed";
  /** The receipt this line confirms when done. */
  readonly receipt: string | null;
  /** True while the memory has no vector of the current generation and should have one. */
  readonly needsVector: boolean;
  /** Length of the memory's content now; 0 where there is none. */
  readonly bytes: number;
}

/** Lines that nobody else works on while the lease holds, which is ten seconds after it was taken or renewed. */
export interface Claim {
  readonly lease: string;
  readonly lines: readonly OutboxLine[];
  /** Memories whose lines needed no work and are settled: without an engine, those that have their vectors. */
  readonly done: readonly OwnedMemory[];
}

/** Outcome of a line. Reasons are classes of errors, without content. */
export type Outcome =
  /** It is in every index, vector included, or gone from every index. */
  | { readonly kind: "done" }
  /** It is in every index but for its vector: the embedder is away, or refuses the text, for this reason. */
  | { readonly kind: "indexed"; readonly refused: string | null }
  /** An index refuses this document. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Nothing is known to be wrong with it. */
  | { readonly kind: "again" };

/**
 * The queue of what remains to be done. Lines are done at least once, in any order; several workers share them, and
 * those of a worker that died are due again when its lease ends.
 */
export interface Outbox {
  /** Takes up to `limit` due lines, those included that are done with. */
  claim(limit: number): Promise<Claim>;
  /** Holds on to a claim. */
  renew(lease: string): Promise<void>;
  /**
   * Releases a claim's lines: done ones are removed and their receipts are confirmed. Refused ones are retried after a growing
   * pause, and set aside after `TRIES_MAX` refusals. Lines whose lease went to another worker are left to it.
   */
  settle(lease: string, outcomes: ReadonlyMap<OutboxLine, Outcome>): Promise<void>;
  /** Makes lines that were set aside due again, and answers how many. */
  retrySetAside(): Promise<number>;
  /** Has the database learn what its memories are like as soon as there are some; true once it has, and need not be asked. */
  learnFirst(): Promise<boolean>;
  /** Puts together what writes have counted since, so that lists read little of it. */
  fold(): Promise<void>;
  /** Removes what is kept for a while only: old tombstones and idempotency answers. */
  sweep(): Promise<void>;
}

/** So often a line is refused before it is set aside. It takes about a minute. */
export const TRIES_MAX = 5;

/** The vectors of a memory's passages, made after its write. */
export interface MadeVectors extends OwnedMemory {
  /** The revision whose text it was made from. */
  readonly revision: number;
  readonly vectors: StoredVectors;
}
