import fc from "fast-check";
import { expect, test } from "vitest";
import { type LimitCategory, rateCategories } from "../../src/contract/rate-limit.ts";
import { type Quotas, rateLimitStatusOf } from "../../src/core/limits/rate-limiter.ts";

const quota = fc.integer({ min: 1, max: 50 });
const quotas: fc.Arbitrary<Quotas> = fc.record({
  authentication: quota,
  registration: quota,
  write: quota,
  read: quota,
  data: quota,
});
const counted = fc.subarray([...rateCategories], { minLength: 1 }).chain((categories) =>
  fc.tuple(
    fc.shuffledSubarray(categories, { minLength: categories.length }),
    fc.array(fc.integer({ min: 1, max: 60 }), {
      minLength: categories.length,
      maxLength: categories.length,
    }),
  ),
);
const window = { endsAt: 1_800_000_060_000, millisecondsLeft: 60_000 };

test("a request is refused exactly where one of its categories is overdrawn, and is told of such a one", () => {
  fc.assert(
    fc.property(quotas, counted, (allowed, [categories, counts]) => {
      const status = rateLimitStatusOf(allowed, categories, { ...window, counts });
      const overdrawn = categories.filter((category, at) => (counts[at] as number) > allowed[category]);
      expect(status.isExceeded).toBe(overdrawn.length > 0);
      if (status.isExceeded) expect(overdrawn).toContain(status.category);
    }),
  );
});

test("the status is that of the category with the least left, of two alike that of the narrower", () => {
  fc.assert(
    fc.property(quotas, counted, (allowed, [categories, counts]) => {
      const left = new Map(
        categories.map((category, at) => [category, allowed[category] - (counts[at] as number)]),
      );
      const least = Math.min(...left.values());
      const narrowest = rateCategories.find((category) => left.get(category) === least) as LimitCategory;
      expect(rateLimitStatusOf(allowed, categories, { ...window, counts })).toMatchObject({
        category: narrowest,
        limit: allowed[narrowest],
        remaining: Math.max(0, least),
      });
    }),
  );
});

test("the order of the categories does not matter", () => {
  fc.assert(
    fc.property(quotas, counted, (allowed, [categories, counts]) => {
      const there = rateLimitStatusOf(allowed, categories, { ...window, counts });
      const back = { ...window, counts: counts.toReversed() };
      expect(rateLimitStatusOf(allowed, categories.toReversed(), back)).toEqual(there);
    }),
  );
});

test("waiting takes a whole second at least and no longer than the window", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), (millisecondsLeft) => {
      const allowed = { authentication: 1, registration: 1, write: 1, read: 1, data: 1 };
      const status = rateLimitStatusOf(allowed, ["data"], { ...window, millisecondsLeft, counts: [1] });
      expect(status.resetsAt).toBe(1_800_000_060);
      expect(status.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(status.retryAfterSeconds).toBeLessThanOrEqual(60);
      expect(status.retryAfterSeconds * 1000).toBeGreaterThanOrEqual(millisecondsLeft);
    }),
  );
});
