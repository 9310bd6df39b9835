/** Explains in words why a pack leaves out a memory that recall found. */
import { type OwnWords, own, shownId } from "../../contract/own-words.ts";
import type { ContextAnswer } from "../../contract/recall.ts";

/**
 * Memories that match the query no better than by chance score below this. They would only fill the pack. A search
 * still returns them with their score. Of the relevant memories among RealMem's first ten, .035 drops 1.5 %, .045 3.5 %.
 */
export const NOISE_MAX = 0.035;

/** The facts that decide why a memory is left out. `reason`: the pack's own, if any. */
export interface WeighedForPack {
  /** The score by which the pack weighed it, 0..1. */
  readonly score: number;
  readonly confidence: number;
  /** The requested minimum score. null if none was requested; then noise is left out. */
  readonly threshold: number | null;
  readonly reason: string | null;
}

export function leftOutWords(
  { budget }: Pick<ContextAnswer, "budget">,
  { score, confidence, threshold, reason }: WeighedForPack,
): OwnWords {
  if (threshold === null && score < NOISE_MAX)
    return own`− its score of ${rounded(score)} is below ${NOISE_MAX}, too low to count as relevant`;
  if (confidence === 0) return own`− its confidence is 0, so it has no value`;
  const isFull = reason === "item_limit" || (reason === null && budget.used_items >= budget.max_items);
  if (isFull && budget.used_items === 1)
    return own`− it is worth less than the one item of the pack, which max_items allows`;
  return isFull
    ? own`− it is worth less than the ${budget.used_items} items of the pack, which max_items allows`
    : own`− it does not fit into max_tokens beside what is worth more: ${budget.used_tokens} of ${budget.max_tokens} are used`;
}

export function repetitionWords(saidBy: string): OwnWords {
  return own`− it says nothing that ${shownId(saidBy)} does not say, which is in the pack`;
}

/** Rounds down to three digits, as many as limits have: a score below a limit must not appear to reach it. */
export function rounded(score: number): number {
  return Math.floor(score * 1000) / 1000;
}
