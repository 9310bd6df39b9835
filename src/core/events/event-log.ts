import type { eventSubjects } from "../../contract/event.ts";
import type { Caller } from "../caller.ts";
import type { Owned } from "../memory/place.ts";

/** Narrows the events of a caller; null: no restriction. */
export interface EventFilter {
  readonly subjects: readonly EventSubject[] | null;
  readonly projectId: string | null;
  readonly memoryId: string | null;
}

export type EventSubject = (typeof eventSubjects)[number];

/** One change, as it is kept: ids and kinds alone. */
export interface LoggedEvent extends Owned {
  readonly id: string;
  readonly subject: EventSubject;
  /** The change: `created`, `completed`, … */
  readonly kind: string;
  readonly at: number;
  readonly memoryId: string;
  readonly projectId: string | null;
  readonly revision: number;
}

/** Some events of the log. */
export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Position to continue from: after the last of them, or after all there is. */
  readonly next: string;
  readonly hasMore: boolean;
}

/** Maintenance of the log, independent of readers. */
export interface EventUpkeep {
  /** Takes in what was committed before the call, and what the clock has done. Answers a number that grows with the log. */
  advance(): Promise<number>;
  /** Removes what is no longer kept. */
  clear(): Promise<void>;
}

/** All changes, in one order that every reader sees, and that is the order of changes for each memory. */
export interface EventLog {
  /**
   * Returns the events after a position, as far as the caller may see them now, with everything committed before the call.
   * null: from the oldest. "gone": events after it are no longer kept; "unknown": it is no position of this log.
   */
  read(
    caller: Caller,
    after: string | null,
    ask: EventFilter & { readonly limit: number },
  ): Promise<EventPage | "gone" | "unknown">;
  /** The place after everything that was committed before the call. */
  end(): Promise<string>;
}
