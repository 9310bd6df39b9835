import { expect, test } from "vitest";
import { type CountedBatch, inBatches } from "../../src/adapters/postgres/access/rate-windows.ts";

/** Counts as a database would, when it is told to. */
function heldBack() {
  const totals = new Map<string, number>();
  const statements: { hits: ReadonlyMap<string, number>; answer: () => void; fail: () => void }[] = [];
  const count = (hits: ReadonlyMap<string, number>) =>
    new Promise<CountedBatch>((resolve, reject) => {
      statements.push({
        hits,
        answer() {
          for (const [key, more] of hits) totals.set(key, (totals.get(key) ?? 0) + more);
          resolve({ totals: new Map(totals), endsAt: 60_000, millisecondsLeft: 1 });
        },
        fail: () => reject(new Error("away")),
      });
    });
  return { statements, count };
}

test("what arrives while two statements are on their way goes together into the next", async () => {
  const { statements, count } = heldBack();
  const hit = inBatches(count);
  const hits = ["a", "a", "a", "b", "a"].map((key) => hit([key]));
  expect(statements.map((statement) => [...statement.hits])).toEqual([[["a", 1]], [["a", 1]]]);
  statements[0]?.answer();
  await hits[0];
  expect([...(statements[2]?.hits ?? [])]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  statements[2]?.answer();
  statements[1]?.answer();
  const places = (await Promise.all(hits)).map(({ counts }) => counts[0]);
  expect(places).toEqual([1, 4, 2, 1, 3]);
});

test("a statement that fails fails those it was for, and no others", async () => {
  const { statements, count } = heldBack();
  const hit = inBatches(count);
  const hits = Array.from({ length: 4 }, () => hit(["a"]));
  const settled = Promise.allSettled(hits);
  statements[0]?.fail();
  statements[1]?.answer();
  await hits[1];
  statements[2]?.answer();
  expect((await settled).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});

test("a hit does not wait for ever, sent or not", async () => {
  const { count } = heldBack();
  const hit = inBatches(count, 5);
  const settled = await Promise.allSettled(Array.from({ length: 5 }, () => hit(["a"])));
  expect(settled.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
});
