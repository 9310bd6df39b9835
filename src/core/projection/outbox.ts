/** What a write left to be done after its commit. */
export interface OutboxLine {
  readonly id: number;
  readonly ownerId: string;
  readonly memory: string;
  /** The memory's revision when the line was taken. */
  readonly revision: number;
  readonly kind: "put" | "remove";
  /** The receipt this line confirms when done. */
  readonly receipt: string | null;
  /** The text to embed, where the memory has no vector of the current generation. */
  readonly unembedded: string | null;
}

/** The queue of what remains to be done. Lines are done at least once; several workers share them without overlap. */
export interface Outbox {
  /**
   * Takes up to `limit` due lines and hands them to `work`, which answers the vectors it made. Then they are done:
   * vectors are stored, receipts confirmed. If `work` rejects, the lines are due again after a growing pause.
   * Resolves to how many lines it took.
   */
  process(
    limit: number,
    work: (lines: readonly OutboxLine[]) => Promise<readonly MadeVector[]>,
  ): Promise<number>;
  /** Removes what is kept for a while only: old tombstones and idempotency answers. */
  sweep(): Promise<void>;
}

export interface MadeVector {
  readonly memory: string;
  /** The revision whose text it was made from. */
  readonly revision: number;
  readonly vector: Uint8Array;
}
