/** Which texts contain a name or an address, whatever the case and the form; and that the database misses none of them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { wordPattern } from "../../src/adapters/postgres/erasure/word-pattern.ts";
import { excerptOf, fold, isTerm, readTerm, termsIn } from "../../src/core/subject/term.ts";

const contains = (text: string, term: string) => termsIn(text, [readTerm(term)]).length > 0;

test.each([
  ["Anna Schmidt", "anna schmidt called"],
  ["Anna Schmidt", "(ANNA\n  SCHMIDT)"],
  ["Anna Schmidt", "path/anna-schmidt/notes"],
  ["Anna Schmidt", "login anna.schmidt, anna_schmidt"],
  ["Anna Schmidt", "Anna Schmidt's desk"],
  ["Groß", "GROSS"],
  ["GROSS", "Herr Groß"],
  ["José", "Jose\u0301 said"],
  ["Ａｎｎａ", "anna"],
  ["ΣΊΣΥΦΟΣ", "Σίσυφος"],
  ["İpek", "İPEK"],
  ["O'Brien", "o’brien"],
  ["anna@example.com", "mail to Anna@Example.com."],
  ["anna@example.com", "<mailto:anna@example.com>"],
  ["+43 660 1234567", "call +43-660-1234567"],
  ["张伟", "昨天张伟来了"],
  ["김철수", "김철수는 갔다"],
])("%s is found in: %s", (term, text) => {
  expect(contains(text, term)).toBe(true);
});

test.each([
  ["Ann", "planning, annual, Anna"],
  ["Anna Schmidt", "Schmidt, Anna"],
  ["Anna Schmidt", "Anna. Schmidt said"],
  ["anna@example.com", "joanna@example.com"],
  ["anna@example.com", "max.anna@example.com, x+anna@example.com"],
  ["anna@example.com", "anna@example.com.au, anna@example.community"],
  ["Muller", "Müller"],
])("%s is not found in: %s", (term, text) => {
  expect(contains(text, term)).toBe(false);
});

test("a term needs two letters or digits", () => {
  expect([isTerm("Li"), isTerm("x"), isTerm("--"), isTerm("é."), isTerm("张伟")]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

const letters = fc.string({
  unit: fc.constantFrom(..."abiksIIſßẞﬁﬀİıçÉe\u0301ΣσςΏώǰŉաևԱ1９７ⓐ가張ｶ".split(""), "K", "\u0345", "𐐀", "𐐨"),
  minLength: 2,
  maxLength: 8,
});

test("in any case and form, a term is found in itself, and the database finds each of its words", () => {
  const forms = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize("NFD"),
    (text) => text.normalize("NFKC"),
  );
  fc.assert(
    fc.property(
      letters,
      letters,
      forms,
      fc.constantFrom(" ", "  ", "-", "_", "\n"),
      (one, other, form, gap) => {
        const term = `${one} ${other}`;
        fc.pre(isTerm(term) && /^[\p{L}\p{N}]/u.test(one) && /^[\p{L}\p{N}]/u.test(other));
        const text = form(term).replace(" ", gap);
        // Some letters are other letters in another case, such as the dotless i.
        fc.pre(fold(text.replace(gap, " ")) === fold(term));
        expect(contains(`(${text})`, term)).toBe(true);
        const stored = text.normalize("NFKC");
        for (const word of readTerm(term).words) expect(stored).toMatch(new RegExp(wordPattern(word), "u"));
      },
    ),
    { numRuns: 400 },
  );
});

test("an excerpt shows the term as it is written, with what surrounds it", () => {
  const text = `${"before ".repeat(30)}Frau STRAẞE-Groß, ${"after ".repeat(40)}`;
  const { before, match, after } = excerptOf(text, readTerm("Strasse Gross"));
  expect(match).toBe("STRAẞE-Groß");
  expect(before).toMatch(/^….*Frau $/);
  expect(after).toMatch(/^, after .*…$/);
  expect(text).toContain(before.slice(1) + match + after.slice(0, -1));
});
