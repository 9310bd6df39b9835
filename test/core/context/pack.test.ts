import fc from "fast-check";
import { countTokens as libraryCount } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { contradictingPairs } from "../../../bench/recall/suites/contradictions/pairs.ts";
import { own, word } from "../../../src/contract/own-words.ts";
import { type ContextCandidate, type ContextPack, packContext } from "../../../src/core/context/pack.ts";
import { type ContextBlock, type Layout, packBlocks } from "../../../src/core/context/pack-blocks.ts";
import { shortRef } from "../../../src/core/context/render.ts";
import { inTurns, UNPACED } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";
import { anyCandidates, candidate } from "./candidates.ts";

const NOW_MS = Date.UTC(2025, 5, 1);
const exact = (text: string) => libraryCount(text, { disallowedSpecial: new Set() });

function pack(
  candidates: readonly ContextCandidate[],
  limits: { maxItems?: number; maxTokens?: number; isCompact?: boolean } = {},
  query = "deploy lock",
) {
  return inTurns(
    packContext({ query, candidates, maxItems: 8, maxTokens: 1500, nowMs: NOW_MS, ...limits }),
    UNPACED,
  );
}

const idsOf = (packed: ContextPack<ContextCandidate>) => packed.items.map((item) => item.candidate.id);
/** With what is counted only when it is asked for. */
const counted = ({ leftOut, ...packed }: ContextPack<ContextCandidate>) => ({
  ...packed,
  leftOut: leftOut.map((item) => ({ ...item, tokens: item.tokens() })),
});
const headersOf = (text: string) => text.split("\n").filter((line) => line.startsWith("#### "));

