import type { FigureDelta } from "./figure-tally.ts";

export type Resolution = "minute" | "hour";

export interface FigureRow extends Omit<FigureDelta, "ownerId"> {
  readonly memories: number | null;
  /** Of the whole service, not the owner. */
  readonly indexLagSeconds: number | null;
}

/** Storage of the service's figures. */
export interface FigureStore {
  /** Adds counts to those written by other servers. */
  add(deltas: readonly FigureDelta[], indexLagSeconds: number | null): Promise<void>;
  /** Oldest first, from `since` (milliseconds since the epoch) on. `ownerId` null: totals of all owners. */
  read(ownerId: string | null, resolution: Resolution, since: number): Promise<FigureRow[]>;
  /** Memories stored now. `ownerId` null: of all owners. */
  memories(ownerId: string | null): Promise<number>;
  /** Deletes figures beyond their retention. */
  sweep(): Promise<void>;
}
