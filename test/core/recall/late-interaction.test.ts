import fc from "fast-check";
import { expect, test } from "vitest";
import { packTokens } from "../../../src/recall/index/packed-tokens.ts";
import { rankLate } from "../../../src/recall/ranking/late-interaction.ts";
import { type RankedHit, relevance } from "../../../src/recall/ranking/rank.ts";
import { tokenMatches } from "../../../src/recall/ranking/token-matches.ts";
import { inTurns, UNPACED } from "../../../src/recall/work.ts";

const DIMENSION = 16;

/** Pieces along one axis each. */
function pieces(...axes: number[]): Int8Array {
  const vectors = new Int8Array(axes.length * DIMENSION);
  for (const [at, axis] of axes.entries()) vectors[at * DIMENSION + axis] = 127;
  return vectors;
}

const packed = (...axes: number[]) => packTokens(pieces(...axes), DIMENSION);

test("a passage matches by the mean of the best that each piece of the query finds in it", async () => {
  const passages = [packed(1, 2, 3), packed(2, 5), packed(7), null, packed()];
  const matches = await inTurns(tokenMatches(pieces(1, 2), passages, DIMENSION), UNPACED);
  expect(matches).toEqual([expect.closeTo(1), expect.closeTo(0.5), expect.closeTo(0), null, null]);
});

test("a query without pieces matches nothing", async () => {
  expect(await inTurns(tokenMatches(pieces(), [packed(1)], DIMENSION), UNPACED)).toEqual([null]);
});

const axes = fc.array(fc.nat(DIMENSION - 1), { maxLength: 6 });

test("as the plain definition has it, whatever is missing", async () => {
  const passage = fc.option(axes, { nil: null });
  await fc.assert(
    fc.asyncProperty(axes, fc.array(passage, { maxLength: 8 }), async (query, passages) => {
      const made = await inTurns(
        tokenMatches(
          pieces(...query),
          passages.map((one) => one && packed(...one)),
          DIMENSION,
        ),
        UNPACED,
      );
      const expected = passages.map((one) =>
        one === null || one.length === 0 || query.length === 0
          ? null
          : query.filter((axis) => one.includes(axis)).length / query.length,
      );
      for (const [at, match] of made.entries())
        expect(match).toEqual(expected[at] == null ? null : expect.closeTo(expected[at], 3));
    }),
  );
});

const signal = fc.double({ min: 0, max: 1, noNaN: true });
/** Ranked memories, some with a passage that has vectors, and a query's axes. */
const cases = fc.record({
  query: fc.array(fc.nat(DIMENSION - 1), { minLength: 1, maxLength: 6 }),
  hits: fc.array(fc.record({ lexical: signal, dense: signal, exact: signal, axes: fc.option(axes) }), {
    maxLength: 60,
  }),
});

const total = ({ signals }: RankedHit) => Object.values(signals).reduce((sum, one) => sum + one, 0);

function rankedOf(hits: readonly { lexical: number; dense: number; exact: number }[]): RankedHit[] {
  return hits
    .map(({ lexical, dense, exact }, at) => ({
      id: `${at}`,
      ownerId: "owner",
      seq: at,
      passage: null,
      vector: () => null,
      score: 0.5,
      cosine: null,
      tokenMatch: null,
      translated: 0,
      lexicalShare: 0.5,
      evidence: 9,
      hasWords: true,
      exact: null,
      signals: { lexical, dense, exact },
    }))
    .sort((a, b) => total(b) - total(a));
}

/** A model that has the vectors of these passages. */
const modelOf = (hits: readonly { axes: number[] | null }[]) => ({
  dimension: DIMENSION,
  query: () => Promise.reject(new Error("it is not asked")),
  passages: async (asked: readonly { memory: string }[]) =>
    asked.map(({ memory }) => {
      const of = hits[Number(memory)]?.axes ?? null;
      return of && packed(...of);
    }),
});

test("the less it counts, the less it moves, and where it does not count it moves nothing", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.double({ min: 0, max: 1, noNaN: true }), async ({ query, hits }, share) => {
      const ranked = rankedOf(hits);
      const before = new Map(ranked.map((hit) => [hit.id, total(hit)]));
      const gains = async (share: number) => {
        const asked = { model: modelOf(hits), query: pieces(...query) };
        const late = await rankLate(asked, ranked, { pace: UNPACED, share });
        return new Map(late.map((hit) => [hit.id, total(hit) - (before.get(hit.id) as number)]));
      };
      const [whole, part, none] = await Promise.all([gains(1), gains(share), gains(0)]);
      expect([...none.keys()]).toEqual(ranked.map(({ id }) => id));
      for (const { id } of ranked) expect(part.get(id)).toBeCloseTo(share * (whole.get(id) as number), 9);
    }),
  );
});

test("every memory stays, those without vectors just as they were, and on the average nothing is gained", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ query, hits }) => {
      const ranked = rankedOf(hits);
      const model = modelOf(hits);
      const late = await rankLate({ model, query: pieces(...query) }, ranked, { pace: UNPACED, share: 1 });
      expect(late.map(({ id }) => id).sort()).toEqual(ranked.map(({ id }) => id).sort());
      const before = new Map(ranked.map((hit) => [hit.id, hit]));
      for (const hit of late) {
        if (!("late" in hit.signals)) expect(hit).toBe(before.get(hit.id));
        expect(hit.tokenMatch !== null).toBe("late" in hit.signals);
        expect(hit.signals.exact).toBe(before.get(hit.id)?.signals.exact);
      }
      const gains = late.map((hit) => total(hit) - total(before.get(hit.id) as RankedHit));
      expect(gains.reduce((sum, gain) => sum + gain, 0)).toBeCloseTo(0, 6);
      expect(late.map(total)).toEqual(late.map(total).toSorted((a, b) => b - a));
    }),
  );
});

test("a match makes a memory more relevant, and the words still count for more", () => {
  fc.assert(
    fc.property(signal, signal, signal, (words, cosine, match) => {
      const relevant = (lexicalShare: number, match: number) =>
        relevance({ lexicalShare, cosine, evidence: 9 }, match);
      expect(relevant(words, match)).toBeGreaterThan(relevant(words, match - 0.1));
      expect(relevant(words + 0.1, match)).toBeGreaterThan(relevant(words, match + 0.1));
    }),
  );
});
