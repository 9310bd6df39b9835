import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contradictingPairs } from "../../../bench/recall/suites/contradictions/pairs.ts";
import { repetitions } from "../../../bench/recall/suites/contradictions/repetitions.ts";
import { comparedText, saysAllOf, saysTheSame } from "../../../src/recall/statements/sameness.ts";
import { runs } from "../../support/random.ts";
import { hostileText } from "../context/texts.ts";

/** Whether the first says all that the second says. */
const says = (a: string, b: string) => saysAllOf(comparedText(a), comparedText(b));
const same = (a: string, b: string) => saysTheSame(comparedText(a), comparedText(b));

describe("texts say the same", () => {
  it.each<[string, string, string]>([
    ["white space", "The lock is held by Ann.", " The lock\n is\theld  by\u00a0Ann.\n"],
    ["the mark at the end", "The lock is held", "The lock is held!"],
    ["several of them", "It rains. The lock is held.", "It rains! The lock is held..."],
    ["a first capital", "The lock is held.", "the lock is held."],
    ["the capital of a plain word", "Deploys go out on Friday.", "Deploys go out on friday."],
    ["styles of quotation marks", "The “lock” isn’t «held».", 'The "lock" isn\'t "held".'],
    ["dashes", "It is −18 or 3–4 — often.", "It is -18 or 3-4 - often."],
    ["composition", "Caf\u00e9 is open.", "Cafe\u0301 is open."],
    ["width", "Ｔｈｅ ｐｏｒｔ ｉｓ ８０８０．", "The port is 8080."],
    ["half-width letters", "ﾎﾟｰﾄは8080です。", "ポートは8080です。"],
    ["what is not seen", "The lo\u00adck is he\u200bld.", "The lock is held."],
    ["all of its capitals", "Alice feeds the cat of Bob.", "alice feeds the cat of bob."],
    ["opening marks", "¡Pablo vive en Cádiz!", "Pablo vive en Cádiz."],
    ["quotation marks with a blank inside", "Marc dit « oui » ici.", 'Marc dit "oui" ici.'],
    ["signs of one unit", "Give 50 \u00b5g daily.", "Give 50 \u03bcg daily."],
    ["the danda at the end", "राम मांस खाता है।", "राम मांस खाता है"],
    ["the indentation of its lines", "The lock\n  is held\n  by Ann.", "The lock\n    is held\n    by Ann."],
    ["variation selectors", "Result: ⬆\ufe0f", "Result: ⬆"],
  ])("whatever their %s", (_, a, b) => {
    expect(same(a, b)).toBe(true);
    expect(says(a, b) && says(b, a)).toBe(true);
  });
});

