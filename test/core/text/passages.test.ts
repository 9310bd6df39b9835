import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPlace } from "../../../src/recall/language/cut-place.ts";
import {
  PASSAGE_CHARACTERS,
  PASSAGES_MAX,
  type Passage,
  passageAt,
  passageCount,
  passagesOf,
  passageTexts,
} from "../../../src/recall/language/passages.ts";
import { runs } from "../../support/random.ts";
import { hostileText } from "../context/texts.ts";

const SENTENCE = "The relay in building four is reset by hand after each storm. ";

describe("passagesOf", () => {
  it.each(["", "x", SENTENCE, "x".repeat(PASSAGE_CHARACTERS), "😀".repeat(PASSAGE_CHARACTERS)])(
    "leaves a text of up to the limit whole",
    (text) => {
      expect(passagesOf(text)).toEqual([{ start: 0, end: text.length }]);
    },
  );

  it("ends passages with sentences", () => {
    const passages = passageTexts(SENTENCE.repeat(60));
    expect(passages.length).toBeGreaterThan(2);
    for (const passage of passages) expect(passage).toMatch(/^The relay.*storm\. $/s);
  });

  it("ends passages rather with paragraphs than with sentences", () => {
    const paragraph = `${SENTENCE.repeat(5).trim()}\n\n`;
    const passages = passageTexts(paragraph.repeat(14));
    expect(passages.slice(0, -1).every((passage) => passage.endsWith("storm.\n\n"))).toBe(true);
  });

  it("ends passages with sentences that no space follows", () => {
    const passages = passageTexts("继电器在每次风暴之后都要用手重置一次。".repeat(200));
    expect(passages.every((passage) => passage.endsWith("。"))).toBe(true);
  });

  it("ends passages with words where there is no sentence", () => {
    const passages = passageTexts("storage ".repeat(1000));
    expect(passages.every((passage) => passage.startsWith("storage"))).toBe(true);
  });

  it.each([
    ["JSON", '{"key":"lamp","n":71},', "INC-55314-B"],
    ["Thai", "ระบบสำรองข้อมูลทำงานทุกคืน", "INC-55314-B"],
    ["numbers", "7;12;", "1,234,567.50"],
    ["Chinese", "继电器在每次风暴之后", "https://example.org/a?b=7"],
  ])("ends no passage within an identifier, in %s without blanks", (_, filler, identifier) => {
    const text = filler.repeat(500);
    const { end } = passagesOf(text)[0] as Passage;
    for (let at = 0; at <= identifier.length; at++) {
      const place = end - identifier.length + at;
      const held = `${text.slice(0, place)};${identifier};${text.slice(place)}`;
      expect(passageTexts(held).filter((passage) => passage.includes(identifier))).toHaveLength(1);
    }
  });

  it("cuts an endless word between characters", () => {
    const family = "👩‍👧";
    for (const passage of passageTexts(family.repeat(2000))) expect(passage.replaceAll(family, "")).toBe("");
  });

  it("has as many passages as the number of characters says, of no more than a third over the limit", () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      ". ",
      "\n\n",
      "word ",
      "😀",
      "。",
      "\u0301",
      "x".repeat(700),
      SENTENCE,
    );
    const texts = fc.array(unit, { maxLength: 60 }).map((units) => units.join("").repeat(7).slice(0, 65_536));
    fc.assert(
      fc.property(fc.oneof(texts, hostileText(80)), (text) => {
        const passages = passagesOf(text.toWellFormed());
        const characters = Array.from(text.toWellFormed()).length;
        const expected = Math.min(PASSAGES_MAX, Math.max(1, Math.ceil(characters / PASSAGE_CHARACTERS)));
        expect(passages.length).toBe(expected);
        expect(passageCount(text.toWellFormed())).toBe(expected);
        let end = 0;
        for (const passage of passages) {
          expect(passage.start).toBe(end);
          expect(passage.end - passage.start).toBeLessThanOrEqual((2 * 4 * PASSAGE_CHARACTERS) / 3 + 64);
          end = passage.end;
        }
        expect(end).toBe(text.length);
        const one = passages.length === 1;
        for (const [number, passage] of passages.entries())
          expect(passageAt(text.toWellFormed(), number)).toEqual(one ? null : passage);
        expect(passageAt(text.toWellFormed(), passages.length)).toBeNull();
      }),
      { numRuns: runs(60) },
    );
  });

  it("never ends a passage inside of a character", () => {
    const unit = fc.constantFrom("a", "e\u0301", "😀", "👩‍👧", " ", " \u0301", "क्षि");
    const texts = fc.array(unit, { minLength: 40, maxLength: 60 }).map((units) => units.join("").repeat(60));
    fc.assert(
      fc.property(texts, (text) => {
        for (const { end } of passagesOf(text)) expect(cutPlace(text, end)).toBe(end);
      }),
      { numRuns: 40 },
    );
  });
});
