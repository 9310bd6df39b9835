import type { eventSubjects } from "../../contract/event.ts";
import type { Caller } from "../caller.ts";
import type { Owned } from "../memory/place.ts";

/** Restricts the events of a caller; null: no restriction. */
export interface EventFilter {
  readonly subjects: readonly EventSubject[] | null;
  readonly projectId: string | null;
  readonly memoryId: string | null;
}

export type EventSubject = (typeof eventSubjects)[number];

/** One change as it is stored: only ids and kinds. */
export interface LoggedEvent extends Owned {
  readonly id: string;
  readonly subject: EventSubject;
  /** The change: `created`, `completed`, … */
  readonly kind: string;
  readonly at: number;
  readonly memoryId: string;
  readonly projectId: string | null;
  readonly revision: number;
  /** The end user whose it is; null if it is not of one. */
  readonly userId: string | null;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** The position to continue from: after the last of these events, or the end of the log. */
  readonly next: string;
  readonly hasMore: boolean;
}

/** Background work on the log, independent of readers. */
export interface EventUpkeep {
  /**
   * Adds the changes that were committed before the call, and those caused by time, such as expiry. Returns a number
   * that grows with the log.
   */
  advance(): Promise<number>;
  /** Removes events that are past their retention. */
  clear(): Promise<void>;
}

/** All changes in a total order that is the same for every reader. For each memory, it is the order of its changes. */
export interface EventLog {
  /**
   * Returns the events after a position that the caller may see now, including everything committed before the call.
   * null: from the oldest event. "gone": events after the position are no longer kept. "unknown": not a position of
   * this log.
   */
  read(
    caller: Caller,
    after: string | null,
    ask: EventFilter & { readonly limit: number },
  ): Promise<EventPage | "gone" | "unknown">;
  /** The position after everything committed before the call. */
  end(): Promise<string>;
}
