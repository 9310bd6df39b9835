import fc from "fast-check";
import { expect, test } from "vitest";
import { leadingPositions, topPositions } from "../../../src/recall/index/in-memory/top-positions.ts";

test("the best positions are those of a full sort, the earlier of equals first", () => {
  const scores = fc.array(fc.integer({ min: -2, max: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 20 }), (values, count) => {
      const sorted = [...values.keys()].filter((at) => (values[at] as number) > 0);
      sorted.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
      const found = topPositions(Float32Array.from(values), values.length, count, 0);
      expect([...found].sort((a, b) => a - b)).toEqual(sorted.slice(0, count).sort((a, b) => a - b));
    }),
  );
});

test("the leading of some positions are the best of all, the earlier of equals first", () => {
  const scores = fc.array(fc.integer({ min: -2, max: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(
      scores,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (values, most, count) => {
        const column = Float32Array.from(values);
        const best = topPositions(column, column.length, Math.max(most, count), 0);
        const leading = leadingPositions(best, column, count);
        expect([...leading].sort()).toEqual([...topPositions(column, column.length, count, 0)].sort());
      },
    ),
  );
});
