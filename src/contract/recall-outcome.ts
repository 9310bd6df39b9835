/**
 * `answered`, `partial` and `none`: what a context says of its own answer. `found`: a search, whose results nobody has
 * judged.
 */
export const recallOutcomes = ["answered", "partial", "found", "none"] as const;
export type RecallOutcome = (typeof recallOutcomes)[number];
