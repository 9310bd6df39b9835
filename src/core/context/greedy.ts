import type { Portion, SelectionLimits, Taken } from "./select.ts";

const SWAP_PASSES_MAX = 4;

/**
 * The better of two greedy fillings, by value and by value per token, each improved by swaps. The first item
 * is in it whichever its portion. By density alone the best item can be lost to several small ones.
 */
export function greedySelection<P extends Portion>(
  portions: readonly (readonly P[])[],
  limits: SelectionLimits,
): Taken<P>[] {
  const byValue = portions.map((_, index) => index).slice(1);
  const densities = portions.map((of) =>
    Math.max(0, ...of.map((portion) => portion.value / Math.max(1, portion.tokens))),
  );
  const byDensity = [...byValue].sort((a, b) => (densities[b] as number) - (densities[a] as number) || a - b);
  let best: Taken<P>[] = [];
  let bestValue = -1;
  for (const portion of portions[0] ?? []) {
    for (const order of [byValue, byDensity]) {
      const filling = fill(portions, order, { index: 0, portion }, limits);
      improveBySwaps(portions, filling, limits);
      const value = filling.reduce((sum, taken) => sum + taken.portion.value, 0);
      if (value > bestValue) [best, bestValue] = [filling, value];
    }
  }
  return best;
}

function fill<P extends Portion>(
  portions: readonly (readonly P[])[],
  order: readonly number[],
  first: Taken<P>,
  limits: SelectionLimits,
): Taken<P>[] {
  const filling = [first];
  let left = limits.tokensMax - first.portion.tokens;
  for (const index of order) {
    if (filling.length >= limits.itemsMax) break;
    const portion = (portions[index] as readonly P[]).find(
      (fitting) => fitting.tokens <= left && fitting.value > 0,
    );
    if (portion === undefined) continue;
    filling.push({ index, portion });
    left -= portion.tokens;
  }
  return filling;
}

/** Replaces a taken item by one left out wherever that raises the total; the first item stays. */
function improveBySwaps<P extends Portion>(
  portions: readonly (readonly P[])[],
  filling: Taken<P>[],
  limits: SelectionLimits,
): void {
  let left = limits.tokensMax - filling.reduce((sum, taken) => sum + taken.portion.tokens, 0);
  const isTaken = new Set(filling.map((taken) => taken.index));
  for (let pass = 0, improved = true; improved && pass < SWAP_PASSES_MAX; pass++) {
    improved = false;
    for (let place = 1; place < filling.length; place++) {
      const out = filling[place] as Taken<P>;
      const room = left + out.portion.tokens;
      const into = bestOther(portions, isTaken, room, out.portion.value);
      if (into === null) continue;
      isTaken.delete(out.index);
      isTaken.add(into.index);
      filling[place] = into;
      left = room - into.portion.tokens;
      improved = true;
    }
  }
}

function bestOther<P extends Portion>(
  portions: readonly (readonly P[])[],
  isTaken: ReadonlySet<number>,
  tokensMax: number,
  valueMin: number,
): Taken<P> | null {
  let best: Taken<P> | null = null;
  for (const [index, of] of portions.entries()) {
    // Items come by value: what follows cannot be worth more.
    if ((of[0]?.value ?? Number.POSITIVE_INFINITY) <= (best?.portion.value ?? valueMin)) break;
    if (isTaken.has(index)) continue;
    for (const portion of of) {
      if (portion.tokens <= tokensMax && portion.value > (best?.portion.value ?? valueMin))
        best = { index, portion };
    }
  }
  return best;
}
