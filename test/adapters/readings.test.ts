import fc from "fast-check";
import { expect, test } from "vitest";
import { readingsOf } from "../../src/adapters/secret-scan/readings.ts";
import { runs } from "../support/random.ts";

const LETTERS = [
  "a",
  "Z",
  "7",
  "_",
  " ",
  "\n",
  "я",
  "а",
  "é",
  "密",
  "ﬁ",
  "𝐚",
  "𝟕",
  "Ａ",
  "：",
  "－",
  "👩",
  "क",
  "ا",
  "\ud83d",
];
const UNSEEN = [
  "\u200b",
  "\u0301",
  "\u0336",
  "\ufe0f",
  "\u{e0101}",
  "\u{e0041}",
  "\u202e",
  "\u00ad",
  "\u3164",
  "\u0007",
];
const anyText = fc
  .array(fc.constantFrom(...LETTERS, ...UNSEEN), { maxLength: 24 })
  .map((all) => all.join(""));

test("ASCII is read once, as it is", () => {
  const text = "password=hunter2\n\tand more";
  expect(readingsOf(text).map((reading) => reading.text)).toEqual([text]);
});

test("texts in scripts that are like no Latin letter are read once, with their joiners, marks and emoji", () => {
  for (const text of ["密码是必填项。", "नमस्ते", "दिल्ली", "שָׁלוֹם", "한국어", "👍🏽"])
    expect(readingsOf(text)[0]?.text).toBe(text);
  expect(readingsOf("密码是必填项。")).toHaveLength(1);
  expect(readingsOf("दिल्ली")).toHaveLength(1);
});

test.each([
  ["g\u200bh\u00adp\ufe0f_\u2066x\u2069", "ghp_x"],
  ["g\u0301h\u0336p_", "ghp_"],
  ["ｇｈｐ＿", "ghp_"],
  ["𝐠𝒉𝓹_", "ghp_"],
  ["ghр_АВ", "ghp_AB"],
  ["ΑΒΕ οαν", "ABE oav"],
  ["sk‑a‐b−c", "sk-a-b-c"],
  ["a\u00a0b\u3000c\u2009d", "a b c d"],
  ["ﬁnd ① Ⅳ ²", "find 1 IV 2"],
  ["crème brûlée", "creme brulee"],
  ["g\u{e0068}h\u034fp\u2064_", "ghp_"],
])("%j is understood as %j", (written, understood) => {
  expect(readingsOf(written).at(-1)?.text).toBe(understood);
});

test("every stretch of every reading stands for a stretch of the text, in order, with all that is left out in it", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
      for (const reading of readingsOf(text)) {
        if (reading.text.length === 0) continue;
        const [start, last] = [one % reading.text.length, other % reading.text.length].sort(
          (a, b) => a - b,
        ) as [number, number];
        const found = reading.inOriginal({ kind: "x", start, end: last + 1 });
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.start);
        expect(found.end).toBeLessThanOrEqual(text.length);
        // What the stretch stands for reads as the stretch: nothing of it is missing, and nothing else is in it.
        const again = readingsOf(text.slice(found.start, found.end)).map((part) => part.text);
        const isWithinCharacter = [...reading.text.slice(start, last + 1)].some((unit) =>
          /^[\ud800-\udfff]$/.test(unit),
        );
        if (!isWithinCharacter)
          expect(again.some((part) => part.includes(reading.text.slice(start, last + 1)))).toBe(true);
      }
    }),
    { numRuns: runs(5000) },
  );
});

test("a whole reading stands for the whole text, but for what shows nothing before it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const reading of readingsOf(`a${text}z`))
        expect(reading.inOriginal({ kind: "x", start: 0, end: reading.text.length })).toEqual({
          kind: "x",
          start: 0,
          end: text.length + 2,
        });
    }),
    { numRuns: runs(2000) },
  );
});
