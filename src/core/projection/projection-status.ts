import type { IndexGeneration } from "./index-generations.ts";

/** How far the projection lags behind the database, for operators. */
export interface ProjectionStatus {
  /** Outbox lines whose change is not yet in every index. */
  readonly pending: number;
  /** How long the oldest of them has been waiting, in seconds; null if there is none. */
  readonly oldestSeconds: number | null;
  /** Memories that are in the index and wait for a vector. */
  readonly unembedded: number;
  /** The number of lines that are no longer retried, by class of error. */
  readonly setAside: Readonly<Record<string, number>>;
  readonly indexes: readonly IndexProgress[];
}

export type IndexProgress = Pick<IndexGeneration, "name" | "state" | "scanned" | "total">;

/** Returns a line for the log, or null if nothing is worth one. */
export function lagging(status: ProjectionStatus): string | null {
  const { pending, oldestSeconds, unembedded } = status;
  const setAside = Object.values(status.setAside).reduce((sum, count) => sum + count, 0);
  const isLate = oldestSeconds !== null && oldestSeconds >= LATE_SECONDS;
  if (!isLate && unembedded === 0 && setAside === 0) return null;
  const since = isLate ? `, the oldest for ${Math.round(oldestSeconds)} s` : "";
  return `Projection: ${pending} changes wait${since}; ${unembedded} wait for a vector; ${setAside} are set aside.`;
}

/** A shorter delay is normal during writes. */
const LATE_SECONDS = 5;
