import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { labelFilter, path, pathFilter } from "../../src/contract/primitives.ts";
import { normalizedText } from "../../src/recall/language/characters.ts";
import { isMark, MARKS_MAX, normalForm } from "../../src/recall/language/normal-form.ts";
import { wordsIn } from "../../src/recall/language/words.ts";

/** Out of order: each second one has to come before the one in front of it. */
const marks = (count: number) => "\u0315\u0300".repeat(count / 2);

test("a text is the same whichever way its letters are composed, with as many marks as any script has", () => {
  expect(normalForm("e\u0301", "NFC")).toBe("é");
  expect(normalForm(`a${marks(MARKS_MAX)}`, "NFC")).toBe(`a${marks(MARKS_MAX)}`.normalize("NFC"));
  expect(normalizedText(`a${marks(MARKS_MAX)}`)).toBe(
    normalizedText(`a${marks(MARKS_MAX)}`.normalize("NFD")),
  );
});

test("marks are not put in order where more follow each other than anybody writes", () => {
  const text = `a${marks(MARKS_MAX + 2)}`;
  expect(normalForm(text, "NFC")).toBe(text);
  expect(normalizedText(text)).toBe(text);
  expect(wordsIn(text)).toEqual([text]);
  expect(path.parse(text)).toBe(text);
});

test("to bring a text into a normal form twice is to do it once", () => {
  // Each of these becomes two: more than thirty only afterwards.
  const text = `a${"\u0344".repeat(MARKS_MAX)}b`;
  const once = normalForm(text, "NFC");
  expect(once).not.toBe(text);
  expect(normalForm(once, "NFC")).toBe(once);
});

test("every character that a normal form may put in another place counts as a mark", () => {
  // U+0334 comes before all marks that can be moved, U+0345 after them.
  const isMoved = (first: string) =>
    [`a${first}\u0334`, `a\u0345${first}`].some((text) => text.normalize("NFD") !== text);
  const moves = (character: string) =>
    ["NFD", "NFKD"].some((form) =>
      isMoved(String.fromCodePoint(character.normalize(form).codePointAt(0) ?? 0)),
    );
  const missed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code);
    if (character !== "" && !isMark(character) && moves(character)) missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
});

test("accents count for nothing in the pieces of a word, however many there are", async () => {
  const lexicon = await loadLexicon();
  expect(lexicon.pieces(`deploy${marks(400)}ment`)).toEqual(lexicon.pieces("deployment"));
});

test("a pattern of paths that is too long is refused before anything is done with it", () => {
  const { error } = pathFilter.safeParse("a".repeat(2049));
  expect(error?.issues.map(({ message }) => message)).toEqual(["must be at most 2048 characters"]);
  // It would be only slashes once it is normalised, which nobody needs to know of it.
  expect(pathFilter.safeParse("/".repeat(2049)).error?.issues).toHaveLength(1);
});

test("nothing else in the code brings texts into a normal form", () => {
  const root = new URL("../../src/", import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const found = files.filter((name) =>
    /\.normalize\(|\bnormalize\(\$/.test(readFileSync(new URL(name, root), "utf8")),
  );
  expect(found.sort()).toEqual(["adapters/postgres/memory/normal-form.ts", "recall/language/normal-form.ts"]);
});

test("several wildcards in a row are one, in patterns of paths and of labels", () => {
  expect(pathFilter.parse(`a${"%".repeat(1000)}/b%%`)).toBe("a%/b%");
  expect(labelFilter.parse("%%%")).toBe("%");
});
