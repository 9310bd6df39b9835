import type { HandedOut } from "./handed-out.ts";

/** What to do with a write that brings nothing new. */
export type JunkPolicy = "keep_out" | "note" | "refuse" | "allow";

/** The policy for writes that bring nothing new, and the recently returned texts used to detect them. */
export interface Junk {
  readonly policy: JunkPolicy;
  readonly handedOut: HandedOut;
}
