import { expect, test } from "vitest";
import { readMemoryText } from "../../../src/recall/index/document-words.ts";
import { analyseQuery } from "../../../src/recall/index/query.ts";
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
  ["Where is the tea?", false],
  ["Where is my tea?", false],
  ["I drink tea.", false],
  ["I drink tea. It is green and hot.", true],
  ["Is it mine? Shall we go?", false],
] as const)("%j is a message: %s", (text, isMessage) => {
  expect(analyse(text).isMessage).toBe(isMessage);
});

test.each([
  ["Where is the tea?", 1],
  ["", 1],
  ["Wo sind die Flugtickets?", 1],
  ["我的茶在哪里？", 0],
  ["Где лежат билеты?", 0],
] as const)("of %j the vocabulary spells %d", (text, share) => {
  expect(analyse(text).spelledShare).toBe(share);
});

test("a query in two scripts is spelled in part, by words", () => {
  const share = analyse("iPhone 的电池怎么样").spelledShare;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.8);
});

test("the rarer a word is in English, the more it weighs, whatever is stored", () => {
  const [more, service, payment] = analyse("work service payment").terms.map(({ background }) => background);
  expect(more).toBeLessThan(service as number);
  expect(service).toBeLessThan(payment as number);
});

test.each([
  ["It broke. We repaired it. Good", ["It broke.", "We repaired it."]],
  ["我买了旧自行车。小明去了图书馆！好", ["我买了旧自行车。", "小明去了图书馆！"]],
  ["वह कल आया। फिर वह गया॥", ["वह कल आया।", "फिर वह गया॥"]],
  ["هل جاء أحمد؟ نعم، جاء أمس.", ["هل جاء أحمد؟", "نعم، جاء أمس."]],
])("%j is asked by its sentences", (text, sentences) => {
  expect(analyse(text).sentences).toEqual(sentences);
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

test.each(["你去哪儿？", "هل جاء أحمد؟", "Who?"])("%j is a question", (text) => {
  expect(readMemoryText(text, null)).toMatchObject({ isQuestion: true, asks: true });
});

test("the end of a long message in another script is asked for", () => {
  const words = Array.from(
    { length: 150 },
    (_, at) => `слово${String.fromCharCode(0x430 + (at % 30), 0x430 + at / 30)}`,
  );
  const { terms: counted } = analyse([...words, "библиотека"].join(" "));
  const last = new Set(analyse("библиотека").terms.map(({ piece }) => piece));
  expect(counted.length).toBe(256);
  expect(counted.some(({ piece }) => last.has(piece))).toBe(true);
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
