import type { DomainError } from "../../core/error.ts";
import { preferenceFor } from "./media-type.ts";
import type { Answer } from "./pipeline.ts";

/** Pages for people in a browser. Programs get JSON instead. */
export interface PublicPages {
  /** The start page at the root of the service, with links. */
  start(): Answer;
  /** The page that says why a request was refused or failed, and what to do next. */
  refused(error: DomainError, requestId: string): Answer;
}

/** True if the client prefers HTML to JSON, as a browser does when a person opens an address. */
export function wantsPage({ headers }: Request): boolean {
  const accept = headers.get("accept");
  const machine = ["application/json", "application/problem+json"].map((type) => preferenceFor(accept, type));
  const page = preferenceFor(accept, "text/html");
  return page > 0 && page > Math.max(...machine);
}
