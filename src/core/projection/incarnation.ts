/**
 * One continuous history of the database. A restored backup is another incarnation, even with the same rows: data held
 * elsewhere (an index, a position in the change feed) may be ahead of it or belong to another history.
 */
export interface Incarnation {
  /** Random, and globally unique. */
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  /** The id of the previous incarnation; null for the first. */
  readonly parent: string | null;
  /**
   * `restored`: the data is in another cluster, database or table than before. `went_back`: the cluster was reset to an
   * earlier time. `promoted`: a replica has taken over, which may lack the last changes.
   */
  readonly reason: "first" | "restored" | "went_back" | "promoted";
  readonly begunAt: number;
  /** True once no row has a transaction id that this cluster did not assign. */
  readonly isMended: boolean;
}

export interface Incarnations {
  /**
   * The present incarnation. A new one is started first, once for all servers, if the database has moved, or if its log
   * position is before one that this process or the caller has seen (`seenLog`).
   */
  current(seenLog?: bigint): Promise<Incarnation>;
  /** Why `current` would start another incarnation; null if it would not. Changes nothing. */
  movedBy(): Promise<"restored" | "went_back" | "promoted" | null>;
  /** The last result of `current` in this process; null before the first. */
  known(): Incarnation | null;
  /** The position in the database's log of changes, in bytes. It never decreases within an incarnation. */
  log(): Promise<bigint>;
  /** Records that the rows are repaired; see `isMended`. */
  mended(id: string): Promise<void>;
}
