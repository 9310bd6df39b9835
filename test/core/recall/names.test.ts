/** Whom a query names: by the first name, by its beginning, or misspelt. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressIn, aliasesOf } from "../../../src/recall/index/forms-of-address.ts";
import { possibleNames, type QueryName, speakerTest } from "../../../src/recall/language/names.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

const SPEAKERS = ["Ann Lee", "Christopher", "Jean-Paul Marat", "José", "Melanie", "Theresa", "user"];

function named(text: string, speakers: readonly string[] = SPEAKERS): string[] {
  const sorted = [...speakers].sort();
  const names = possibleNames(text, lexicon);
  const known = { speakers: sorted, aliases: new Map() };
  const { isNamed, distinguishes } = speakerTest({ text, names }, known);
  return distinguishes ? sorted.filter(isNamed) : [];
}

test.each([
  ["What did Melanie paint?", ["Melanie"]],
  ["what did melanie paint?", ["Melanie"]],
  // By its beginning, with a capital.
  ["What did Mel paint?", ["Melanie"]],
  ["what did mel paint?", []],
  ["What did Me paint?", []],
  ["Whom did Chris call?", ["Christopher"]],
  // Misspelt.
  ["What did Malenie paint?", ["Melanie"]],
  ["What did Meliane paint?", ["Melanie"]],
  ["What did Cristofher say?", ["Christopher"]],
  ["What did Mellani paint?", ["Melanie"]],
  ["What did Xelanix paint?", ["Melanie"]],
  ["What did Xelxnix paint?", []],
  ["What did Anna drink?", []],
  // Without its marks.
  ["Where does Jose live?", ["José"]],
  // What begins a sentence has a capital anyway.
  ["There was tea. There?", []],
  ["Was it in The Hague?", []],
  ["Melan paints, does she not?", ["Melanie"]],
  // Months and days of the week.
  ["Was it in Mel? Or in Jan?", ["Melanie"]],
  // A name of two parts is a name of its own.
  ["Was it Jean's or Paul's?", []],
  ["Was it Jean-Paul's?", ["Jean-Paul Marat"]],
  ["What did the User want?", []],
] as const)("%j names %j", (text, expected) => {
  expect(named(text)).toEqual(expected);
});

test("a month is short for nobody", () => {
  expect(named("Was it on 5 Jan, in Mar or on a Sun?", ["Janet", "Marcus", "Sunita"])).toEqual([]);
});

test("who is called just so is meant, and nobody whose name is longer or nearly the same", () => {
  expect(named("What did Marie say?", ["Maria", "Marie Curie", "Mariette"])).toEqual(["Marie Curie"]);
  expect(named("What did Marie say?", ["Maria", "Mark"])).toEqual(["Maria"]);
});

test.each([
  ["What will Ann do?", ["Ann"]],
  ["Will Ann come, and may Will?", ["Ann", "Will"]],
  ["may I go?", []],
  ["What did May say?", ["May"]],
  ["what did ann say?", ["Ann"]],
])("a name that is a word needs its capital: %j names %j", (text, expected) => {
  expect(named(text, ["Ann", "May", "Will"])).toEqual(expected);
});

test("with a single speaker a name distinguishes nothing", () => {
  expect(named("What did Mel paint?", ["Melanie"])).toEqual([]);
  expect(named("What did Mel paint?", ["Melanie", "assistant"])).toEqual([]);
});

const letters = fc
  .array(fc.constantFrom(..."bcdfghjklm"), { minLength: 7, maxLength: 12 })
  .map((all) => all.join(""));

test("a name of seven letters or more is known with two letters wrong, and not with three", () => {
  fc.assert(
    fc.property(
      letters,
      fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 3, maxLength: 3 }),
      (name, places) => {
        const wrong = (count: number) =>
          [...name].map((letter, at) => (places.slice(0, count).includes(at) ? "x" : letter)).join("");
        const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
        const speakers = [capital(name), "Other"];
        for (const [count, expected] of [
          [1, true],
          [2, true],
          [3, false],
        ] as const)
          expect(named(`so said ${capital(wrong(count))}`, speakers).length > 0).toBe(expected);
      },
    ),
  );
});

describe("a form of address", () => {
  const address = (text: string) => addressIn(text, lexicon);
  const kate = lexicon.addressPiece("kate");

  test.each([
    "Hi Kate!",
    "hey Kate, how are you?",
    "Hello, Kate. It rains.",
    "That is fine. Thanks, Kate! See you.",
    "Thank you Kate.",
    "Good morning Kate: tea?",
    "Happy birthday, Kát\u0065!",
  ])("is read in %j", (text) => {
    expect(address(text)).toBe(text.includes("Kát") ? lexicon.addressPiece("kate") : kate);
  });

  test.each([
    "Hi there, Kate is late.",
    "Yup, that is so.",
    "They won two Golden Globes!",
    "We went to Austin, Texas!",
    "Thanks, again.",
    "Hi kate!",
    "Say hi to Kate, please.",
    "Kate, come here.",
    `${"and so on ".repeat(110)}. Hi Kate!`,
  ])("is none in %j", (text) => {
    expect(address(text)).toBeNull();
  });

  const names = possibleNames("What did Kit say?", lexicon);
  const { address: piece, pieces } = names[0] as QueryName;
  test.each([
    ["three times for the same", { Ann: 3 }, 3, "Ann"],
    ["twice", { Ann: 2 }, 2, null],
    ["four of five times for the same", { Ann: 4, Ben: 1 }, 5, "Ann"],
    ["three of four times for the same", { Ann: 3, Ben: 1 }, 4, null],
    ["mostly otherwise, as a word", { Ann: 3 }, 13, null],
  ] as const)("used %s", (_, uses, mentions, expected) => {
    const usesOf = (asked: number) => new Map(asked === piece ? Object.entries(uses) : []);
    const aliases = aliasesOf(names, usesOf, (of) => (pieces.includes(of) ? mentions : 0));
    expect([...aliases]).toEqual(expected === null ? [] : [["Kit", expected]]);
  });
});

test("whom others call so is named, unless it is somebody's own name", () => {
  const query = (text: string) => ({ text, names: possibleNames(text, lexicon) });
  const aliases = new Map([["Kit", "Ben Adams"]]);
  const { isNamed } = speakerTest(query("What did Kit say?"), { speakers: ["Ann", "Ben Adams"], aliases });
  expect(["Ann", "Ben Adams"].map(isNamed)).toEqual([false, true]);
  const { isNamed: owned } = speakerTest(query("What did Kit say?"), {
    speakers: ["Ben Adams", "Kit"],
    aliases,
  });
  expect(["Ben Adams", "Kit"].map(owned)).toEqual([false, true]);
});

test("any text and any speakers are accepted", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (text, speakers) => {
      expect(named(text, speakers).every((speaker) => speakers.includes(speaker))).toBe(true);
    }),
  );
});
