import { type LimitCategory, rateCategories } from "../../contract/rate-limit.ts";
import type { Counted } from "./rate-counter.ts";

/** How many requests each category allows in a window. */
export type Quotas = Readonly<Record<LimitCategory, number>>;

/** How a requester stands in the category that has the least left. */
export interface Standing {
  readonly category: LimitCategory;
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  readonly isExceeded: boolean;
  /** When the window ends, in seconds since the epoch. */
  readonly resetsAt: number;
  /** Until then: 1 or more. */
  readonly retryAfterSeconds: number;
}

/**
 * What the counts of a request mean: the standing in the category that has the least left, the narrower one of two that
 * have as much. It is exceeded where any of them is, since what is overdrawn has less left than what is not.
 */
export function standingOf(quotas: Quotas, categories: readonly LimitCategory[], counted: Counted): Standing {
  const [least] = categories
    .map((category, at) => ({ category, left: quotas[category] - (counted.counts[at] ?? 0) }))
    .sort((a, b) => a.left - b.left || narrowness(a.category) - narrowness(b.category));
  if (!least) throw new Error("A request that counts in no category has no standing.");
  return {
    category: least.category,
    limit: quotas[least.category],
    remaining: Math.max(0, least.left),
    isExceeded: least.left < 0,
    resetsAt: Math.round(counted.endsAt / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(counted.millisecondsLeft / 1000)),
  };
}

const narrowness = (category: LimitCategory) => rateCategories.indexOf(category);
