import { isOutOfRoom } from "../database/failure.ts";

/** For how long a refusal stands for the state of the disk. */
const LATELY_MS = 30_000;

/** What the database's refusals say of the room on its disk, which no statement could ask it for. */
export interface OutOfRoom {
  /** Told of every statement that failed, and of what by. */
  failed(failure: unknown): void;
  /** Why writes are refused, in a few words; null where none was for want of room within the last half minute. */
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
