import { DomainError } from "../error.ts";

/** How work that takes the processor for long lets others have their turn. */
export interface Pace {
  /**
   * Undefined while this stretch of work may go on; else a promise that resolves when it is its turn again, or rejects
   * like `calledOff`.
   */
  pause(): Promise<void> | undefined;
}

/** For work that nobody waits beside. */
export const UNPACED: Pace = { pause: () => undefined };

/** Ends the work of a request whose sender has disconnected. Nobody reads the answer. */
export function calledOff(): DomainError {
  return new DomainError("validation_failed", "The request is not valid.", {
    issues: [{ loc: [], msg: "was cancelled by its sender", type: "request_called_off" }],
  });
}
