import type { eventSubjects } from "../../contract/event.ts";
import type { Caller } from "../caller.ts";
import type { Owned } from "../memory/place.ts";

/** What narrows the events of a caller down; null: nothing. */
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
  /** What became of it: `created`, `completed`, … */
  readonly kind: string;
  readonly at: number;
  readonly memoryId: string;
  readonly projectId: string | null;
  readonly revision: number;
}

/** Some events of the log. */
export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Where to read on: after the last of them, or after all there is. */
  readonly next: string;
  readonly hasMore: boolean;
}

/** What keeps the log going, whoever reads it. */
export interface EventUpkeep {
  /** Takes in what was committed before the call, and what the clock has done. Answers a number that grows with the log. */
  advance(): Promise<number>;
  /** Removes what is no longer kept. */
  clear(): Promise<void>;
}

/** What happened, in one order that every reader sees, and that is the order of changes for each memory. */
export interface EventLog {
  /**
   * What comes after that place, as far as the caller may see it now; everything that was committed before the call. null:
   * from the oldest that is kept. "gone": something after it is no longer kept; "unknown": it is no place of this log.
   */
  read(
    caller: Caller,
    after: string | null,
    ask: EventFilter & { readonly limit: number },
  ): Promise<EventPage | "gone" | "unknown">;
  /** The place after everything that was committed before the call. */
  end(): Promise<string>;
}
