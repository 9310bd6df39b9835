import { greedySelection } from "./greedy.ts";
import { exactSelection } from "./knapsack.ts";

/** One way to take an item: whole or as an excerpt. */
export interface Portion {
  readonly tokens: number;
  readonly value: number;
}

/** Something that can be packed. `value` 0 or more; `excerpt` answers null where it cannot be cut that short. */
export interface Selectable<P extends Portion> {
  readonly whole: P;
  excerpt(tokensMax: number): P | null;
}

export interface SelectionLimits {
  readonly itemsMax: number;
  readonly tokensMax: number;
}

export interface Taken<P extends Portion> {
  /** Place of the item in the list given. */
  readonly index: number;
  readonly portion: P;
}

export interface Selection<P extends Portion> {
  /** In the order of the list given. */
  readonly taken: readonly Taken<P>[];
  readonly strategy: "exact_knapsack" | "greedy_with_swaps";
}

/** Below this an excerpt says too little to be worth its header. */
const EXCERPT_TOKENS_MIN = 24;
/** Long items offered as excerpts beside whole; each costs a pass over its text. */
const EXCERPTED_ITEMS_MAX = 16;
const FILL_TRIES_MAX = 4;

/**
 * Chooses items so that their total value is the greatest under both limits.
 *
 * `items` come by value, best first. The first is always taken, at least as an excerpt; nothing is taken only
 * where not even an excerpt of it fits. An item longer than its fair share (the budget over the items that may
 * share it, at most four) is also offered as an excerpt of that length. Small problems are solved exactly;
 * larger ones by the better of two greedy fillings (by value, by value per token) improved by swaps. What
 * remains is used to lengthen excerpts and to take further ones. Deterministic.
 */
export function selectByValue<P extends Portion>(
  items: readonly Selectable<P>[],
  limits: SelectionLimits,
): Selection<P> {
  const portions = portionsOf(items, limits);
  const first = portions[0] ?? [];
  if (first.length === 0 || limits.itemsMax < 1) return { taken: [], strategy: "exact_knapsack" };
  const exact = exactSelection(portions, limits);
  const chosen = exact ?? greedySelection(portions, limits);
  const taken = new Map(chosen.map(({ index, portion }) => [index, portion]));
  fillUp(items, taken, limits);
  return {
    taken: [...taken].map(([index, portion]) => ({ index, portion })).sort((a, b) => a.index - b.index),
    strategy: exact === null ? "greedy_with_swaps" : "exact_knapsack",
  };
}

function portionsOf<P extends Portion>(items: readonly Selectable<P>[], limits: SelectionLimits): P[][] {
  const share = Math.floor(limits.tokensMax / Math.max(1, Math.min(limits.itemsMax, items.length, 4)));
  let excerpted = 0;
  return items.map((item, index) => {
    const portions = item.whole.tokens <= limits.tokensMax ? [item.whole] : [];
    const isLong = item.whole.tokens > share && excerpted < EXCERPTED_ITEMS_MAX;
    if (isLong) {
      excerpted++;
      const excerpt = share < EXCERPT_TOKENS_MIN ? null : item.excerpt(share);
      if (excerpt !== null) portions.push(excerpt);
    }
    if (index === 0 && portions.length === 0) {
      const longest = item.excerpt(limits.tokensMax);
      if (longest !== null) portions.push(longest);
    }
    return portions;
  });
}

/** Gives what the budget has left, best first, to excerpts that can be longer and to items not yet taken. */
function fillUp<P extends Portion>(
  items: readonly Selectable<P>[],
  taken: Map<number, P>,
  limits: SelectionLimits,
): void {
  let left = limits.tokensMax;
  for (const portion of taken.values()) left -= portion.tokens;
  let tries = 0;
  for (const [index, item] of items.entries()) {
    if (left < EXCERPT_TOKENS_MIN || tries >= FILL_TRIES_MAX) return;
    const portion = taken.get(index);
    if (portion === undefined ? taken.size >= limits.itemsMax : portion.tokens >= item.whole.tokens) continue;
    tries++;
    const longer = longestPortion(item, left + (portion?.tokens ?? 0));
    if (longer === null || longer.value <= (portion?.value ?? 0)) continue;
    taken.set(index, longer);
    left -= longer.tokens - (portion?.tokens ?? 0);
  }
}

function longestPortion<P extends Portion>(item: Selectable<P>, tokensMax: number): P | null {
  return item.whole.tokens <= tokensMax ? item.whole : item.excerpt(tokensMax);
}
