/** How far the projection is behind the record, for operators. */
export interface ProjectionStatus {
  /** Outbox lines whose change is not everywhere yet. */
  readonly pending: number;
  /** Since when the oldest of them waits; null where none does. */
  readonly oldestSeconds: number | null;
  /** Memories that are in the index and wait for their vector. */
  readonly unembedded: number;
  /** How many lines are no longer tried, by the class of error. */
  readonly setAside: Readonly<Record<string, number>>;
  readonly indexes: readonly IndexProgress[];
}

export interface IndexProgress {
  readonly name: string;
  readonly state: "building" | "active" | "retired";
  readonly scanned: number;
  readonly total: number;
}

/** Returns a line for the log, or null if nothing is worth one. */
export function lagging(status: ProjectionStatus): string | null {
  const { pending, oldestSeconds, unembedded } = status;
  const setAside = Object.values(status.setAside).reduce((sum, count) => sum + count, 0);
  const isLate = oldestSeconds !== null && oldestSeconds >= LATE_SECONDS;
  if (!isLate && unembedded === 0 && setAside === 0) return null;
  const since = isLate ? `, the oldest for ${Math.round(oldestSeconds)} s` : "";
  return `Projection: ${pending} changes wait${since}; ${unembedded} wait for a vector; ${setAside} are set aside.`;
}

/** A shorter delay is normal while somebody writes. */
const LATE_SECONDS = 5;
