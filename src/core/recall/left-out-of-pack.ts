/** Why a pack leaves out what recall found, in words. */
import { type OwnWords, own, shownId } from "../../contract/own-words.ts";
import type { ContextAnswer } from "../../contract/recall.ts";

/**
 * Memories that share no word with the query and are no closer to it in meaning than chance (a cosine of .3) score below
 * this: they would only fill the pack. A search returns them all the same, with their score. Of 240 questions about
 * something else .03 lets 84 through, .035 lets 41 and .05 lets 27; of RealMem's relevant hits among the first ten they
 * drop 1, 3 and 35 of 800.
 */
export const NOISE_MAX = 0.035;

/** What decides why it is left out. `reason`: the pack's own, where it has one. */
export interface WeighedForPack {
  /** What the pack weighed it by, 0..1. */
  readonly score: number;
  readonly confidence: number;
  /** The least score that was asked for; null where none was, and noise is left out. */
  readonly threshold: number | null;
  readonly reason: string | null;
}

export function leftOutWords(
  { budget }: Pick<ContextAnswer, "budget">,
  { score, confidence, threshold, reason }: WeighedForPack,
): OwnWords {
  if (threshold === null && score < NOISE_MAX)
    return own`− its score of ${rounded(score)} is below ${NOISE_MAX}, too low to count as relevant`;
  if (confidence === 0) return own`− its confidence is 0, so that it is worth nothing`;
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

/** Two digits are enough to compare with. Rounded down, so that what is below a limit reads so. */
export function rounded(score: number): number {
  return Math.floor(score * 100) / 100;
}
