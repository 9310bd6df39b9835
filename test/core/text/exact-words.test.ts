import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldedText, plainText } from "../../../src/recall/language/characters.ts";
import { exactKeys, exactWords, MATCH, matchIn } from "../../../src/recall/language/exact-words.ts";
import { runs } from "../../support/random.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const some = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const digits = (least: number, most: number) => some("0123456789", least, most);
const word = some(letters, 2, 8);
const capitalised = word.map((text) => text.charAt(0).toUpperCase() + text.slice(1));

/** Identifiers of every kind that people write. */
const identifier = fc.oneof(
  fc.tuple(some("ABCDEFGH", 2, 4), digits(3, 6)).map((parts) => parts.join("-")),
  fc.tuple(some("abcdef", 2, 6), digits(3, 6)).map((parts) => parts.join("")),
  fc.tuple(digits(1, 2), digits(1, 2), digits(2, 3)).map((parts) => parts.join(".")),
  fc.array(word, { minLength: 2, maxLength: 4 }).map((parts) => parts.join("_")),
  fc.tuple(word, capitalised, capitalised).map((parts) => parts.join("")),
  fc.tuple(word, word, word).map(([a, b, c]) => `/${a}/${b}.${c}`),
  fc.tuple(word, word).map(([a, b]) => `${a}@${b}.org`),
  fc.tuple(word, capitalised).map((parts) => parts.join("::")),
  digits(4, 10),
  fc.tuple(some("abcdef", 2, 3), digits(3, 4)).map(([a, b]) => `#${a}${b}`),
);

/** What may stand beside it without being part of it. */
const before = fc.constantFrom(
  "",
  "The ",
  "(",
  "[",
  '"',
  "“",
  "'",
  "`",
  "<",
  "*",
  "¿",
  "请看",
  "ดู",
  "→",
  "…",
  "🎉",
  "|",
  ";",
  "= ",
  "\n",
  "!",
);
const after = fc.constantFrom(
  "",
  " ",
  ".",
  "?",
  "!",
  ",",
  ";",
  ":",
  ")",
  "]",
  '"',
  "”",
  "'s",
  "`",
  ">",
  "*",
  "。",
  "について",
  "입니다",
  "…",
  "🎉",
  "|",
  "\n",
  " =",
  "—",
);
/** What joins it to something else. */
const joinedBefore = fc.constantFrom("id=", "https://example.org/", "key:", "a,b@x:", "branch\\");
const joinedAfter = fc.constantFrom("/next", "=5", "&more", "?query", ":after", "\\more");

const match = (text: string, phrase: string) =>
  matchIn(plainText(text), foldedText(plainText(text)), plainText(phrase));
const keysOf = (text: string) => exactKeys(plainText(text));

describe("a word that is meant as it is written", () => {
  test("is found whatever stands beside it", () => {
    fc.assert(
      fc.property(identifier, before, after, (id, left, right) => {
        const text = `${left}${id}${right}`;
        expect(match(text, id)).toBe(MATCH.exact);
        expect(keysOf(text)).toContainEqual({ text: id, isPart: false });
      }),
      { numRuns: runs(2000) },
    );
  });

  test("is found as a part where signs join it to something else", () => {
    fc.assert(
      fc.property(
        identifier,
        joinedBefore,
        joinedAfter,
        fc.constantFrom("before", "after", "both"),
        (id, left, right, side) => {
          const text = `See ${side === "after" ? "" : left}${id}${side === "before" ? "" : right}.`;
          expect(match(text, id)).toBeGreaterThanOrEqual(MATCH.part);
          const bare = id.replace(/^[#/]/, "");
          const parts = keysOf(text).map((key) => key.text);
          // A path or an address is divided itself by what divides it from the rest.
          if (!/[/@:#]/.test(id)) expect(parts).toContain(bare);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  test("is not found in what is longer by a letter or a digit, or lacks one", () => {
    fc.assert(
      fc.property(identifier, some(`${letters}0123456789`, 1, 2), fc.boolean(), (id, more, isBefore) => {
        fc.pre(!/^[#/]/.test(id) || !isBefore);
        expect(match(`See ${isBefore ? more + id : id + more} there.`, id)).toBe(0);
        expect(match(`See ${id.slice(0, -1)} there.`, id)).toBe(0);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("counts for less in another letter case than in its own", () => {
    expect(match("call getUser()", "getUser")).toBe(MATCH.exact);
    expect(match("call getuser()", "getUser")).toBe(MATCH.folded);
    expect(match("call User.GETUSER now", "getUser")).toBe(MATCH.foldedPart);
    expect(match("call getuser, then x.getUser", "getUser")).toBe(MATCH.part);
  });

  test.each([
    ["full-width", "ＩＮＣ－５５３１４", "INC-55314"],
    ["digits of another script", "ห้อง ๗๗๘๑", "7781"],
    ["a hyphen that does not break", "INC\u201155314", "INC-55314"],
    ["a minus sign", "at \u2212180 degrees", "-180"],
    ["a soft hyphen", "conf\u00adig.yaml", "config.yaml"],
    ["blanks", "+49  30\n1234567", "+49 30 1234567"],
    ["Cyrillic", "по задаче ТК-1234.", "ТК-1234"],
  ])("is the same in %s", (_, text, id) => {
    expect(match(text, id)).toBe(MATCH.exact);
  });

  test.each([
    ["feature/INC-55314-fix", "INC-55314"],
    ["report_INC-55314.pdf", "INC-55314"],
    ["v1.24.3", "1.24.3"],
    ["1.24.3-rc.2", "1.24.3"],
    ["https://wiki.example.org/page#section-2", "section-2"],
    ["src/recall/ranking/rank.ts", "rank.ts"],
    ["ports 8080,8081", "8081"],
    ["#7bc123", "7bc123"],
  ])("%s has %s as a part", (text, part) => {
    expect(keysOf(text)).toContainEqual({ text: part, isPart: true });
  });
});

test("a word by itself is no part of itself", () => {
  expect(keysOf("INC-55314, #7bc123")).toEqual([
    { text: "INC-55314", isPart: false },
    { text: "#7bc123", isPart: false },
    { text: "55314", isPart: true },
    { text: "7bc123", isPart: true },
  ]);
});

test("words keep their signs, and lose those of the sentence", () => {
  const words = (text: string) => [...exactWords(plainText(text))].map((word) => word.text);
  expect(words("Is it C++, C# or .env? See /etc/hosts: (--flag)…")).toEqual([
    "Is",
    "it",
    "C++",
    "C#",
    "or",
    ".env",
    "See",
    "/etc/hosts",
    "--flag",
  ]);
});

test("keys are no more than fifty times the text, whatever it is", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aB1.-_/#:@ \u0301é한🎉"), maxLength: 400 });
  fc.assert(
    fc.property(text, (any) => {
      const length = exactKeys(plainText(any)).reduce((sum, key) => sum + key.text.length, 0);
      expect(length).toBeLessThanOrEqual(50 * any.length);
    }),
  );
});
