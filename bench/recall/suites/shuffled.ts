import type { Random } from "../../../test/support/random.ts";

/** Returns the values in a random order. */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const order = [...values];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
