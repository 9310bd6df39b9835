import type { DomainError } from "../../core/error.ts";
import { preferenceFor } from "./media-type.ts";
import type { Answer } from "./pipeline.ts";

/** Pages for people in a browser, where programs get JSON. */
export interface PublicPages {
  /** The answer at the address of the service: where to go next. */
  start(): Answer;
  /** Says why a request was refused or failed, and what to do next. */
  refused(error: DomainError, requestId: string): Answer;
}

/** True where whoever asks would rather read a page than JSON, as a browser does that somebody opens an address in. */
export function wantsPage({ headers }: Request): boolean {
  const accept = headers.get("accept");
  const machine = ["application/json", "application/problem+json"].map((type) => preferenceFor(accept, type));
  const page = preferenceFor(accept, "text/html");
  return page > 0 && page > Math.max(...machine);
}
