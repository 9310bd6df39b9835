import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { isPreference } from "../../../src/core/recall/preferences.ts";
import { reranked } from "../../../src/core/recall/rerank.ts";
import { UNPACED } from "../../../src/recall/work.ts";

const caller: Pick<Caller, "owner"> = { owner: { kind: "user", id: "alice", name: "alice" } } as never;

const ask = { query: "tea", hitsMax: 10, retrievers: ["lexical", "dense"] } as const;

interface Given {
  readonly signals: Readonly<Record<string, number>>;
  readonly score: number;
}

const sum = (signals: Readonly<Record<string, number>>) =>
  Object.values(signals).reduce((all, value) => all + value, 0);

const hitOf = ({ signals, score }: Given, at: number) => ({
  memory: { content: `text ${at}` },
  passage: null,
  score,
  judgedRelevance: score,
  rankScore: sum(signals),
  signals,
});

async function judged(given: readonly Given[], judgements: readonly number[], candidatesMax = 50) {
  const hits = given.map(hitOf).sort((a, b) => b.rankScore - a.rankScore);
  const reranker = { candidatesMax, rerank: async () => judgements.slice(0, candidatesMax) };
  const { hits: after } = await reranked({ reranker, pace: UNPACED }, caller, ask, hits);
  return { before: hits, after };
}

/** Of differences that no rounding swallows. */
const steps = (least: number, most: number) =>
  fc.integer({ min: least * 1024, max: most * 1024 }).map((count) => count / 1024);

const given = fc.record({
  signals: fc.record({
    lexical: steps(0, 1),
    recency: steps(-0.5, 0.5),
    exact: fc.constantFrom(0, 8, 16),
    own_session: fc.constantFrom(0, 0.5),
  }),
  score: steps(0, 1),
});
const judgement = steps(-1000, 1000);
const cases = fc
  .array(fc.tuple(given, judgement), { minLength: 2, maxLength: 60 })
  .map((pairs) => ({ given: pairs.map(([one]) => one), judgements: pairs.map(([, one]) => one) }));

test("signals add up to the order, every hit stays, and what has more of what is named stays before what has less", () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ given, judgements }) => {
      const { before, after } = await judged(given, judgements);
      expect(new Set(after.map(({ memory }) => memory.content)).size).toBe(before.length);
      for (const [at, hit] of after.entries()) {
        expect(hit.rankScore).toBeCloseTo(sum(hit.signals), 9);
        const next = after[at + 1];
        if (next === undefined) continue;
        expect(hit.rankScore).toBeGreaterThanOrEqual(next.rankScore);
        expect(hit.signals.exact).toBeGreaterThanOrEqual(next.signals.exact as number);
      }
    }),
  ));

test("nothing goes beyond what the ranker's own order and relevance span, and preferences count as before", () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ given, judgements }) => {
      const { before, after } = await judged(given, judgements);
      const own = ({ signals }: { signals: Readonly<Record<string, number>> }) =>
        sum(Object.fromEntries(Object.entries(signals).filter(([name]) => !isPreference(name))));
      for (const exact of [0, 8, 16]) {
        const of = <H extends Given>(hits: readonly H[]) =>
          hits.filter(({ signals }) => signals.exact === exact);
        const [places, scores] = [of(before).map(own), of(before).map(({ score }) => score)];
        for (const hit of of(after)) {
          if (places.length > 50) continue;
          expect(own(hit)).toBeGreaterThanOrEqual(Math.min(...places) - 1e-9);
          expect(own(hit)).toBeLessThanOrEqual(Math.max(...places) + 1e-9);
          expect(hit.judgedRelevance).toBeGreaterThanOrEqual(Math.min(...scores) - 1e-9);
          expect(hit.judgedRelevance).toBeLessThanOrEqual(Math.max(...scores) + 1e-9);
        }
      }
    }),
  ));

test("a judgement that agrees with the order, or tells nothing apart, leaves it", () =>
  fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 2, maxLength: 50 }), async (hits) => {
      const order = (of: readonly { memory: { content: string } }[]) =>
        of.map(({ memory }) => memory.content);
      const plain = hits.map((hit) => ({ ...hit, signals: { ...hit.signals, own_session: 0 } }));
      const falling = plain.map((_, at) => -at);
      for (const judgements of [falling, plain.map(() => 7)]) {
        const { before, after } = await judged(plain, judgements);
        expect(order(after)).toEqual(order(before));
      }
    }),
  ));

test("of what is judged higher none loses a place to what is judged lower and was behind it", () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ given, judgements }) => {
      const plain = given
        .slice(0, 50)
        .map((hit) => ({ ...hit, signals: { ...hit.signals, exact: 0, own_session: 0 } }));
      const { before, after } = await judged(plain, judgements);
      const placeOf = new Map(after.map(({ memory }, place) => [memory.content, place]));
      for (const [at, hit] of before.entries()) {
        for (const [later, other] of before.entries()) {
          if (later <= at || (judgements[later] as number) > (judgements[at] as number)) continue;
          expect(placeOf.get(hit.memory.content)).toBeLessThan(placeOf.get(other.memory.content) as number);
        }
      }
    }),
  ));

test("what is beyond the first hits is not judged", async () => {
  const many = Array.from({ length: 6 }, (_, at) => ({ signals: { lexical: 1 - at / 10 }, score: 0.5 }));
  const { after } = await judged(many, [0, 9, 0], 3);
  expect(after.map(({ signals }) => "rerank" in signals)).toEqual([true, true, true, false, false, false]);
  expect(after[0]?.memory.content).toBe("text 1");
});
