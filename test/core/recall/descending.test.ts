import fc from "fast-check";
import { expect, test } from "vitest";
import { descending } from "../../../src/recall/ranking/descending.ts";

test("places come by what they have, the highest first and equals by place, as a sort has them", () => {
  const places = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 60 });
  const column = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 61, maxLength: 61 });
  fc.assert(
    fc.property(places, column, (some, values) => {
      const given = [...some].sort((a, b) => a - b);
      const sums = Float64Array.from(values, (value) => value / 3);
      const sorted = given.toSorted((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
      expect(descending(given, sums)).toEqual(sorted);
      expect(descending(some, sums)).toEqual(sorted);
    }),
  );
});
