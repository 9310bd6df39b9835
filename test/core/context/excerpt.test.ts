import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../../src/core/context/count-tokens.ts";
import { cutPlace, excerptOf, queryScorer, splitSentences } from "../../../src/core/context/excerpt.ts";
import { hostileText } from "./texts.ts";

const sentencesOf = (text: string) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end).trim());

describe("splitSentences", () => {
  it.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    ["Dr. Smith met J. Doe, e.g. at noon. Then left.", ["Dr. Smith met J. Doe, e.g. at noon.", "Then left."]],
    ["Version 1.2.3 is out. Ok", ["Version 1.2.3 is out.", "Ok"]],
    ["它坏了。我们修好了！好", ["它坏了。", "我们修好了！", "好"]],
    ["const a = 1;\nreturn a;\n", ["const a = 1;", "return a;"]],
    ["1. First point\n2. Second point", ["1. First point", "2. Second point"]],
    ["He said “stop.” She did.", ["He said “stop.”", "She did."]],
    ["", []],
  ])("divides %j", (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it("divides a very long sentence into clauses", () => {
    expect(splitSentences("a clause of some words, ".repeat(40)).length).toBeGreaterThan(4);
  });

  it("covers any text without gaps", () => {
    fc.assert(
      fc.property(hostileText(80), (text) => {
        const spans = splitSentences(text);
        expect(spans.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
        expect(spans.every(({ start, end }) => end > start)).toBe(true);
      }),
    );
  });

  it.each([".", '."', "a.", ",", "\n", " "])("ends on a long run of %j", (unit) => {
    expect(splitSentences(unit.repeat(60_000)).length).toBeGreaterThan(0);
  });
});

describe("cutPlace", () => {
  it.each([
    ["a😀b", 2, 1],
    ["e\u0301x", 1, 0],
    ["👩‍👧", 2, 0],
    ["abc", 2, 2],
    ["abc", 9, 3],
  ])("of %j at %i is %i", (text, at, expected) => {
    expect(cutPlace(text, at)).toBe(expected);
  });
});

describe("excerptOf", () => {
  const text =
    "We met on Monday. The weather was fine and warm. The billing deploy failed on a lock. It was rolled back. Lunch followed.";
  const cut = (content: string, query: string, tokensMax: number) =>
    excerptOf(content, { tokensMax, score: queryScorer(query), measure: countTokens });

  it("leaves a text that fits as it is", () => {
    expect(cut(text, "billing", 100)).toMatchObject({ text, retention: 1 });
  });

  it("keeps the sentences that the query is about and marks what is cut", () => {
    expect(cut(text, "why did the deploy fail?", 14)?.text).toMatch(
      /^….*The billing deploy failed on a lock\..*…$/,
    );
  });

  it("begins at the start where nothing matches", () => {
    expect(cut(text, "zebra", 14)?.text).toMatch(/^We met on Monday\..*…$/);
  });

  it("cuts a sentence that is too long around its matching words", () => {
    expect(
      cut(`${"some words here ".repeat(60)}zebra ${"and so forth ".repeat(60)}`, "zebra", 30)?.text,
    ).toContain("zebra");
  });

  it("cuts inside a word where it must, never inside a character", () => {
    const emoji = cut("😀".repeat(500), "x", 12);
    expect(emoji?.text).toMatch(/^(😀)+…$/u);
    expect(cut("a".repeat(65_536), "x", 12)?.text).toMatch(/^a+…$/);
  });

  it("answers null where nothing fits", () => {
    expect(cut(text, "billing", 0)).toBeNull();
  });

  it("never costs more than allowed, for any text", () => {
    fc.assert(
      fc.property(hostileText(80), fc.integer({ min: -2, max: 60 }), (content, tokensMax) => {
        const excerpt = cut(content, "deploy lock 中", tokensMax);
        if (excerpt === null) return;
        expect(excerpt.tokens).toBe(countTokens(excerpt.text));
        expect(excerpt.tokens).toBeLessThanOrEqual(tokensMax);
        expect(excerpt.retention).toBeGreaterThanOrEqual(0);
        expect(excerpt.retention).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });
});
