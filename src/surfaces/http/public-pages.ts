import type { DomainError } from "../../core/error.ts";
import { preferenceFor } from "./media-type.ts";
import type { Answer } from "./pipeline.ts";

/** What a person in a browser is shown where a program is answered JSON. */
export interface PublicPages {
  /** Where to go from the address of the service. */
  start(): Answer;
  /** What went wrong with a request that was refused or failed, and what to do next. */
  refused(error: DomainError, requestId: string): Answer;
}

/** True where whoever asks would rather read a page than JSON, as a browser does that somebody opens an address in. */
export function wantsPage({ headers }: Request): boolean {
  const accept = headers.get("accept");
  const machine = ["application/json", "application/problem+json"].map((type) => preferenceFor(accept, type));
  const page = preferenceFor(accept, "text/html");
  return page > 0 && page > Math.max(...machine);
}
