import { isOutOfRoom } from "../database/failure.ts";

/** How long a refusal is taken as the state of the disk. */
const LATELY_MS = 30_000;

/** Detects from the database's refusals that its disk is full, which no statement can query. */
export interface OutOfRoom {
  /** Called with every statement failure. */
  failed(failure: unknown): void;
  /**
   * Why writes are refused, in a few words; null if none was refused because of a full disk within the last half
   * minute.
   */
  outage(): string | null;
}

export function createOutOfRoom(now: () => number): OutOfRoom {
  let refusedAt = Number.NEGATIVE_INFINITY;
  return {
    failed(failure) {
      if (isOutOfRoom(failure)) refusedAt = now();
    },
    outage: () => (now() - refusedAt < LATELY_MS ? "the database has no room for what is written" : null),
  };
}
