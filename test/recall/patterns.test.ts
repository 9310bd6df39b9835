import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { like } from "../../src/adapters/postgres/memory/pattern.ts";
import { matchesPattern } from "../../src/recall/index/in-memory/scope-filter.ts";
import { ownDatabase } from "../support/own-database.ts";
import { RUNS } from "../support/random.ts";
import { isLike, somePattern, someValue } from "../support/some-pattern.ts";

const cases = someValue.chain((value) => fc.tuple(fc.constant(value), somePattern(value)));

test("the record and the index in memory match a pattern as LIKE is defined, without LIKE for long parts", {
  timeout: 120_000,
}, async () => {
  const sql = connect(await ownDatabase(), 1);
  let matched = 0;
  let byParts = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(cases, { minLength: 20, maxLength: 20 }), async (asked) => {
        for (const [value, pattern] of asked) {
          const expected = isLike(value, pattern);
          expect(matchesPattern(value, pattern)).toBe(expected);
          const rows = await sql`
            select ${like(sql, sql`v.value`, pattern)} as matches from (values (${value}::text)) v (value)`;
          expect(rows[0]?.matches).toBe(expected);
          if (expected) matched += 1;
          if (rows.statement.string.includes("matches_parts")) byParts += 1;
        }
      }),
      { numRuns: 25 * RUNS, endOnFailure: true },
    );
  } finally {
    await sql.end();
  }
  // Both answers, by both ways.
  expect(matched).toBeGreaterThan(50);
  expect(byParts).toBeGreaterThan(50);
});
