import { DomainError } from "../error.ts";

/** What ends the work of a request whose sender is gone: its own doing, and nobody reads the answer. */
export function calledOff(): DomainError {
  return new DomainError("validation_failed", "The request is not valid.", {
    issues: [{ loc: [], msg: "was called off by its sender", type: "request_called_off" }],
  });
}
