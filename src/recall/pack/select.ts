import type { Steps } from "../work.ts";

/** One way to include an item: whole or as an excerpt. */
export interface Portion {
  readonly tokens: number;
  readonly value: number;
}

/** An item that can be packed. `value`: 0 or more. `excerpt` returns null if it cannot be cut that short. */
export interface Selectable<P extends Portion> {
  readonly whole: P;
  excerpt(tokensMax: number): Steps<P | null>;
}

export interface SelectionLimits {
  readonly itemsMax: number;
  readonly tokensMax: number;
}

interface Taken<P extends Portion> {
  /** Index in the given list. */
  readonly index: number;
  readonly portion: P;
}

interface Selection<P extends Portion> {
  /** In the order of the given list. */
  readonly taken: readonly Taken<P>[];
  readonly strategy: "exact_knapsack" | "greedy_with_swaps";
}

/** A shorter excerpt says too little to be worth its header. */
const EXCERPT_TOKENS_MIN = 24;
/** Maximum number of long items that are also offered as excerpts. Each requires reading its text. */
const EXCERPTED_ITEMS_MAX = 16;
const FILL_TRIES_MAX = 4;

/**
 * Chooses items to maximise their total value under both limits.
 *
 * `items` are sorted by value, best first. The first is always taken, at least as an excerpt; nothing is taken only if
 * not even an excerpt of it fits. An item longer than its fair share (the budget divided by the items that may share
 * it, at most four) is also offered as an excerpt of that length. Small problems are solved exactly. Larger ones take
 * the better of two greedy fillings (by value, by value per token), improved by swaps. The remaining budget lengthens
 * excerpts and adds further ones. Deterministic.
 */
export function* selectByValue<P extends Portion>(
  items: readonly Selectable<P>[],
  limits: SelectionLimits,
): Steps<Selection<P>> {
  const portions = yield* portionsOf(items, limits);
  const first = portions[0] ?? [];
  if (first.length === 0 || limits.itemsMax < 1) return { taken: [], strategy: "exact_knapsack" };
  const exact = wholeSelection(portions, limits) ?? exactSelection(portions, limits);
  const chosen = exact ?? greedySelection(portions, limits);
  const taken = new Map(chosen.map(({ index, portion }) => [index, portion]));
  yield* fillUp(items, taken, limits);
  return {
    taken: [...taken].map(([index, portion]) => ({ index, portion })).sort((a, b) => a.index - b.index),
    strategy: exact === null ? "greedy_with_swaps" : "exact_knapsack",
  };
}

function* portionsOf<P extends Portion>(
  items: readonly Selectable<P>[],
  limits: SelectionLimits,
): Steps<P[][]> {
  const share = Math.floor(limits.tokensMax / Math.max(1, Math.min(limits.itemsMax, items.length, 4)));
  const all: P[][] = [];
  let excerpted = 0;
  for (const [index, item] of items.entries()) {
    const portions = item.whole.tokens <= limits.tokensMax ? [item.whole] : [];
    const isLong = item.whole.tokens > share && excerpted < EXCERPTED_ITEMS_MAX;
    if (isLong) {
      excerpted++;
      const excerpt = share < EXCERPT_TOKENS_MIN ? null : yield* item.excerpt(share);
      if (excerpt !== null) portions.push(excerpt);
    }
    if (index === 0 && portions.length === 0) {
      const longest = yield* item.excerpt(limits.tokensMax);
      if (longest !== null) portions.push(longest);
    }
    all.push(portions);
  }
  return all;
}

/** Spends the remaining budget, best first, on excerpts that can be longer and on items not yet taken. */
function* fillUp<P extends Portion>(
  items: readonly Selectable<P>[],
  taken: Map<number, P>,
  limits: SelectionLimits,
): Steps<void> {
  let left = limits.tokensMax;
  for (const portion of taken.values()) left -= portion.tokens;
  let tries = 0;
  for (const [index, item] of items.entries()) {
    if (left < EXCERPT_TOKENS_MIN || tries >= FILL_TRIES_MAX) return;
    const portion = taken.get(index);
    if (portion === undefined ? taken.size >= limits.itemsMax : portion.tokens >= item.whole.tokens) continue;
    tries++;
    const longer = yield* longestPortion(item, left + (portion?.tokens ?? 0));
    if (longer === null || longer.value <= (portion?.value ?? 0)) continue;
    taken.set(index, longer);
    left -= longer.tokens - (portion?.tokens ?? 0);
  }
}

