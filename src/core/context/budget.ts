import type { Budget } from "../../contract/recall.ts";
import type { ContextBlock } from "./block.ts";
import type { BlockPack } from "./pack-blocks.ts";

/** What was asked for, and how many candidates there were before and after some were dropped. */
export interface Asked {
  readonly maxItems: number;
  readonly maxTokens: number;
  readonly candidates: number;
  readonly distinct: number;
}

/**
 * The account of a pack. It counts every candidate once: `used_items + skipped_items = candidate_items`, and
 * `skipped_items = filtered_items + structured_skipped_items + budget_skipped_items`: dropped beforehand, left
 * out by `max_items` (their rank by value is beyond it and it is exhausted), left out by tokens.
 * `budget_tradeoff`: something left out for tokens is worth more than something that is in, or an item was cut.
 */
export function budgetOf(asked: Asked, pack: BlockPack<ContextBlock>): Budget {
  const overBudget = pack.leftOut.filter(({ reason }) => reason === "token_budget");
  const values = pack.taken.map(({ block }) => block.value);
  const leastValue = values.length === 0 ? 0 : Math.min(...values);
  const truncated = pack.taken.filter(({ isTruncated }) => isTruncated).length;
  return {
    max_items: asked.maxItems,
    max_tokens: asked.maxTokens,
    used_items: pack.taken.length,
    used_tokens: pack.usedTokens,
    skipped_items: asked.candidates - pack.taken.length,
    filtered_items: asked.candidates - asked.distinct,
    structured_skipped_items: pack.leftOut.length - overBudget.length,
    budget_skipped_items: overBudget.length,
    truncated_items: truncated,
    candidate_items: asked.candidates,
    selection_strategy: pack.strategy,
    budget_tradeoff: truncated > 0 || overBudget.some(({ block }) => block.value > leastValue),
    token_scope: "context_text",
  };
}
