import fc from "fast-check";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens as libraryCount } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countTokens, measureTokens } from "../../../src/recall/pack/count-tokens.ts";
import { runs } from "../../support/random.ts";
import { hostileText } from "./texts.ts";

const exact = (text: string) => libraryCount(text, { disallowedSpecial: new Set() });

describe("countTokens", () => {
  it.each([
    "",
    "hello world",
    "it's IT'S don'T we'LL",
    "<|endoftext|> and <|im_start|>",
    "日本語の文。한국어 ไทย العربية",
    "👩‍👩‍👧‍👦 é 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "  \r\n\t x\n\n  y ",
    "\ud800 alone",
    "=".repeat(700),
    "aB".repeat(300),
    "-".repeat(1000),
    `${"=".repeat(97)}${"-".repeat(330)}`,
    "ABCdef'S ABC'ſ aBc'LLx Zé ẞa aſb I'M",
    " ".repeat(400),
  ])("counts %j as the library does", (text) => {
    expect(countTokens(text)).toBe(exact(text));
  });

  it("counts any short text as the library does", () => {
    // But for the byte order mark: the library misses the tokens that begin with it (it decodes them away).
    const text = hostileText(120).map((any) => any.replaceAll("\ufeff", ""));
    fc.assert(
      fc.property(text, (any) => countTokens(any) === exact(any)),
      { numRuns: runs(2000) },
    );
  });

  it("counts tokens that follow each other as the library does", () => {
    const token = fc.nat(ranks.length - 1).map((rank) => {
      const bytes = ranks[rank] as string | number[];
      return typeof bytes === "string" ? bytes : new TextDecoder().decode(Uint8Array.from(bytes));
    });
    const text = fc
      .array(token, { minLength: 2, maxLength: 12 })
      .map((tokens) => tokens.join("").replaceAll("\ufeff", ""));
    fc.assert(
      fc.property(text, (any) => countTokens(any) === exact(any)),
      { numRuns: runs(3000) },
    );
  });

  it("counts runs of characters that have tokens for many lengths as the library does", () => {
    const run = fc
      .tuple(
        fc.constantFrom("=", "-", "/", "*", "#", " ", "\n", "_", "a", "ab", "\u3000"),
        fc.integer({ min: 1, max: 260 }),
      )
      .map(([unit, times]) => unit.repeat(times));
    const text = fc.array(run, { minLength: 1, maxLength: 4 }).map((runs) => runs.join(""));
    fc.assert(
      fc.property(text, (any) => countTokens(any) === exact(any)),
      { numRuns: runs(500) },
    );
  });

  it("knows the byte order mark as the one token it is", () => {
    expect(countTokens("\ufeff")).toBe(1);
  });

  it("counts long single pieces as the library does", () => {
    const piece = fc.array(fc.constantFrom("a", "b", "an", "the", "é", "中", "-"), {
      minLength: 60,
      maxLength: 400,
    });
    fc.assert(
      fc.property(piece, (parts) => countTokens(parts.join("")) === exact(parts.join(""))),
      { numRuns: runs(150) },
    );
  });

  it("adds up where a text ends in a line feed and the next begins with # or >", () => {
    const start = fc.constantFrom("#### 1.", "> ", "### ", ">");
    fc.assert(
      fc.property(hostileText(60), start, hostileText(60), (a, begin, b) => {
        expect(countTokens(`${a}\n${begin}${b}`)).toBe(countTokens(`${a}\n`) + countTokens(begin + b));
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each([
    ["a", 25_000],
    [" ", 1563],
    ["中", 200_000],
    ["\n", 12_500],
    ["-", 3125],
    ["\u0301", 200_000],
  ])("ends on 200,000 times %j", (unit, tokens) => {
    expect(countTokens(unit.repeat(200_000))).toBe(tokens);
  });
});

describe("measureTokens", () => {
  it("counts what is allowed, and tells how far that reaches", () => {
    fc.assert(
      fc.property(hostileText(60), fc.integer({ min: 0, max: 80 }), (text, tokensMax) => {
        const { tokens, length } = measureTokens(text, tokensMax);
        const all = countTokens(text);
        expect(tokens).toBe(all <= tokensMax ? all : Number.POSITIVE_INFINITY);
        if (all <= tokensMax) expect(length).toBe(text.length);
        else expect(countTokens(text.slice(0, length))).toBeLessThanOrEqual(tokensMax);
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each([
    ["one two three", 2, "one two"],
    ["aaaaaaaaaaaaaaaaaaaa", 2, "aaaaaaaaaaaaaaaa"],
    ["中中中中", 3, "中中中"],
    ["a👩", 2, "a"],
    ["x", 0, ""],
  ])("of %j allows %i tokens: %j", (text, tokensMax, allowed) => {
    expect(text.slice(0, measureTokens(text, tokensMax).length)).toBe(allowed);
  });
});
