import fc from "fast-check";
import { countTokens as libraryCount } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type ContextCandidate, type ContextPack, packContext } from "../../../src/core/context/pack.ts";
import { anyCandidates, candidate } from "./candidates.ts";

const NOW_MS = Date.UTC(2025, 5, 1);
const exact = (text: string) => libraryCount(text, { disallowedSpecial: new Set() });

function pack(
  candidates: readonly ContextCandidate[],
  limits: { maxItems?: number; maxTokens?: number } = {},
  query = "deploy lock",
) {
  return packContext({ query, candidates, maxItems: 8, maxTokens: 1500, nowMs: NOW_MS, ...limits });
}

const idsOf = (packed: ContextPack<ContextCandidate>) => packed.items.map((item) => item.candidate.id);
const headersOf = (text: string) => text.split("\n").filter((line) => line.startsWith("#### "));

describe("packContext, for any input", () => {
  const limits = fc.record({
    maxItems: fc.integer({ min: 1, max: 12 }),
    maxTokens: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1200 })),
  });

  it("keeps to both limits, counts truly and accounts for every candidate", () => {
    fc.assert(
      fc.property(anyCandidates(9), limits, (candidates, given) => {
        const packed = pack(candidates, given);
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
      { numRuns: 1500 },
    );
  });

  it("has only lines of its own outside the quotes", () => {
    const own = /^(### Recollect Context|#### \d+\.( .+)?|Recalled .+|No stored memory matches\.)$/;
    fc.assert(
      fc.property(anyCandidates(5), limits, (candidates, given) => {
        const lines = pack(candidates, given).contextText.split("\n").slice(0, -1);
        for (const line of lines) if (!line.startsWith("> ")) expect(line).toMatch(own);
      }),
      { numRuns: 300 },
    );
  });

  it("always has the best, at least as an excerpt, where 40 tokens are to be had", () => {
    fc.assert(
      fc.property(anyCandidates(6), fc.integer({ min: 40, max: 300 }), (candidates, maxTokens) => {
        const best = pack(candidates, { maxItems: 1, maxTokens: 50_000 });
        const packed = pack(candidates, { maxTokens });
        expect(idsOf(packed)[0]).toBe(idsOf(best)[0]);
      }),
      { numRuns: 300 },
    );
  });

  it("answers the same again, in whatever order candidates of different value come", () => {
    fc.assert(
      fc.property(anyCandidates(7), (candidates) => {
        expect(pack(candidates)).toEqual(pack(candidates));
        expect(pack([...candidates].reverse()).contextText).toBe(pack(candidates).contextText);
      }),
      { numRuns: 200 },
    );
  });
});

describe("packContext", () => {
  const long = `${"Nothing of note happened on this day. ".repeat(200)}The deploy failed on a lock. ${"Then it was quiet. ".repeat(200)}`;

  it("answers that nothing was found", () => {
    expect(pack([]).contextText).toBe("### Recollect Context\nNo stored memory matches.\n");
    expect(pack([]).budget).toMatchObject({ used_items: 0, candidate_items: 0, skipped_items: 0 });
  });

  it.each([
    [1, ""],
    [4, ""],
    [5, "### Recollect Context\n"],
  ])("has with %i tokens the text %j", (maxTokens, text) => {
    const packed = pack([candidate({ id: "a" })], { maxTokens });
    expect(packed.contextText).toBe(text);
    expect(packed.items).toEqual([]);
    expect(packed.budget).toMatchObject({ used_items: 0, budget_skipped_items: 1 });
  });

  it("shows one memory too long for the budget as its best excerpt", () => {
    const packed = pack([candidate({ id: "a", content: long })], { maxTokens: 120 });
    expect(packed.contextText).toContain("The deploy failed on a lock.");
    expect(packed.budget).toMatchObject({ used_items: 1, truncated_items: 1, budget_tradeoff: true });
    expect(packed.budget.used_tokens).toBeGreaterThan(80);
  });

  it("puts one excerpt into a very small budget", () => {
    expect(idsOf(pack([candidate({ id: "a", content: long })], { maxTokens: 16 }))).toEqual(["a"]);
  });

  it("drops superseded memories unless asked for", () => {
    const candidates = [
      candidate({ id: "a", supersededBy: "b" }),
      candidate({ id: "b" }),
      candidate({ id: "c", status: "superseded" }),
    ];
    expect(idsOf(pack(candidates))).toEqual(["b"]);
    expect(pack(candidates).budget.filtered_items).toBe(2);
    const kept = packContext({
      query: "x",
      candidates,
      maxItems: 8,
      maxTokens: 1500,
      nowMs: NOW_MS,
      keepsSuperseded: true,
    });
    expect(kept.items.length).toBe(3);
  });

  it("drops near-duplicates, the less valuable one, and keeps other values", () => {
    const base =
      "The billing service of the shop listens on port 8080 behind the proxy in the second rack of the old data centre.";
    const packed = pack([
      candidate({ id: "low", content: base.toUpperCase(), relevance: 0.4 }),
      candidate({ id: "high", content: base, relevance: 0.9 }),
      candidate({ id: "other", content: base.replace("8080", "9090"), relevance: 0.8 }),
    ]);
    expect(idsOf(packed)).toEqual(["high", "other"]);
    expect(packed.budget.filtered_items).toBe(1);
  });

  it("drops what is worth nothing", () => {
    const packed = pack([
      candidate({ id: "a", relevance: 0 }),
      candidate({ id: "b", confidence: 0 }),
      candidate({ id: "c" }),
    ]);
    expect(idsOf(packed)).toEqual(["c"]);
    expect(packed.budget.filtered_items).toBe(2);
  });

  it("tells what the item limit and what the budget left out, at most five", () => {
    const many = Array.from({ length: 9 }, (_, at) => candidate({ id: `m${at}`, relevance: 0.9 - at / 100 }));
    const limited = pack(many, { maxItems: 2 });
    expect(limited.budget).toMatchObject({
      structured_skipped_items: 7,
      budget_skipped_items: 0,
      budget_tradeoff: false,
    });
    expect(limited.omitted.length).toBe(5);
    expect(limited.omitted[0]).toEqual({ id: "m2", tokens: expect.any(Number), reason: "item_limit" });
    const tight = pack(many, { maxTokens: 110 });
    expect(tight.budget.budget_skipped_items).toBeGreaterThan(0);
    expect(tight.omitted.every(({ reason }) => reason === "token_budget")).toBe(true);
  });

  it("marks other agents' items and weak matches", () => {
    const packed = pack([candidate({ id: "a", relation: "other_agent", agentName: "bob", relevance: 0.05 })]);
    expect(headersOf(packed.contextText)[0]).toBe(
      '#### 1. semantic, 2025-01-01, "projects/x", by "bob", other agent, observation, weak match, id "a"',
    );
  });

  it("packs hundreds of candidates of one long word each", () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      candidate({ id: `m${at}`, content: `${at}${"a".repeat(60_000)}` }),
    );
    expect(pack(many).budget.used_tokens).toBeLessThanOrEqual(1500);
  });
});
