/** Background queues, as operators see them. */

/** Beyond this a queue is not counted: it is too long, and to count it would take as long. */
export const QUEUE_LENGTH_MAX = 100_000;

export interface Queue {
  readonly name: "outbox" | "set_aside" | "embedding" | "events" | "webhooks" | "dead_letters";
  /** At most `QUEUE_LENGTH_MAX`. */
  readonly length: number;
  /** 0 where it is empty; null where nobody waits for it. */
  readonly oldestSeconds: number | null;
}

export interface QueueFigures {
  readonly queues: readonly Queue[];
  /** How far a new search index is built, 0 to 1; null where none is being built. */
  readonly indexBuild: number | null;
  /** Memories that are kept; beyond `QUEUE_LENGTH_MAX` what the database estimates. */
  readonly memories: number;
  /** 1, and one more for each time that the record was restored, put back, or taken over by a replica. */
  readonly incarnation: number;
  /** Whether what such a move has brought along is put right. */
  readonly isMended: boolean;
}
