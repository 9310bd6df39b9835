import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { like } from "../../src/adapters/postgres/memory/pattern.ts";
import { matchesPattern } from "../../src/core/recall/in-memory/scope-filter.ts";
import { ownDatabase } from "../support/own-database.ts";
import { RUNS } from "../support/random.ts";

/** `%` is any text, anything else itself: for each beginning of the pattern, the beginnings of the value that match it. */
function isLike(value: string, pattern: string): boolean {
  let matching = new Set([0]);
  for (const letter of pattern) {
    const next = new Set<number>();
    for (const at of matching) {
      if (letter === "%") for (let end = at; end <= value.length; end += 1) next.add(end);
      else if (value.startsWith(letter, at)) next.add(at + letter.length);
    }
    matching = next;
  }
  return matching.has(value.length);
}

/** Few letters, so that parts overlap, with what LIKE, regular expressions and wildcards take for something else. */
const LETTERS = [
  "a",
  "a",
  "a",
  "b",
  "b",
  "/",
  "_",
  "\\",
  "*",
  "?",
  ".",
  "é",
  "e\u0301",
  "ж",
  "𝒜",
  "\u{1f600}",
];

const short = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });
/** Long enough for each way to match a pattern; runs of the same, which are nearly found everywhere. */
const long = fc
  .tuple(fc.constantFrom("a", "ab", "𝒜", "é/"), fc.integer({ min: 1, max: 60 }), short)
  .map(([unit, times, end]) => unit.repeat(times) + end);
const text = fc.oneof({ weight: 3, arbitrary: short }, long);
const values = fc.array(text, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(""));

/** Patterns that have nothing to do with the value, and such as are the value with wildcards for some of its texts. */
const cases = values.chain((value) =>
  fc.record({
    value: fc.constant(value),
    pattern: fc.oneof(
      fc.array(text, { maxLength: 6 }).map((parts) => parts.join("%")),
      fc
        .array(fc.tuple(fc.nat(value.length), fc.nat(12), fc.constantFrom("%", "%", "%%", "%a%", "a")), {
          maxLength: 5,
        })
        .map((cuts) => cuts.reduce(withCut, value)),
    ),
  }),
);

function withCut(text: string, [at, length, put]: [number, number, string]): string {
  return `${text.slice(0, at)}${put}${text.slice(at + length)}`.toWellFormed().replaceAll("\ufffd", "");
}

test("the record and the index in memory match a pattern like its definition", {
  timeout: 120_000,
}, async () => {
  const sql = connect(await ownDatabase(), 1);
  let matched = 0;
  let byParts = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(cases, { minLength: 20, maxLength: 20 }), async (asked) => {
        for (const one of asked) {
          const value = one.value.normalize("NFC");
          const pattern = one.pattern.normalize("NFC");
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
