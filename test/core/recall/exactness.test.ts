import fc from "fast-check";
import { expect, test } from "vitest";
import { KINDS } from "../../../bench/recall/suites/identifiers/kinds.ts";
import { lookAlike } from "../../../bench/recall/suites/identifiers/look-alikes.ts";
import { FORMS } from "../../../bench/recall/suites/identifiers/questions.ts";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { exactTerms } from "../../../src/recall/index/exact-terms.ts";
import { verifiedMatches } from "../../../src/recall/index/exactness.ts";
import { createRandom, runs } from "../../support/random.ts";
import { ask, indexDocument, lexicon, MemoryFeed } from "../../support/recall-fixtures.ts";

/** What may stand beside an identifier. */
const BESIDE = [
  ["", ""],
  ["The note says ", " again."],
  ["(", ")"],
  ["“", "”,"],
  ["`", "`"],
  ["id=", ";"],
  ["[", "](notes)"],
  ["请看", "。"],
  ["- ", ":"],
  ["It was\n", "\nthat failed"],
] as const;
/** The order of the two words of a name is seen only in the text itself. */
const KINDS_OF_ONE_WORD = KINDS.filter(({ name }) => name !== "person");

/** "+37 32 555" has each group of "+32 32 555": that it has one of them once is seen only in the text itself. */
function hasAllGroups(like: string, id: string): boolean {
  const groupsOf = (text: string) => text.replace(/^\+/, "").split(" ");
  return groupsOf(id).every((group) => groupsOf(like).includes(group));
}

test("whatever stands beside an identifier, its memory is before all that have look-alikes", async () => {
  const asked = fc.record({
    kind: fc.constantFrom(...KINDS_OF_ONE_WORD),
    seed: fc.nat(),
    beside: fc.constantFrom(...BESIDE),
    form: fc.constantFrom(...Object.values(FORMS)),
    length: fc.constantFrom(0, 20, 200),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ kind, seed, beside: [before, after], form, length }) => {
      const random = createRandom(seed);
      const id = kind.make(random);
      const likes = Array.from({ length: 8 }, () => lookAlike(id, kind, random)).filter(
        (like) => like !== null && like !== id && !like.includes(id) && !hasAllGroups(like, id),
      ) as string[];
      const prose = "The harbour office keeps its blue ladders in a shed. ".repeat(length);
      const contents = [
        `${prose}${before}${id}${after}`,
        ...likes.map((like) => kind.statements[0]?.(like, "it")),
      ];
      const feed = new MemoryFeed();
      feed.put(...contents.map((content, at) => indexDocument({ seq: at + 1, content: content as string })));
      const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
      const { hits } = await ask(index, form(id, kind, random));
      expect(hits[0]?.id).toBe("memory-1");
    }),
    { numRuns: runs(150) },
  );
});

test.each([
  [
    "a name of words that English does not have, in English",
    '"Zapata Giulia"',
    "Then Zapata Giulia took over the work.",
  ],
  [
    "the same in Italian",
    '"Zapata Giulia"',
    "Poi Zapata Giulia ha preso in mano la faccenda del porticciolo.",
  ],
  ["a phrase of another language", "„Schlüssel vom Bootshaus“", "Der Schlüssel vom Bootshaus hängt innen."],
  ["the same in English", "„Schlüssel vom Bootshaus“", "The note on the door said Schlüssel vom Bootshaus."],
  ["a phrase in Cyrillic", "«ключ от сарая»", "The label says ключ от сарая, in red."],
])("what is quoted is proposed, whatever the text around it is written in: %s", async (_, query, content) => {
  const feed = new MemoryFeed();
  const apart = content.split(" ").reverse().join(" ");
  feed.put(...[apart, content, apart].map((text, at) => indexDocument({ seq: at + 1, content: text })));
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  const { hits } = await ask(index, query);
  const matches = hits.find(({ id }) => id === "memory-2")?.exact?.matches;
  expect(new Set(matches)).toEqual(new Set([1]));
});

test("what an index proposes for words that stand apart, or another word of the same hash, is not borne out", () => {
  const read = (query: string, text: string) => {
    const names = exactTerms(query, lexicon, false);
    return verifiedMatches(
      names,
      names.map(() => 1),
      text,
    );
  };
  expect(read('"green ladder"', "A green ladder.")).toEqual([1]);
  expect(read('"green ladder"', "A ladder that is green.")).toEqual([0]);
  expect(read("INC-55314", "Nothing of the kind.")).toEqual([0]);
  expect(read("Agnes Barlow", "Barlow, Agnes")).toEqual([0]);
  expect(read("getUser", "getuser")).toEqual([0.5]);
});
