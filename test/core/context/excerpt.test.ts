import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOfText } from "../../../src/recall/language/parts.ts";
import { countTokens, measureTokens } from "../../../src/recall/pack/count-tokens.ts";
import { Excerpts, queryScorer } from "../../../src/recall/pack/excerpt.ts";
import { atOnce, inTurns } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";
import { hostileText } from "./texts.ts";

const sentencesOf = (text: string) =>
  partsOfText(text).map(({ start, end }) => text.slice(start, end).trim());

describe("partsOfText", () => {
  it.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    ["Dr. Smith met J. Doe, e.g. at noon. Then left.", ["Dr. Smith met J. Doe, e.g. at noon.", "Then left."]],
    ["Version 1.2.3 is out. Ok", ["Version 1.2.3 is out.", "Ok"]],
    ["它坏了。我们修好了！好", ["它坏了。", "我们修好了！", "好"]],
    ["वह आया। फिर गया॥ ठीक", ["वह आया।", "फिर गया॥", "ठीक"]],
    ["សុខាមក។ដារាទៅ។", ["សុខាមក។", "ដារាទៅ។"]],
    ["သူလာသည်။ငါသွားသည်။", ["သူလာသည်။", "ငါသွားသည်။"]],
    ["هل جاء؟ نعم جاء۔ حسنا", ["هل جاء؟", "نعم جاء۔", "حسنا"]],
    ["Նա եկավ։ Ես գնացի։", ["Նա եկավ։", "Ես գնացի։"]],
    ["const a = 1;\nreturn a;\n", ["const a = 1;", "return a;"]],
    ["1. First point\n2. Second point", ["1. First point", "2. Second point"]],
    ["He said “stop.” She did.", ["He said “stop.”", "She did."]],
    ["", []],
  ])("divides %j", (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it("divides a very long sentence into clauses", () => {
    expect(partsOfText("a clause of some words, ".repeat(40)).length).toBeGreaterThan(4);
  });

  it("covers any text without gaps", () => {
    fc.assert(
      fc.property(hostileText(80), (text) => {
        const spans = partsOfText(text);
        expect(spans.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
        expect(spans.every(({ start, end }) => end > start)).toBe(true);
      }),
    );
  });

  it.each([".", '."', "a.", ",", "\n", " "])("ends on a long run of %j", (unit) => {
    expect(partsOfText(unit.repeat(60_000)).length).toBeGreaterThan(0);
  });
});

describe("Excerpts", () => {
  const text =
    "We met on Monday. The weather was fine and warm. The billing deploy failed on a lock. It was rolled back. Lunch followed.";
  const measure = (any: string, tokensMax = Number.POSITIVE_INFINITY) => measureTokens(any, tokensMax).tokens;
  const cut = (content: string, query: string, tokensMax: number) =>
    atOnce(new Excerpts(content, { score: queryScorer(query), measure }).within(tokensMax));

  it("leaves a text that fits as it is", async () => {
    expect(await cut(text, "billing", 100)).toMatchObject({ text, retention: 1 });
  });

  it.each(['{"key":"lamp","n":71},', "ระบบสำรองข้อมูลทำงานทุกคืน"])(
    "shows an identifier whole, wherever it is in %j without blanks",
    async (unit) => {
      const filler = unit.repeat(120);
      for (let place = 400; place < 600; place += 7) {
        const long = `${filler.slice(0, place)};INC-55314-B;${filler.slice(place)}`;
        for (const tokensMax of [60, 200])
          expect((await cut(long, "INC-55314-B", tokensMax))?.text).toContain("INC-55314-B");
      }
    },
  );

  it("keeps the sentences that the query is about and marks what is cut", async () => {
    const excerpt = await cut(text, "why did the deploy fail?", 14);
    expect(excerpt?.text).toMatch(/^….*The billing deploy failed on a lock\..*…$/);
  });

  it("begins at the start where nothing matches", async () => {
    expect((await cut(text, "zebra", 14))?.text).toMatch(/^We met on Monday\..*…$/);
  });

  it("cuts a sentence that is too long around its matching words", async () => {
    const long = `${"some words here ".repeat(60)}zebra ${"and so forth ".repeat(60)}`;
    expect((await cut(long, "zebra", 30))?.text).toContain("zebra");
  });

  it.each([
    ["กาแฟดำอยู่ที่ไหน", "สมชายซื้อกาแฟดำที่ตลาด\n", "มานะไปโรงเรียนกับแม่ทุกวัน\n"],
    ["自行车在哪里", "小明在车站买了旧自行车。", "行人自己把伞放在里面，哪儿也没去。"],
    ["សៀវភៅនៅឯណា", "សុខាបានទិញសៀវភៅថ្មី។", "ដារាទៅសាលារៀនជាមួយម្តាយ។"],
  ])("shows of a long text without spaces what %s is about", async (query, fact, other) => {
    const long = other.repeat(30) + fact + other.repeat(30);
    expect((await cut(long, query, 60))?.text).toContain(fact.trim());
  });

  it("finds the place in a text that never ends a sentence", async () => {
    const long = `${"ab ".repeat(9000)}zebra ${"cd ".repeat(9000)}`;
    expect((await cut(long, "zebra", 30))?.text).toContain("zebra");
    const endless = `${"山".repeat(20_000)}斑馬${"川".repeat(20_000)}`;
    expect((await cut(endless, "斑馬", 2000))?.text).toContain("斑馬");
  });

  it("cuts inside a word where it must, never inside a character", async () => {
    expect((await cut("😀".repeat(500), "x", 12))?.text).toMatch(/^(😀)+…$/u);
    expect((await cut("a".repeat(65_536), "x", 12))?.text).toMatch(/^a+…$/);
  });

  it("fills most of the budget with a word that is too long for it", async () => {
    for (const word of ["a".repeat(65_536), "中".repeat(20_000), "qzxv".repeat(9000), "-".repeat(65_536)])
      expect((await cut(word, "x", 500))?.tokens).toBeGreaterThan(300);
  });

  it("cuts between marks where a character has more of them than any writing", async () => {
    expect((await cut(`a${"\u0301".repeat(65_535)}`, "x", 12))?.text).toMatch(/^a\u0301+…$/u);
    expect((await cut(`a${"\u0301".repeat(65_535)}`, "x", 300))?.tokens).toBeGreaterThan(200);
  });

  it("answers null where nothing fits", async () => {
    expect(await cut(text, "billing", 0)).toBeNull();
  });

  it("reads each sentence once, however many excerpts are made, and none beyond the given length", async () => {
    const long = "The billing deploy failed on a lock. ".repeat(1000);
    const read: string[] = [];
    const score = (part: string) => read.push(part);
    const excerpts = new Excerpts(long, { score, measure, lengthMax: 3700 });
    for (const tokensMax of [20, 40, 80, 160]) expect(atOnce(excerpts.within(tokensMax))).not.toBeNull();
    expect(read.join("")).toBe(long.slice(0, 3700));
  });

  it("measures a bounded number of times, and little more than what fits", async () => {
    const texts = [
      "x ".repeat(30_000),
      "one\ntwo\n".repeat(8000),
      "中".repeat(60_000),
      `e${"\u0301".repeat(60_000)}`,
    ];
    for (const long of texts) {
      let measured = 0;
      const counting = (any: string, tokensMax?: number) => {
        measured += any.length;
        return measure(any, tokensMax);
      };
      atOnce(new Excerpts(long, { score: () => 0, measure: counting }).within(400));
      expect(measured).toBeLessThan(20 * 400);
    }
  });

  it("makes way before each sentence", async () => {
    let turns = 0;
    const pace = {
      pause: () => {
        turns++;
        return Promise.resolve();
      },
    };
    const score = queryScorer("lock");
    expect(await inTurns(new Excerpts(text, { score, measure }).within(14), pace)).toEqual(
      await cut(text, "lock", 14),
    );
    expect(turns).toBe(5);
  });

  it("never costs more than allowed, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText(80), fc.integer({ min: -2, max: 60 }), async (content, tokensMax) => {
        const excerpt = await cut(content, "deploy lock 中", tokensMax);
        if (excerpt === null) return;
        expect(excerpt.tokens).toBe(countTokens(excerpt.text));
        expect(excerpt.tokens).toBeLessThanOrEqual(tokensMax);
        expect(excerpt.retention).toBeGreaterThanOrEqual(0);
        expect(excerpt.retention).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("Excerpts of a passage", () => {
  it("shows an identifier at either end of it, where no sentence ends", async () => {
    const filler = '{"key":"lamp","n":71},'.repeat(400);
    const text = `${filler};INC-55314-B;${filler}`;
    const place = text.indexOf("INC-55314-B");
    const request = { score: queryScorer("INC-55314-B"), measure: countTokens };
    for (const beyond of [0, 1, 20, 200]) {
      const passages = [
        { start: place - beyond, end: place + 1500 },
        { start: place - 1500, end: place + 11 + beyond },
      ];
      for (const passage of passages)
        for (const tokensMax of [60, 300])
          expect(atOnce(new Excerpts(text, { ...request, passage }).within(tokensMax))?.text).toContain(
            "INC-55314-B",
          );
    }
  });

  const before = "The lock is old. ".repeat(40);
  const inside = "Nobody was there. The lock failed at noon. It rained. ";
  const after = "The lock is old. ".repeat(40);
  const text = `${before}${inside}${after}`;
  const passage = { start: before.length, end: before.length + inside.length };
  const request = {
    score: queryScorer("When did the lock fail?"),
    measure: countTokens,
    passage,
  };

  it.each([12, 20, 60, 200])("shows what is asked for in it, within %i tokens", async (tokensMax) => {
    const cut = atOnce(new Excerpts(text, request).within(tokensMax));
    expect(cut?.text).toContain("The lock failed at noon.");
    expect(cut?.tokens).toBeLessThanOrEqual(tokensMax);
  });

  it("shows it where it has none of the words", async () => {
    const cut = atOnce(new Excerpts(text, { ...request, score: () => 0 }).within(20));
    expect(cut?.text).toContain("Nobody was there.");
  });

  it("finds it however far inside of a text it is of which little may be read", async () => {
    const cut = atOnce(new Excerpts(text, { ...request, lengthMax: 200 }).within(20));
    expect(cut?.text).toContain("The lock failed at noon.");
  });
});
