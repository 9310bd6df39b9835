import { expect, test } from "vitest";
import { createBuiltinEmbedder } from "../../../src/adapters/embedding/builtin.ts";
import { createLexicon } from "../../../src/recall/language/lexicon.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

/** Texts with the pieces that Hugging Face's tokenizer gives. */
const FIXTURES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["   ", ""],
  ["Hello, World!", "hello , world !"],
  ["The quick brown foxes aren't jumping.", "the quick brown foxes aren ' t jumping ."],
  ["naïve café, Ångström", "naive cafe , ang ##strom"],
  ["İstanbul ΣΊΣΥΦΟΣ ΌΔΟΣ", "istanbul σ ##ι ##σ ##υ ##φ ##ο ##σ ο ##δ ##ο ##σ"],
  ["日本語のテキスト and 漢字", "日 本 語 の ##テ ##キ ##ス ##ト and 漢 [UNK]"],
  ["한국어", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ ##ᄋ ##ᅥ"],
  ["tab\tnew\r\nline\u00a0x\u3000y", "tab new line x y"],
  ["a\u0000b\ufffdc\u200dd\u00ade", "abc ##de"],
  ["don't_stop $5+3=8 `x` ^~|", "don ' t _ stop $ 5 + 3 = 8 ` x ` ^ ~ |"],
  ["【Budget】 Kosten: 12,50 €", "[UNK] budget [UNK] ko ##sten : 12 , 50 €"],
  ["🎉 party", "[UNK] party"],
  ["x".repeat(100), `xx${" ##xx".repeat(49)}`],
  [`${"x".repeat(101)} y`, "[UNK] y"],
  ["electroencephalography", "electro ##ence ##pha ##log ##raphy"],
  ["v2.0.1-rc3", "v ##2 . 0 . 1 - rc ##3"],
  ["ﬁne Ⅷ ǅ ß", "ﬁ ##ne [UNK] [UNK] ß"],
];

test.each(FIXTURES)("splits %j as BERT does", (text, expected) => {
  const words = lexicon.pieces(text).map((piece) => lexicon.word(piece) ?? "[UNK]");
  expect(words.join(" ")).toBe(expected);
});

test("a word that cannot be spelled has an id of its own, unlike unknown punctuation", () => {
  const [party, partyAgain, other] = ["🎉", " 🎉!", "🦄"].map((text) => lexicon.pieces(text)[0]);
  expect(party).toBe(partyAgain);
  expect(party).not.toBe(other);
  expect(lexicon.word(party as number)).toBeUndefined();
  expect(lexicon.isContent(party as number)).toBe(true);
  expect(lexicon.isContent(lexicon.pieces("【")[0] as number)).toBe(false);
});

test("stop words and punctuation are no content", () => {
  const content = lexicon
    .pieces("What is the doctor's phone-number?")
    .filter((piece) => lexicon.isContent(piece));
  expect(content.map((piece) => lexicon.word(piece))).toEqual(["doctor", "phone", "number"]);
});

test("near pieces begin with the piece itself and fall in weight", () => {
  const piece = lexicon.pieces("doctor")[0] as number;
  const { pieces, weights } = lexicon.near(piece);
  expect(pieces[0]).toBe(piece);
  expect(weights[0]).toBe(1);
  expect([...pieces].map((near) => lexicon.word(near))).toContain("physician");
  expect([...weights]).toEqual([...weights].sort((a, b) => b - a));
  // No less than .45⁴, in steps of 1/1024.
  for (const weight of weights) expect(weight).toBeGreaterThanOrEqual(0.04);
});

test("near pieces are those that plain arithmetic finds", () => {
  const piece = lexicon.pieces("tea")[0] as number;
  const vector = lexicon.embed("tea");
  const near = new Map([...lexicon.near(piece).pieces].map((found, at) => [found, at]));
  for (let other = 1996; other < 12_000; other++) {
    const word = lexicon.word(other) as string;
    if (word.startsWith("##") || lexicon.pieces(word)[0] !== other) continue;
    const cosine = lexicon
      .embed(word)
      .reduce((sum, component, at) => sum + component * (vector[at] as number), 0);
    if (Math.abs(cosine - 0.45) > 1e-4) expect([word, near.has(other)]).toEqual([word, cosine > 0.45]);
  }
});

test("vectors have length 1, and a text without known words has none", () => {
  const norm = (vector: Float32Array) => Math.hypot(...vector);
  expect(norm(lexicon.embed("a short text"))).toBeCloseTo(1, 5);
  expect(norm(lexicon.embedQuery("a short text", () => 3))).toBeCloseTo(1, 5);
  expect(norm(lexicon.embed("🎉"))).toBe(0);
  expect(lexicon.embedQuery("tea time", (piece) => Number(lexicon.word(piece) === "tea"))).toEqual(
    lexicon.embed("tea"),
  );
});

test("what is no table is refused", () => {
  expect(() => createLexicon({ table: new Uint8Array(20), near: new Uint8Array(20) }, new Map())).toThrow(
    "Not a static embedding table",
  );
});

test("many texts are embedded a few at a time, so that others have their turn between them", async () => {
  // More than the few milliseconds of a turn take.
  const texts = Array.from({ length: 1000 }, (_, at) => `Tea and coffee for guest ${at}. `.repeat(10));
  let isEmbedded = false;
  const embedding = createBuiltinEmbedder(lexicon)
    .embed(texts)
    .finally(() => {
      isEmbedded = true;
    });
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isEmbedded).toBe(false);
  expect(await embedding).toEqual(texts.map((text) => lexicon.embed(text)));
});
