import type { RecentAnswers } from "./recent-answers.ts";

/** The policy for writes that bring nothing new. */
export type JunkPolicy = "keep_out" | "note" | "refuse" | "allow";

/** The policy, and the recently returned texts, which are used to detect echoes. */
export interface Junk {
  readonly policy: JunkPolicy;
  readonly handedOut: RecentAnswers;
}
