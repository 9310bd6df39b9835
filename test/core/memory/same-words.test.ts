import fc from "fast-check";
import { expect, test } from "vitest";
import { contradictingPairs } from "../../../bench/recall/suites/contradictions/pairs.ts";
import { read } from "../../../src/recall/language/reading.ts";
import { likenessOf, wordsKey } from "../../../src/recall/statements/same-words.ts";
import { comparedText, saysTheSame } from "../../../src/recall/statements/sameness.ts";
import { runs } from "../../support/random.ts";
import { hostileText } from "../context/texts.ts";

const isSame = (a: string, b: string) => wordsKey(a) === wordsKey(b);

test.each([
  ["The tide turns at six.", "The tide turns at six"],
  ["The tide turns at six.", " The  tide\nturns at six!"],
  ["She calls it “the ferry”.", 'She calls it "the ferry"'],
  ["It’s the ferry", "It's the ferry…"],
  ["Café by the pier", "Cafe\u0301 by the pier"],
  ["The tide turns.", "By the way, The tide turns."],
  ["The tide turns.", "By  the way – The tide turns"],
  ["The tide turns.", "As a reminder: I recall that The tide turns."],
  ["The tide turns.", "… The tide turns."],
  ["One. Two! Three…", "One! Two. Three"],
  ["潮は六時に変わる。", "潮は六時に変わる"],
])("%j says what %j says", (a, b) => {
  expect([likenessOf(a, b), likenessOf(b, a)]).toEqual(["same", "same"]);
  expect(isSame(a, b)).toBe(true);
});

test.each([
  ["The tide turns on Friday.", "the tide turns on friday"],
  ["The tide turns.", "By the way, the tide turns."],
])("%j says what %j says, in other case", (a, b) => {
  expect([likenessOf(a, b), likenessOf(b, a)]).toEqual(["in other case", "in other case"]);
});

test.each([
  ["Ask the US office", "Ask the us office"],
  ["n is 5!", "n is 5"],
  ["getUser fails", "getuser fails"],
  ["Don't. Stop.", "Don't stop."],
  ["The tide turns at six", "The tide turns at seven"],
  ["x < 5", "x > 5"],
  ["-18 degrees", "18 degrees"],
  ["1.5 litres", "15 litres"],
  ["C++ it is", "C it is"],
  ["$5 a piece", "€5 a piece"],
  ["Is it open?", "Is it open"],
  ["The tide turns", "Wrong: The tide turns"],
  ["The tide turns", "Ann says: The tide turns"],
  ["Note 12 is broken", "12 is broken"],
  ["Memory is full", "is full"],
  ["Memory -18", "18"],
  ["let's eat, Ann", "let's eat Ann"],
])("%j does not say what %j says", (a, b) => {
  expect([likenessOf(a, b), isSame(a, b)]).toEqual([null, false]);
});

test("what packs call the same has one key", () => {
  const text = hostileText(30);
  const property = fc.property(text, text, fc.boolean(), (a, other, isChanged) => {
    const b = isChanged ? ` ${a.replaceAll(" ", "\n")}` : other;
    if (saysTheSame(comparedText(a), comparedText(b))) expect(wordsKey(a)).toBe(wordsKey(b));
  });
  fc.assert(property, { numRuns: runs(500) });
});

test("what contradicts has two, with a lead-in and without", () => {
  for (const { sides } of contradictingPairs(500, 11)) {
    const [one, other] = sides;
    expect(isSame(one, other)).toBe(false);
    expect(isSame(one, `By the way, ${other}`)).toBe(false);
  }
});

test("a text is known by its sentences, also where it is told to be one at a glance", () => {
  const part = fc.constantFrom(
    "tide",
    "Tide",
    "at",
    "5",
    "5.",
    "six.",
    "six,",
    "is:",
    "so)",
    "e.g.",
    "o'clock",
    "-",
    "why?",
    "é",
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = parts.join(" ");
      expect(wordsKey(text)).toBe(read(text).sentences.join("\n"));
    }),
  );
});
