/**
 * One life of the record. A backup that is put back is another one, though its rows are the same: what is held of the
 * record elsewhere (an index, a place in the change feed) may be ahead of it or be of another history.
 */
export interface Incarnation {
  /** Random: no two have the same, wherever they live. */
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  /** The one before; null for the first. */
  readonly parent: string | null;
  /**
   * `restored`: it is in another cluster, database or table than before. `went_back`: the cluster is as it was at an
   * earlier time. `promoted`: a replica has taken over, which may lack the last changes.
   */
  readonly reason: "first" | "restored" | "went_back" | "promoted";
  readonly begunAt: number;
  /** Whether its rows have no transaction ids any more that this cluster has not given out. */
  readonly isMended: boolean;
}

export interface Incarnations {
  /**
   * The present one. If the record is elsewhere than it was, or further back in its log of changes than this process or the
   * caller has seen it (`seenLog`), a new one is begun first, once for all servers.
   */
  current(seenLog?: bigint): Promise<Incarnation>;
  /** Why `current` would begin another; null where it would not. Changes nothing. */
  movedBy(): Promise<"restored" | "went_back" | "promoted" | null>;
  /** The last result of `current` in this process; null before the first. */
  known(): Incarnation | null;
  /** How far the record's log of changes goes, in bytes. It only rises in one incarnation. */
  log(): Promise<bigint>;
  /** Notes that the rows are mended. */
  mended(id: string): Promise<void>;
}
