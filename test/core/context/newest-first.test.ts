/** Of what answers a question with other values the newest comes first, and nothing else changes its place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContextCandidate, packContext } from "../../../src/core/context/pack.ts";
import { contradictionsAmong } from "../../../src/recall/statements/conflicts.ts";
import { conflictsOf, newestFirst, type Side } from "../../../src/recall/statements/newest-first.ts";
import { questionOf } from "../../../src/recall/statements/question.ts";
import { inTurns, UNPACED } from "../../../src/recall/work.ts";
import { createRandom, runs } from "../../support/random.ts";
import { candidate } from "./candidates.ts";

const DAY = Date.UTC(2025, 0, 1);
const NOW_MS = Date.UTC(2025, 5, 1);
const QUERY = "Where does Monika Calloway live?";

let made = 0;
/** The later it is made, the newer it is. */
function said(content: string, given: Partial<ContextCandidate> = {}): ContextCandidate {
  made += 1;
  return candidate({ id: `m${made}`, content, occurredAtMs: DAY, order: made, ...given });
}

async function packed(candidates: readonly ContextCandidate[], maxItems = 8) {
  const { pairs } = await inTurns(contradictionsAmong(candidates, questionOf(QUERY)), UNPACED);
  const asked = { query: QUERY, maxItems, maxTokens: 1500, nowMs: NOW_MS, conflicts: conflictsOf(pairs) };
  return (await inTurns(packContext({ ...asked, candidates }), UNPACED)).items.map(
    ({ candidate: { content } }) => content,
  );
}

const OLD = "Monika Calloway lives in Claybridge.";
const NEW = "Update. Monika Calloway lives in Redcliffe.";

test("a correction comes before what it corrects, and instead of it where there is room for one", async () => {
  const candidates = [said(OLD, { relevance: 0.9, importance: 1 }), said(NEW, { relevance: 0.7 })];
  expect(await packed(candidates)).toEqual([NEW, OLD]);
  expect(await packed(candidates, 1)).toEqual([NEW]);
});

test("of any number of states, in any order of relevance, the newest is first and the others follow by age", async () => {
  const random = createRandom(3);
  const towns = ["Claybridge", "Redcliffe", "Oakhurst", "Fernley", "Whitmore", "Lowmoor"];
  for (let round = 0; round < 100; round += 1) {
    const states = towns
      .slice(0, 2 + random.below(5))
      .map((town) => said(`Monika Calloway lives in ${town}.`, { relevance: 0.5 + random.below(50) / 100 }));
    const newest = states.toReversed().map(({ content }) => content);
    expect(await packed(states)).toEqual(newest);
  }
});

test("when it happened counts, and not when it was stored", async () => {
  const now = said(OLD, { occurredAtMs: DAY + 1000, relevance: 0.6 });
  expect(await packed([said(NEW, { relevance: 0.9 }), now])).toEqual([OLD, NEW]);
});

test.each<[string, Partial<ContextCandidate>, Partial<ContextCandidate>]>([
  ["vouched for less", { authority: "verified" }, {}],
  ["an inference", {}, { authority: "inference" }],
  ["much less sure", {}, { confidence: 0.5 }],
  ["adopted", {}, { isAdopted: true }],
  ["of another session", { isOwnSession: true }, {}],
])("what is %s does not come before what was there", async (_, old, newer) => {
  const candidates = [said(OLD, { relevance: 0.9, ...old }), said(NEW, { relevance: 0.8, ...newer })];
  expect(await packed(candidates)).toEqual([OLD, NEW]);
});

test("what is vouched for more comes before an older observation", async () => {
  const candidates = [said(OLD, { relevance: 0.9 }), said(NEW, { relevance: 0.6, authority: "verified" })];
  expect(await packed(candidates)).toEqual([NEW, OLD]);
});

test.each([
  ["about somebody else", "Anna Bergstrom lives in Redcliffe."],
  ["that says something else", "Monika Calloway was seen in Redcliffe."],
  ["that is a greeting", "Hello Monika Calloway!"],
])("a newer memory %s stays where its value puts it", async (_, other) => {
  expect(await packed([said(OLD, { relevance: 0.9 }), said(other, { relevance: 0.8 })])).toEqual([
    OLD,
    other,
  ]);
});

test("former states that were asked for stay in order of value", async () => {
  const candidates = [said(OLD, { relevance: 0.9, status: "superseded" }), said(NEW, { relevance: 0.7 })];
  const asked = { query: QUERY, maxItems: 8, maxTokens: 1500, nowMs: NOW_MS, keepsSuperseded: true };
  const { pairs } = await inTurns(contradictionsAmong(candidates, questionOf(QUERY)), UNPACED);
  const { items } = await inTurns(
    packContext({ ...asked, candidates, conflicts: conflictsOf(pairs) }),
    UNPACED,
  );
  expect(items.map(({ candidate: { content } }) => content)).toEqual([OLD, NEW]);
});

const side: fc.Arbitrary<Side> = fc.record({
  occurredAtMs: fc.constantFrom(1, 2, 3),
  order: fc.nat(9),
  confidence: fc.constantFrom(0.4, 0.7, 0.8, 1),
  authority: fc.constantFrom("inference", "observation", "verified", "made up"),
  isAdopted: fc.boolean(),
  isOwnSession: fc.boolean(),
});

test("any sides of any conflicts change places among themselves alone, and alike ones stand by age", () => {
  const given = fc.record({
    sides: fc.array(side, { minLength: 1, maxLength: 12 }),
    joined: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 12 }),
  });
  const property = fc.property(given, ({ sides, joined }) => {
    const of = (at: number) => sides[at % sides.length] as Side;
    const pairs = joined.map(([a, b]) => ({
      sides: [of(a), of(b)] as const,
      reason: "other_values" as const,
    }));
    const conflicts = conflictsOf(pairs);
    const valued = sides.map((candidate, at) => ({ candidate, value: 1 / (1 + at) }));
    const arranged = newestFirst(valued, conflicts);
    expect(arranged.map(({ value }) => value)).toEqual(valued.map(({ value }) => value));
    const groupOf = (one: Side) => conflicts.find((conflict) => conflict.sides.includes(one)) ?? one;
    for (const [at, { candidate }] of valued.entries())
      expect(groupOf((arranged[at] as (typeof valued)[number]).candidate)).toBe(groupOf(candidate));
    expect(new Set(arranged.map(({ candidate }) => candidate))).toEqual(new Set(sides));
    for (const conflict of conflicts) {
      const alike = (one: Side, other: Side) =>
        one.authority === other.authority &&
        one.confidence === other.confidence &&
        one.isOwnSession === other.isOwnSession;
      const inOrder = arranged
        .map(({ candidate }) => candidate)
        .filter((one) => conflict.sides.includes(one));
      for (const [at, upper] of inOrder.entries()) {
        const lower = inOrder.slice(at + 1).filter((one) => alike(one, upper));
        for (const one of lower)
          expect(conflict.sides.indexOf(one)).toBeGreaterThan(conflict.sides.indexOf(upper));
      }
    }
  });
  fc.assert(property, { numRuns: runs(300) });
});
