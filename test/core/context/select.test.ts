import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exactSelection,
  greedySelection,
  type Portion,
  type Selectable,
  selectByValue,
} from "../../../src/recall/pack/select.ts";
import { atOnce } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";

const item = (value: number, tokens: number): Selectable<Portion> => ({
  whole: { value, tokens },
  // biome-ignore lint/correctness/useYield: it is done in one step.
  *excerpt(tokensMax) {
    if (tokensMax < 5) return null;
    return { value: value * (0.5 + tokensMax / tokens / 2), tokens: Math.min(tokensMax, tokens) };
  },
});
const total = (taken: readonly { portion: Portion }[]) =>
  taken.reduce((sum, { portion }) => sum + portion.value, 0);

const problem = fc.record({
  portions: fc
    .array(
      fc.array(
        fc.record({ value: fc.integer({ min: 0, max: 50 }), tokens: fc.integer({ min: 1, max: 30 }) }),
        { minLength: 1, maxLength: 2 },
      ),
      {
        minLength: 1,
        maxLength: 9,
      },
    )
    .map((list) =>
      list
        .map((of) => of.sort((a, b) => b.value - a.value))
        .sort((a, b) => (b[0]?.value ?? 0) - (a[0]?.value ?? 0)),
    ),
  limits: fc.record({ itemsMax: fc.integer({ min: 1, max: 6 }), tokensMax: fc.integer({ min: 1, max: 90 }) }),
});

/** The best total over all subsets that hold the first item. */
function bruteForce(
  portions: readonly (readonly Portion[])[],
  slots: number,
  tokens: number,
  at = 0,
): number {
  if (at === portions.length) return 0;
  const without = at === 0 ? Number.NEGATIVE_INFINITY : bruteForce(portions, slots, tokens, at + 1);
  const options = (portions[at] ?? [])
    .filter((portion) => slots > 0 && portion.tokens <= tokens)
    .map((portion) => portion.value + bruteForce(portions, slots - 1, tokens - portion.tokens, at + 1));
  return Math.max(without, ...options);
}

describe("selectByValue", () => {
  it("solves small problems exactly", () => {
    fc.assert(
      fc.property(problem, ({ portions, limits }) => {
        const best = bruteForce(portions, limits.itemsMax, limits.tokensMax);
        const exact = exactSelection(portions, limits) ?? [];
        expect(total(exact)).toBe(Math.max(0, best));
        if (best >= 0) expect(exact[0]?.index).toBe(0);
      }),
      { numRuns: runs(800) },
    );
  });

  it("keeps to the limits and the first item when it is greedy", () => {
    fc.assert(
      fc.property(problem, ({ portions, limits }) => {
        const fitting = portions.map((of) => of.filter((portion) => portion.tokens <= limits.tokensMax));
        if (fitting[0]?.length === 0) return;
        const greedy = greedySelection(fitting, limits);
        expect(greedy.some(({ index }) => index === 0)).toBe(true);
        expect(new Set(greedy.map(({ index }) => index)).size).toBe(greedy.length);
        expect(greedy.length).toBeLessThanOrEqual(limits.itemsMax);
        expect(greedy.reduce((sum, { portion }) => sum + portion.tokens, 0)).toBeLessThanOrEqual(
          limits.tokensMax,
        );
        expect(total(greedy)).toBeLessThanOrEqual(total(exactSelection(fitting, limits) ?? []));
      }),
      { numRuns: runs(800) },
    );
  });

  it("swaps as a look at every item left out would", () => {
    fc.assert(
      fc.property(problem, ({ portions, limits }) => {
        const fitting = portions.map((of) => of.filter((portion) => portion.tokens <= limits.tokensMax));
        if (fitting[0]?.length === 0) return;
        const taken = new Map(greedySelection(fitting, limits).map(({ index, portion }) => [index, portion]));
        const used = [...taken.values()].reduce((sum, { tokens }) => sum + tokens, 0);
        for (const [index, out] of taken) {
          const room = limits.tokensMax - used + out.tokens;
          const better = fitting.some(
            (of, at) => !taken.has(at) && of.some(({ tokens, value }) => tokens <= room && value > out.value),
          );
          if (index !== 0) expect(better).toBe(false);
        }
      }),
      { numRuns: runs(800) },
    );
  });

  it("swaps for one that comes after some that can be had as an excerpt only", () => {
    const [long, second, third] = [
      { value: 13, tokens: 6 },
      { value: 15, tokens: 9 },
      { value: 14, tokens: 7 },
    ];
    const portions = [[{ value: 42, tokens: 1 }], [long], [second], [third]];
    const taken = greedySelection(portions, { itemsMax: 3, tokensMax: 17 });
    expect(taken.map(({ index }) => index).sort()).toEqual([0, 2, 3]);
  });

  it("does not lose the best item to many small dense ones", async () => {
    const items = [item(10, 100), ...Array.from({ length: 20 }, () => item(1.5, 5))];
    expect(atOnce(selectByValue(items, { itemsMax: 20, tokensMax: 100 })).taken[0]?.index).toBe(0);
  });

  it("takes a single item too long for the budget as an excerpt of the whole budget", async () => {
    expect(atOnce(selectByValue([item(1, 500)], { itemsMax: 8, tokensMax: 60 })).taken).toMatchObject([
      { portion: { tokens: 60 } },
    ]);
  });

  it("fills what is left with an excerpt", async () => {
    const { taken } = atOnce(selectByValue([item(1, 70), item(0.9, 400)], { itemsMax: 8, tokensMax: 150 }));
    expect(taken.map(({ index }) => index)).toEqual([0, 1]);
    expect(taken.reduce((sum, { portion }) => sum + portion.tokens, 0)).toBeLessThanOrEqual(150);
  });

  it("takes nothing from nothing", async () => {
    expect(atOnce(selectByValue([], { itemsMax: 8, tokensMax: 60 })).taken).toEqual([]);
    expect(atOnce(selectByValue([item(1, 500)], { itemsMax: 8, tokensMax: 3 })).taken).toEqual([]);
  });

  it("says which way it went", async () => {
    const many = Array.from({ length: 300 }, (_, at) => item(1 - at / 400, 40 + (at % 7)));
    expect(atOnce(selectByValue(many, { itemsMax: 100, tokensMax: 8000 })).strategy).toBe(
      "greedy_with_swaps",
    );
    expect(atOnce(selectByValue(many.slice(0, 20), { itemsMax: 8, tokensMax: 500 })).strategy).toBe(
      "exact_knapsack",
    );
  });
});
