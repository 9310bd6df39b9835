/** The outcome of a recall: full, half or empty, which is read without colour; a dot for a search, which nobody judged. */
import type { RecallOutcome } from "../../../src/contract/recall-outcome.ts";

export const ANSWERS: Readonly<Record<RecallOutcome, string>> = {
  answered: "Answered",
  partial: "Partial",
  found: "Found",
  none: "No answer",
};

/** Radius, edge and fill of its circle. */
const MOONS = {
  answered: [5.25, "var(--c1)", "var(--c1)"],
  partial: [4.75, "var(--c2)", "none"],
  found: [4.75, "var(--c2)", "none"],
  none: [4.75, "var(--field)", "none"],
} as const;

export function Moon({ of }: { readonly of: RecallOutcome }) {
  const [radius, edge, fill] = MOONS[of];
  return (
    <svg className="moon" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r={radius} fill={fill} stroke={edge} strokeWidth="1.5" />
      {of === "partial" && <path d="M6 1.25a4.75 4.75 0 0 1 0 9.5z" fill="var(--c2)" />}
      {of === "found" && <circle cx="6" cy="6" r="2" fill="var(--c2)" />}
    </svg>
  );
}

export function Answer({ of }: { readonly of: RecallOutcome }) {
  return (
    <span className="answer">
      <Moon of={of} />
      <span className="answer-word">{ANSWERS[of]}</span>
    </span>
  );
}