function* longestPortion<P extends Portion>(item: Selectable<P>, tokensMax: number): Steps<P | null> {
  return item.whole.tokens <= tokensMax ? item.whole : yield* item.excerpt(tokensMax);
}

/** Every item in its most valuable portion, if they fit together, so that there is nothing to choose; otherwise null. */
function wholeSelection<P extends Portion>(
  portions: readonly (readonly P[])[],
  limits: SelectionLimits,
): Taken<P>[] | null {
  if (portions.length > limits.itemsMax) return null;
  let tokens = 0;
  const taken: Taken<P>[] = [];
  for (const [index, of] of portions.entries()) {
    const [portion] = of.toSorted((a, b) => b.value - a.value);
    tokens += portion?.tokens ?? 0;
    if (portion === undefined || portion.value <= 0 || tokens > limits.tokensMax) return null;
    taken.push({ index, portion });
  }
  return taken;
}

/** Maximum size of the table (items × item limit × token limit) for the exact solution; it takes a few ms. */
const CELLS_MAX = 1_500_000;

/**
 * The selection of greatest total value under both limits, always with the first item: the textbook knapsack table over
 * (items left, tokens left), with each item taken in at most one portion. null if the table would be too large.
 */
export function exactSelection<P extends Portion>(
  portions: readonly (readonly P[])[],
  limits: SelectionLimits,
): Taken<P>[] | null {
  const slots = Math.min(limits.itemsMax - 1, portions.length - 1);
  const fillable = Math.min(limits.tokensMax, largestTotal(portions));
  const isTooLarge = (some: readonly (readonly P[])[]) =>
    some.filter((of) => of.length > 0).length * Math.max(1, slots) * (fillable + 1) > CELLS_MAX;
  // Items up to the limit cannot be dominated: too few come before them. If they alone exceed the table, skip the check
  // of the rest.
  if (isTooLarge(portions.slice(1, limits.itemsMax))) return null;
  const others = portions
    .slice(1)
    .map((of, at) => (of.length === 0 || isDominated(portions, at + 1, limits.itemsMax) ? [] : of));
  if (isTooLarge(others)) return null;
  // The items that may be taken together fill no more than the longest of them do.
  const capacity = Math.min(fillable, largestTotal(portions.slice(0, 1)) + largestTotal(others, slots));
  const width = capacity + 1;

  const best = new Float64Array((slots + 1) * width);
  // So many items fill no more rows: what more of them could hold is the same.
  let rows = 0;
  // By cell, the portion of item i taken to reach it, plus one; 0: none.
  const choices = others.map((of) => {
    if (of.length === 0) return null;
    if (rows < slots) {
      best.copyWithin((rows + 1) * width, rows * width, (rows + 1) * width);
      rows++;
    }
    return addItem(best, of, rows, width);
  });

  let chosen: { portion: P; total: number } | null = null;
  for (const portion of portions[0] ?? []) {
    if (portion.tokens > capacity) continue;
    const total = portion.value + (best[rows * width + capacity - portion.tokens] as number);
    if (chosen === null || total > chosen.total) chosen = { portion, total };
  }
  if (chosen === null) return [];
  const rest = traceBack(others, choices, rows, capacity - chosen.portion.tokens, width);
  return [{ index: 0, portion: chosen.portion }, ...rest];
}

/**
 * Whether enough better items to reach the limit are worth no less and cost no more. An optimal selection with this
 * item could then contain one of those instead. Items are sorted by value, so only earlier ones are compared.
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

function addItem(best: Float64Array, portions: readonly Portion[], rows: number, width: number): Uint8Array {
  const choice = new Uint8Array((rows + 1) * width);
  // Iterates downwards, so that the row a cell builds on does not contain this item yet.
  for (let slot = rows; slot >= 1; slot--) {
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
  rows: number,
  tokens: number,
  width: number,
): Taken<P>[] {
  const taken: Taken<P>[] = [];
  let slot = rows;
  let left = tokens;
  for (let index = others.length - 1; index >= 0 && slot > 0; index--) {
    const choice = choices[index];
    if (!choice) continue;
    const at = choice[Math.min(slot, choice.length / width - 1) * width + left] as number;
    const portion = at === 0 ? undefined : others[index]?.[at - 1];
    if (portion === undefined) continue;
    taken.push({ index: index + 1, portion });
    slot--;
    left -= portion.tokens;
  }
  return taken;
}

/** The most tokens that `count` items can take. `count` defaults to all. */
function largestTotal(portions: readonly (readonly Portion[])[], count = portions.length): number {
  const largest = portions.map((of) => Math.max(0, ...of.map((portion) => portion.tokens)));
  if (count < largest.length) largest.sort((a, b) => b - a);
  return largest.slice(0, count).reduce((sum, tokens) => sum + tokens, 0);
}