describe("packContext, for any input", () => {
  const limits = fc.record({
    maxItems: fc.integer({ min: 1, max: 12 }),
    maxTokens: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1200 })),
  });

  it("keeps to both limits, counts truly and accounts for every candidate", async () => {
    await fc.assert(
      fc.asyncProperty(anyCandidates(9), limits, async (candidates, given) => {
        const packed = await pack(candidates, given);
        const { budget, contextText, items } = packed;
        expect(budget.used_tokens).toBe(exact(contextText));
        expect(budget.used_tokens).toBeLessThanOrEqual(given.maxTokens);
        expect(budget.used_items).toBe(items.length);
        expect(items.length).toBeLessThanOrEqual(given.maxItems);
        expect(budget.candidate_items).toBe(candidates.length);
        expect(budget.used_items + budget.skipped_items).toBe(budget.candidate_items);
        const { filtered_items, structured_skipped_items, budget_skipped_items } = budget;
        expect(filtered_items + structured_skipped_items + budget_skipped_items).toBe(budget.skipped_items);
        expect(headersOf(contextText).length).toBe(items.length);
        if (contextText !== "") expect(contextText.startsWith("### Recollect Context\n")).toBe(true);
        const values = items.map((item) => item.value);
        expect(values).toEqual([...values].sort((a, b) => b - a));
      }),
      { numRuns: runs(1500) },
    );
  });

  it("has only lines of its own outside the quotes", async () => {
    const own = /^(### Recollect Context|#### \d+\.( .+)?|Recalled .+|No stored memory matches\.)$/;
    await fc.assert(
      fc.asyncProperty(anyCandidates(5), limits, async (candidates, given) => {
        const lines = (await pack(candidates, given)).contextText.split("\n").slice(0, -1);
        for (const line of lines) if (!line.startsWith("> ")) expect(line).toMatch(own);
      }),
      { numRuns: runs(300) },
    );
  });

  it("keeps to the same limits in the compact form, with only lines of its own outside the quotes", async () => {
    const own = /^(### Recollect Context|YYMMDD .+|Recalled .+|No stored memory matches\.)$/;
    const item = /^(?:[\da-z, -]+ )?([a-z]\d{0,2})> /;
    await fc.assert(
      fc.asyncProperty(anyCandidates(9), limits, async (candidates, given) => {
        const { budget, contextText, items } = await pack(candidates, { ...given, isCompact: true });
        expect(budget.used_tokens).toBe(exact(contextText));
        expect(budget.used_tokens).toBeLessThanOrEqual(given.maxTokens);
        expect(items.length).toBeLessThanOrEqual(given.maxItems);
        const lines = contextText.split("\n").slice(0, -1);
        const refs = lines.flatMap((line) => item.exec(line)?.[1] ?? []);
        expect(refs).toEqual(items.map((_, at) => shortRef(at + 1)));
        for (const line of lines) if (!line.startsWith("> ") && !item.test(line)) expect(line).toMatch(own);
      }),
      { numRuns: runs(800) },
    );
  });

  it("always has the best, at least as an excerpt, where 40 tokens are to be had", async () => {
    await fc.assert(
      fc.asyncProperty(anyCandidates(6), fc.integer({ min: 40, max: 300 }), async (candidates, maxTokens) => {
        const best = await pack(candidates, { maxItems: 1, maxTokens: 50_000 });
        const packed = await pack(candidates, { maxTokens });
        expect(idsOf(packed)[0]).toBe(idsOf(best)[0]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("answers the same again, in whatever order candidates of different value come", async () => {
    await fc.assert(
      fc.asyncProperty(anyCandidates(7), async (candidates) => {
        expect(counted(await pack(candidates))).toEqual(counted(await pack(candidates)));
        expect((await pack([...candidates].reverse())).contextText).toBe(
          (await pack(candidates)).contextText,
        );
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("packContext", () => {
  const long = `${"Nothing of note happened on this day. ".repeat(200)}The deploy failed on a lock. ${"Then it was quiet. ".repeat(200)}`;

  it("answers that nothing was found", async () => {
    expect((await pack([])).contextText).toBe("### Recollect Context\nNo stored memory matches.\n");
    expect((await pack([])).budget).toMatchObject({ used_items: 0, candidate_items: 0, skipped_items: 0 });
  });

  it.each([
    [1, ""],
    [4, ""],
    [5, "### Recollect Context\n"],
  ])("has with %i tokens the text %j", async (maxTokens, text) => {
    const packed = await pack([candidate({ id: "a" })], { maxTokens });
    expect(packed.contextText).toBe(text);
    expect(packed.items).toEqual([]);
    expect(packed.budget).toMatchObject({ used_items: 0, budget_skipped_items: 1 });
  });

  it("shows one memory too long for the budget as its best excerpt", async () => {
    const packed = await pack([candidate({ id: "a", content: long })], { maxTokens: 120 });
    expect(packed.contextText).toContain("The deploy failed on a lock.");
    expect(packed.budget).toMatchObject({ used_items: 1, truncated_items: 1, budget_tradeoff: true });
    expect(packed.budget.used_tokens).toBeGreaterThan(80);
  });

  it("puts one excerpt into a very small budget", async () => {
    expect(idsOf(await pack([candidate({ id: "a", content: long })], { maxTokens: 16 }))).toEqual(["a"]);
  });

  it("drops superseded memories unless asked for", async () => {
    const candidates = [
      candidate({ id: "a", supersededBy: "b" }),
      candidate({ id: "b" }),
      candidate({ id: "c", status: "superseded" }),
    ];
    expect(idsOf(await pack(candidates))).toEqual(["b"]);
    expect((await pack(candidates)).budget.filtered_items).toBe(2);
    const kept = await inTurns(
      packContext({
        query: "x",
        candidates,
        maxItems: 8,
        maxTokens: 1500,
        nowMs: NOW_MS,
        keepsSuperseded: true,
      }),
      UNPACED,
    );
    expect(kept.items.length).toBe(3);
  });

  it("drops repetitions, the less valuable one, names them, and keeps other values", async () => {
    const base =
      "The billing service of the shop listens on port 8080 behind the proxy in the second rack of the old data centre.";
    const packed = await pack([
      candidate({ id: "low", content: base.toLowerCase(), relevance: 0.4 }),
      candidate({ id: "high", content: base, relevance: 0.9 }),
      candidate({ id: "other", content: base.replace("8080", "9090"), relevance: 0.8 }),
    ]);
    expect(idsOf(packed)).toEqual(["high", "other"]);
    expect(packed.budget.filtered_items).toBe(1);
    expect(packed.omitted).toEqual([
      { id: "low", tokens: expect.any(Number), reason: "repetition", repeats: "high" },
    ]);
  });

  it("drops neither of two that differ in one step", async () => {
    for (const { sides, question } of contradictingPairs(runs(2000), 43)) {
      const candidates = sides.map((content, at) => candidate({ id: `${at}`, content }));
      const packed = await pack(candidates, { maxTokens: 9000 }, question);
      expect([...idsOf(packed)].sort()).toEqual(["0", "1"]);
      expect(packed.omitted).toEqual([]);
    }
  }, 600_000);

  it("names every repetition beside the five that did not fit", async () => {
    const says = (at: number) => `The number ${at} is drawn.`;
    const many = Array.from({ length: 40 }, (_, at) =>
      candidate({ id: `m${at}`, content: says(at % 10), relevance: 0.9 - at / 100 }),
    );
    const { omitted, budget } = await pack(many, { maxItems: 2 });
    expect(omitted.filter(({ reason }) => reason === "item_limit")).toHaveLength(5);
    const repeating = omitted.filter(({ reason }) => reason === "repetition");
    expect(repeating.map(({ id, repeats }) => [id, repeats])).toEqual(
      many.slice(10).map(({ id }, at) => [id, `m${at % 10}`]),
    );
    expect(budget.filtered_items).toBe(30);
  });

  it("puts the newest of what contradicts itself first, but not over what is better vouched for", async () => {
    const says = (id: string, day: string, given: Partial<ContextCandidate> = {}) =>
      candidate({ id, content: `Deploys go out on ${day}.`, ...given });
    const all = [
      says("old", "Monday", { relevance: 0.9 }),
      says("new", "Friday", { relevance: 0.7 }),
      says("verified", "Sunday", { relevance: 0.8, authority: "verified" }),
      candidate({ id: "else", relevance: 0.85 }),
    ];
    const [old, newest, verified] = all as [ContextCandidate, ContextCandidate, ContextCandidate];
    const conflicts = [{ sides: [newest, verified, old] }];
    const request = { query: "deploys", candidates: all, maxItems: 8, maxTokens: 1500, nowMs: NOW_MS };
    const packed = await inTurns(packContext({ ...request, conflicts }), UNPACED);
    expect(idsOf(packed)).toEqual(["new", "else", "verified", "old"]);
    expect(packed.contextText).toContain(
      'Recalled memories contradict each other: id "new" against id "verified" against id "old".',
    );
    expect(packed.budget.used_tokens).toBe(exact(packed.contextText));
  });

  it("keeps what is said by a longer one that shows less of it", async () => {
    const filler = (at: number) => `Clause ${at} concerns the terms of the delivery of all goods. `;
    const longer = `${Array.from({ length: 300 }, (_, at) => filler(at)).join("")}The deploy failed on a lock.`;
    const all = [
      candidate({ id: "longer", content: longer, relevance: 0.9 }),
      candidate({ id: "shorter", content: filler(3), relevance: 0.6 }),
    ];
    const cut = await pack(all, { maxTokens: 200 });
    expect(cut.omitted).toEqual([]);
    expect(idsOf(cut)).toEqual(["longer", "shorter"]);
    const whole = await pack(all, { maxTokens: 9000 });
    expect(whole.omitted).toMatchObject([{ id: "shorter", reason: "repetition", repeats: "longer" }]);
  });

  it("drops what is worth nothing", async () => {
    const packed = await pack([
      candidate({ id: "a", relevance: 0 }),
      candidate({ id: "b", confidence: 0 }),
      candidate({ id: "c" }),
    ]);
    expect(idsOf(packed)).toEqual(["c"]);
    expect(packed.budget.filtered_items).toBe(2);
  });

  it("tells what the item limit and what the budget left out, at most five", async () => {
    const many = Array.from({ length: 9 }, (_, at) => candidate({ id: `m${at}`, relevance: 0.9 - at / 100 }));
    const limited = await pack(many, { maxItems: 2 });
    expect(limited.budget).toMatchObject({
      structured_skipped_items: 7,
      budget_skipped_items: 0,
      budget_tradeoff: false,
    });
    expect(limited.omitted.length).toBe(5);
    expect(limited.omitted[0]).toEqual({ id: "m2", tokens: expect.any(Number), reason: "item_limit" });
    const tight = await pack(many, { maxTokens: 110 });
    expect(tight.budget.budget_skipped_items).toBeGreaterThan(0);
    expect(tight.omitted.every(({ reason }) => reason === "token_budget")).toBe(true);
  });

  it("marks other agents' items and weak matches", async () => {
    const packed = await pack([
      candidate({ id: "a", relation: "other_agent", agentName: "bob", relevance: 0.05 }),
    ]);
    expect(headersOf(packed.contextText)[0]).toBe(
      '#### 1. semantic, 2025-01-01, "projects/x", by "bob", other agent, observation, weak match, id "a"',
    );
  });

  it("packs hundreds of candidates of one long word each", async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      candidate({ id: `m${at}`, content: `${at}${"a".repeat(60_000)}` }),
    );
    expect((await pack(many)).budget.used_tokens).toBeLessThanOrEqual(1500);
  });
});

describe("the work of a pack", () => {
  const limits = { itemsMax: 300, tokensMax: 1500 };
  const layout: Layout<ContextBlock> = {
    frame: (detail) => own`### Of ${word(detail)}
`,
    nothing: own`### Nothing
`,
    arrange: (taken) => taken,
  };

  it("reads no more for excerpts the more long texts there are", async () => {
    const readOf = async (count: number) => {
      let read = 0;
      const blocks = Array.from(
        { length: count },
        (_, at): ContextBlock => ({
          id: `${at}`,
          value: 1 - at / 1000,
          content: `${at} says that nothing of note happened. `.repeat(1700),
          label: () => own`block ${at}`,
          score: (sentence) => {
            read += sentence.length;
            return 0;
          },
        }),
      );
      const packed = await inTurns(packBlocks(blocks, limits, layout), UNPACED);
      expect(packed.usedTokens).toBe(exact(packed.text));
      return read;
    };
    const [read, readOfMore] = [await readOf(30), await readOf(300)];
    expect(read).toBeLessThan(300_000);
    expect(readOfMore).toBeLessThanOrEqual(read * 1.1);
  });

  it("shows short memories that come after many long ones", async () => {
    const long = Array.from({ length: 60 }, (_, at) =>
      candidate({
        id: `l${at}`,
        content: `${at} and so on, 中文。`.repeat(2000),
        relevance: 0.9 - at / 1000,
      }),
    );
    const short = candidate({ id: "short", content: "The lock is held by the deploy.", relevance: 0.75 });
    const packed = await pack([...long, short], { maxItems: 30, maxTokens: 4000 });
    expect(idsOf(packed)).toContain("short");
    expect(packed.budget.used_tokens).toBe(exact(packed.contextText));
  });

  it("makes way between candidates, and packs the same", async () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      candidate({
        id: `m${at}`,
        content: `${at}: ${"Words of a long text. ".repeat(400)}`,
        relevance: 1 / (at + 1),
      }),
    );
    const request = { query: "long", candidates: many, maxItems: 8, maxTokens: 1500, nowMs: NOW_MS };
    let turns = 0;
    const pace = {
      pause: () => {
        turns++;
        return turns % 3 === 0 ? Promise.resolve() : undefined;
      },
    };
    expect(counted(await inTurns(packContext(request), pace))).toEqual(
      counted(await inTurns(packContext(request), UNPACED)),
    );
    expect(turns).toBeGreaterThan(3 * 32);
  });

  it("is done, and none the poorer, where the best memory is one endless character", async () => {
    const endless = candidate({ id: "endless", content: `a${"\u0301".repeat(65_535)}`, relevance: 0.9 });
    for (const maxTokens of [60, 200, 1500]) {
      const packed = await pack([endless, candidate({ id: "other" })], { maxTokens });
      expect(idsOf(packed)[0]).toBe("endless");
      expect(packed.budget.used_tokens).toBe(exact(packed.contextText));
      if (maxTokens > 100) expect(idsOf(packed)).toContain("other");
    }
  });

  it("says what is left out would cost, of long ones by their beginnings", async () => {
    const words = "The deploy failed on a lock and was rolled back. ";
    const many = [1, 2, 3].map((at) => candidate({ id: `m${at}`, content: `${at}${words.repeat(1300)}` }));
    const packed = await pack(many, { maxItems: 1 });
    const whole = exact(`> ${many[1]?.content.trimEnd()}\n`);
    for (const { tokens } of packed.omitted) {
      expect(tokens).toBeGreaterThan(0.98 * whole);
      expect(tokens).toBeLessThan(1.02 * whole + 40);
    }
  });
});