describe("texts do not say the same with", () => {
  it.each<[string, string, string]>([
    ["another word", "Grandma is allergic to walnuts.", "Grandma is allergic to peanuts."],
    ["other capitals inside", "Call getUser first.", "Call getuser first."],
    ["capitals alone", "Tell US about it.", "Tell us about it."],
    ["the capital of a unit", "The line has 5 Mb.", "The line has 5 mb."],
    ["a sign", "It is kept at -18 degrees.", "It is kept at 18 degrees."],
    ["an operator", "Alarm when p < 80.", "Alarm when p > 80."],
    ["a sharper operator", "Alarm when p < 80.", "Alarm when p <= 80."],
    ["a currency", "It costs $450.", "It costs €450."],
    ["an emoji", "Result: ✅", "Result: ❌"],
    ["a skin tone", "Result: 👍🏻", "Result: 👍🏿"],
    ["a flag", "Team 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "Team 🏴"],
    ["an attached symbol", "It is written in C.", "It is written in C++."],
    ["a superscript", "It takes 10² tries.", "It takes 102 tries."],
    ["a circled number", "Take exit ①.", "Take exit 1."],
    ["a fraction", "Use 1½ cups.", "Use 11/2 cups."],
    ["feet and inches", "It is 5' long.", 'It is 5" long.'],
    ["a factorial", "The result is 5!", "The result is 5."],
    ["a negation", "The house is insured.", "The house is not insured."],
    ["swapped roles", "Ann lent Bob 200 crowns.", "Bob lent Ann 200 crowns."],
    ["another order", "Open the valve. Close the pump.", "Close the pump. Open the valve."],
    ["a question", "The port is 80.", "The port is 80?"],
    ["a capital that makes a name", "We moved to Turkey with Ole.", "We moved to turkey with Ole."],
    ["a capital in a password", "The password of Coral is Swordfish.", "The password of Coral is swordfish."],
    ["a question in Arabic", "أحمد في القاهرة؟", "أحمد في القاهرة."],
    ["the layout of code", "def f():\n    x = 1\n    return x", "def f():\n    x = 1\nreturn x"],
    ["a comma elsewhere", "Let us eat, Ann.", "Let us eat Ann."],
    ["a decimal point", "It takes 1.5 seconds.", "It takes 15 seconds."],
    ["one more space in a name", "The host is db 2.", "The host is db2."],
  ])("%s", (_, a, b) => {
    expect(says(a, b)).toBe(false);
    expect(says(b, a)).toBe(false);
  });
});

describe("a text says what another one says where that stands in it", () => {
  it.each<[string, string, boolean]>([
    ["It rains. The lock is held. Nobody knows why.", "The lock is held.", true],
    ["The lock is held until 5. Friday is off.", "Friday is off.", true],
    ["It rains. The lock is held. Nobody knows why.", "It rains. Nobody knows why.", false],
    ["Ann runs the lab. Eve runs the kitchen. She is away.", "Ann runs the lab. She is away.", false],
    ["It is not true that the lock is held.", "The lock is held.", false],
    ["It is not true that\nthe lock is held.", "The lock is held.", false],
    ["Never do this:\n\nDelete the log.", "Delete the log.", false],
    ["Nobody knows Dr. Who left.", "Who left.", false],
    ["The lock is held, but not by Ann.", "The lock is held", false],
    ["The lock is held", "The lock is held, but not by Ann.", false],
    ["会议在3点开始。地点未定。", "会议在3点开始。", true],
    ["会议在3点开始。地点未定。", "会议在5点开始。", false],
  ])("%j and %j: %j", (a, b, expected) => {
    expect(says(a, b)).toBe(expected);
  });
});

it("of texts that differ in one step neither says what the other says", () => {
  for (const { sides, kind } of contradictingPairs(runs(10_000), 23)) {
    const [a, b] = sides;
    expect([kind, a, b, says(a, b), says(b, a)]).toEqual([kind, a, b, false, false]);
  }
}, 600_000);

it("of repetitions the one says what the other says", () => {
  for (const { first, again } of repetitions(runs(2000), 29))
    expect([first, again, says(again, first)]).toEqual([first, again, true]);
});

/** A statement of words that say something, and one in which a word is another, missing, more or elsewhere. */
const WORDS =
  "the pump valve opens 5 -5 5.0 € $ < <= == ✅ ❌ not never C C++ C# US us kW KW Ann Bob at AM PM".split(
    " ",
  );
const step = fc
  .record({
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 12 }),
    at: fc.nat(),
    to: fc.nat(),
    word: fc.constantFrom(...WORDS),
    kind: fc.constantFrom("another", "missing", "more", "elsewhere"),
  })
  .map(({ words, at, to, word, kind }) => {
    const place = at % words.length;
    if (kind === "another") return [words, words.with(place, word)] as const;
    if (kind === "missing") return [words, words.toSpliced(place, 1)] as const;
    if (kind === "more") return [words, words.toSpliced(place, 0, word)] as const;
    return [
      words,
      words.toSpliced(place, 1).toSpliced(to % words.length, 0, words[place] as string),
    ] as const;
  })
  .filter(([a, b]) => a.join(" ") !== b.join(" ") && b.length > 0);

it("whatever the step is, neither says what the other says", () => {
  fc.assert(
    fc.property(step, hostileText(20), ([a, b], around) => {
      const texts = [a, b].map((words) => `It starts. The ${words.join(" ")} so. ${around}`) as [
        string,
        string,
      ];
      expect(says(...texts)).toBe(false);
      expect(says(texts[1], texts[0])).toBe(false);
    }),
    { numRuns: runs(5000), seed: 31 },
  );
}, 600_000);

it("any text says what it says, alone and amid others", () => {
  fc.assert(
    fc.property(hostileText(30), (text) => {
      expect(same(text, text)).toBe(true);
      expect(says(text, text)).toBe(true);
    }),
  );
});

it("reads long texts without an end in a time that grows with their length", () => {
  for (const hostile of [".", "!.", "a.", "'", "A-a", "\u0301", "。", "Aa'", ". ", "A "]) {
    const text = hostile.repeat(65_536 / hostile.length);
    expect(saysAllOf(comparedText(text), comparedText(`${text}x`))).toBe(false);
  }
});
