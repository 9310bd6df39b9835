import { expect, test } from "vitest";
import { readMemoryText } from "../../../src/core/recall/document-words.ts";
import { analyseQuery } from "../../../src/core/recall/query.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

const analyse = (text: string) => analyseQuery(text, lexicon);
const terms = (text: string) => analyse(text).terms.map(({ piece }) => lexicon.word(piece));

test("terms are the different content words, or all pieces when there are none", () => {
  expect(terms("The tea, the tea and a kettle?")).toEqual(["tea", "kettle"]);
  expect(terms("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  expect(terms("?!")).toEqual(["?", "!"]);
  expect(terms("")).toEqual([]);
});

test("words of conversation weigh less", () => {
  expect(analyse("thanks tea").terms.map(({ factor }) => factor)).toEqual([0.3, 1]);
});

test.each([
  ["Where is the tea?", 0],
  ["Where is my tea?", 0.5],
  ["I drink tea.", 0.5],
  ["I drink tea. It is green and hot.", 1],
  ["Is it mine? Shall we go?", 0.5],
] as const)("%j is a message to the degree %d", (text, level) => {
  expect(analyse(text).conversation).toBe(level);
});

test("dates are read, and months that are words need a capital", () => {
  const { months, days, years } = analyse("On 7th June or in March 2023, you may march");
  expect([...months].sort()).toEqual([2, 5]);
  expect([...days]).toContain(7);
  expect([...years]).toEqual([2023]);
  expect(analyse(`June ${"and so on ".repeat(60)}`).months.size).toBe(0);
});

test("a text of any length is cut to what is analysed", () => {
  const { pieces, terms: counted, sentences } = analyse("zebra quilt. ".repeat(50_000) + "x".repeat(100_000));
  expect(pieces).toHaveLength(3);
  expect(counted).toHaveLength(2);
  expect(sentences.length).toBeLessThanOrEqual(32);
});

test("a memory's text is read without its speaker's name", () => {
  expect(readMemoryText("Ann: Really, yesterday? [shares a photo]", "Ann")).toEqual({
    bare: "Really, yesterday? [shares a photo]",
    prefix: "Ann",
    isQuestion: true,
    asks: true,
    mentionsTime: true,
  });
  expect(readMemoryText("Ann: no", "Ben")).toMatchObject({
    bare: "Ann: no",
    prefix: null,
    isQuestion: false,
    asks: false,
  });
});
