import type { HandedOut } from "./handed-out.ts";

/** What is done with what is written and brings nothing new. */
export type JunkPolicy = "keep_out" | "note" | "refuse" | "allow";

/** How that is known, and what is done with it. */
export interface Junk {
  readonly policy: JunkPolicy;
  readonly handedOut: HandedOut;
}
