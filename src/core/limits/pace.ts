import { DomainError } from "../error.ts";

/** The error that ends the work of a request whose sender has disconnected. No one reads the answer. */
export function calledOff(): DomainError {
  return new DomainError("validation_failed", "The request is not valid.", {
    issues: [{ loc: [], msg: "was cancelled by its sender", type: "request_called_off" }],
  });
}
