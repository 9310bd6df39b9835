import type { Portion, SelectionLimits, Taken } from "./select.ts";

/** Cells of the table (items × item limit × token limit) up to which the exact way takes a few ms. */
const CELLS_MAX = 1_500_000;

/**
 * The selection of greatest total value under both limits, the first item always in it: the textbook table
 * over (items left, tokens left), each item taken in at most one of its portions. null where the table would
 * be too large.
 */
export function exactSelection<P extends Portion>(
  portions: readonly (readonly P[])[],
  limits: SelectionLimits,
): Taken<P>[] | null {
  const others = portions
    .slice(1)
    .map((of, at) => (isDominated(portions, at + 1, limits.itemsMax) ? [] : of));
  const slots = Math.min(limits.itemsMax - 1, others.length);
  const capacity = Math.min(limits.tokensMax, largestTotal(portions));
  const open = others.filter((of) => of.length > 0).length;
  if (open * Math.max(1, slots) * (capacity + 1) > CELLS_MAX) return null;

  const width = capacity + 1;
  const best = new Float64Array((slots + 1) * width);
  // Which portion of item i was taken to reach a cell, plus one; 0: none.
  const choices = others.map((of) => (of.length === 0 ? null : addItem(best, of, slots, width)));

  let chosen: { portion: P; total: number } | null = null;
  for (const portion of portions[0] ?? []) {
    if (portion.tokens > capacity) continue;
    const total = portion.value + (best[slots * width + capacity - portion.tokens] as number);
    if (chosen === null || total > chosen.total) chosen = { portion, total };
  }
  if (chosen === null) return [];
  const rest = traceBack(others, choices, slots, capacity - chosen.portion.tokens, width);
  return [{ index: 0, portion: chosen.portion }, ...rest];
}

/**
 * Whether as many items as may be taken are worth no less and cost no more: an optimal selection with this item
 * in it could have one of them instead. Items come by value, so these stand before it.
 */
function isDominated(portions: readonly (readonly Portion[])[], index: number, itemsMax: number): boolean {
  const cheapest = Math.min(...(portions[index] ?? []).map((portion) => portion.tokens));
  let better = 0;
  for (let i = 0; i < index && better < itemsMax; i++) {
    const whole = portions[i]?.[0];
    if (whole !== undefined && whole.tokens <= cheapest && isWorthMore(whole, portions[index])) better++;
  }
  return better >= itemsMax;
}

function isWorthMore(portion: Portion, others: readonly Portion[] | undefined): boolean {
  return (others ?? []).every((other) => other.value <= portion.value);
}

function addItem(best: Float64Array, portions: readonly Portion[], slots: number, width: number): Uint8Array {
  const choice = new Uint8Array(best.length);
  // Downwards, so that the row a cell is built on does not hold this item yet.
  for (let slot = slots; slot >= 1; slot--) {
    const row = slot * width;
    for (let at = 0; at < portions.length; at++) {
      const { tokens, value } = portions[at] as Portion;
      const below = row - width - tokens;
      for (let cell = row + tokens; cell < row + width; cell++) {
        const total = (best[below + cell - row] as number) + value;
        if (total <= (best[cell] as number)) continue;
        best[cell] = total;
        choice[cell] = at + 1;
      }
    }
  }
  return choice;
}

function traceBack<P extends Portion>(
  others: readonly (readonly P[])[],
  choices: readonly (Uint8Array | null)[],
  slots: number,
  tokens: number,
  width: number,
): Taken<P>[] {
  const taken: Taken<P>[] = [];
  let slot = slots;
  let left = tokens;
  for (let index = others.length - 1; index >= 0 && slot > 0; index--) {
    const at = choices[index]?.[slot * width + left] ?? 0;
    const portion = at === 0 ? undefined : others[index]?.[at - 1];
    if (portion === undefined) continue;
    taken.push({ index: index + 1, portion });
    slot--;
    left -= portion.tokens;
  }
  return taken;
}

function largestTotal(portions: readonly (readonly Portion[])[]): number {
  return portions.reduce((sum, of) => sum + Math.max(0, ...of.map((portion) => portion.tokens)), 0);
}
