import type { FigureDelta } from "./figure-tally.ts";

export type Resolution = "minute" | "hour";

/** Stored figures of a step. */
export interface FigureRow extends Omit<FigureDelta, "ownerId"> {
  readonly memories: number | null;
  /** For the whole service, not the owner. */
  readonly indexLagSeconds: number | null;
}

/** The service's own figures. */
export interface FigureStore {
  /** Adds up what happened with what other servers have written. */
  add(deltas: readonly FigureDelta[], indexLagSeconds: number | null): Promise<void>;
  /** Oldest first, from `since` (milliseconds since the epoch) on; `ownerId` null: of all together. */
  read(ownerId: string | null, resolution: Resolution, since: number): Promise<FigureRow[]>;
  /** Memories that are kept now; `ownerId` null: of all together. */
  memories(ownerId: string | null): Promise<number>;
  /** Lets go of what is older than it is kept. */
  sweep(): Promise<void>;
}
