import fc from "fast-check";
import { countTokens as libraryCount } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../../src/core/context/count-tokens.ts";
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
    " ".repeat(400),
  ])("counts %j as the library does", (text) => {
    expect(countTokens(text)).toBe(exact(text));
  });

  it("counts any short text as the library does", () => {
    // But for the byte order mark: the library misses the tokens that begin with it (it decodes them away).
    const text = hostileText(120).map((any) => any.replaceAll("\ufeff", ""));
    fc.assert(
      fc.property(text, (any) => countTokens(any) === exact(any)),
      { numRuns: 2000 },
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
      { numRuns: 150 },
    );
  });

  it("adds up where a text ends in a line feed and the next begins with # or >", () => {
    const start = fc.constantFrom("#### 1.", "> ", "### ", ">");
    fc.assert(
      fc.property(hostileText(60), start, hostileText(60), (a, begin, b) => {
        expect(countTokens(`${a}\n${begin}${b}`)).toBe(countTokens(`${a}\n`) + countTokens(begin + b));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a", 25_000],
    [" ", 1563],
    ["中", 200_000],
    ["\n", 12_500],
  ])("ends on 200,000 times %j", (unit, tokens) => {
    expect(countTokens(unit.repeat(200_000))).toBe(tokens);
  });
});