const SWAP_PASSES_MAX = 4;

/**
 * The better of two greedy fillings, by value and by value per token, each improved by swaps. The first item is always
 * included, in some portion. By density alone, the best item can lose to several small ones.
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

/** Replaces a taken item by one left out wherever that raises the total. The first item stays. */
function improveBySwaps<P extends Portion>(
  portions: readonly (readonly P[])[],
  filling: Taken<P>[],
  limits: SelectionLimits,
): void {
  let left = limits.tokensMax - filling.reduce((sum, taken) => sum + taken.portion.tokens, 0);
  const leastTokens = portions.map((of) => Math.min(...of.map((portion) => portion.tokens)));
  const leftOut = new LowestCosts(leastTokens);
  const valueMost = mostFromHere(portions);
  for (const { index } of filling) leftOut.set(index, Number.POSITIVE_INFINITY);
  for (let pass = 0, improved = true; improved && pass < SWAP_PASSES_MAX; pass++) {
    improved = false;
    for (let place = 1; place < filling.length; place++) {
      const out = filling[place] as Taken<P>;
      const room = left + out.portion.tokens;
      const into = bestOther({ portions, valueMost, leftOut }, room, out.portion.value);
      if (into === null) continue;
      leftOut.set(out.index, leastTokens[out.index] as number);
      leftOut.set(into.index, Number.POSITIVE_INFINITY);
      filling[place] = into;
      left = room - into.portion.tokens;
      improved = true;
    }
  }
}

/**
 * By place, the greatest value from there on. An item available only as an excerpt can be worth less than a later item.
 */
function mostFromHere(portions: readonly (readonly Portion[])[]): Float64Array {
  const most = new Float64Array(portions.length);
  for (let index = portions.length - 1, value = 0; index >= 0; index--) {
    for (const portion of portions[index] as readonly Portion[]) value = Math.max(value, portion.value);
    most[index] = value;
  }
  return most;
}

interface Others<P extends Portion> {
  readonly portions: readonly (readonly P[])[];
  readonly valueMost: Float64Array;
  readonly leftOut: LowestCosts;
}

function bestOther<P extends Portion>(
  { portions, valueMost, leftOut }: Others<P>,
  tokensMax: number,
  valueMin: number,
): Taken<P> | null {
  let best: Taken<P> | null = null;
  for (
    let index = leftOut.firstWithin(tokensMax, 0);
    index >= 0;
    index = leftOut.firstWithin(tokensMax, index + 1)
  ) {
    if ((valueMost[index] as number) <= (best?.portion.value ?? valueMin)) break;
    for (const portion of portions[index] as readonly P[]) {
      if (portion.tokens <= tokensMax && portion.value > (best?.portion.value ?? valueMin))
        best = { index, portion };
    }
  }
  return best;
}

/** A segment tree of minimum costs, to find a place in a few steps. */
class LowestCosts {
  readonly #size: number;
  /** The tree: the root is 1, the children of n are 2n and 2n + 1, and the places begin at the size. */
  readonly #lowest: Float64Array;

  constructor(costs: readonly number[]) {
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, costs.length)));
    this.#lowest = new Float64Array(2 * this.#size).fill(Number.POSITIVE_INFINITY);
    this.#lowest.set(costs, this.#size);
    for (let node = this.#size - 1; node >= 1; node--) this.#lower(node);
  }

  set(place: number, cost: number): void {
    let node = this.#size + place;
    this.#lowest[node] = cost;
    for (node >>= 1; node >= 1; node >>= 1) this.#lower(node);
  }

  /** The first place at or after `from` that costs at most `costMax`; -1 if there is none. */
  firstWithin(costMax: number, from: number): number {
    if (from >= this.#size) return -1;
    let node = this.#size + from;
    while ((this.#lowest[node] as number) > costMax) {
      // Go to the next subtree on the right. The rightmost has none.
      while (node % 2 === 1) node >>= 1;
      if (node === 0) return -1;
      node++;
    }
    while (node < this.#size) {
      node *= 2;
      if ((this.#lowest[node] as number) > costMax) node++;
    }
    return node - this.#size;
  }

  #lower(node: number): void {
    this.#lowest[node] = Math.min(this.#lowest[2 * node] as number, this.#lowest[2 * node + 1] as number);
  }
}
