import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { OwnerIndex } from "../../../src/recall/index/in-memory/owner-index.ts";
import type { IndexDocument, IndexFeed } from "../../../src/recall/index/index-document.ts";
import { passagesOf } from "../../../src/recall/language/passages.ts";
import { runs } from "../../support/random.ts";
import { ask, indexDocument, lexicon, MemoryFeed, someDocument } from "../../support/recall-fixtures.ts";
import type { ScopeMembers } from "../../support/recall-scope.ts";

const create = (feed: IndexFeed) => createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });

const FILLER = "The weekly report lists the open points of the workshop and who looks after them. ";
const everything: ScopeMembers = { status: "%", now: 10 };

/** A text of so many characters with a sentence at about a share of it. */
function longText(characters: number, sentence: string, share: number): string {
  const before = FILLER.repeat(Math.round((share * characters) / FILLER.length));
  const after = FILLER.repeat(Math.round(((1 - share) * characters) / FILLER.length));
  return `${before}${sentence} ${after}`;
}

function indexOf(documents: readonly IndexDocument[]) {
  const feed = new MemoryFeed();
  feed.put(...documents);
  return { feed, index: create(feed) };
}

test.each([0, 0.4, 1])("a fact at %f of a long memory is found by its passage", async (share) => {
  const sentence = "The walnut tea of the night train to Tokyo is kept in locker nine.";
  const content = longText(60_000, sentence, share);
  const others = Array.from({ length: 30 }, (_, at) =>
    indexDocument({ seq: at + 2, content: `The coffee of train ${at} is kept in the kitchen. ${FILLER}` }),
  );
  const { index } = indexOf([indexDocument({ seq: 1, content }), ...others]);
  const { hits } = await ask(index, "Where is the walnut tea of the night train kept?");
  expect(hits[0]).toMatchObject({ id: "memory-1" });
  const { start, end } = passagesOf(content)[hits[0]?.passage as number] ?? { start: 0, end: 0 };
  expect(content.slice(start, end)).toContain(sentence);
  expect(hits.filter(({ id }) => id === "memory-1")).toHaveLength(1);
});

test("counts are of memories, lengths of passages", async () => {
  const content = longText(10_000, "Walnut.", 0.5).replaceAll("report", "walnut report");
  const { index } = indexOf([
    indexDocument({ seq: 1, content, sessionId: "s" }),
    indexDocument({ seq: 2, content: "walnut tea" }),
    indexDocument({ seq: 3, content: "coffee" }),
  ]);
  const { set } = await ask(index, "walnut");
  expect(set.statistics).toMatchObject({ memoryCount: 3, documentFrequency: [2], sessionCount: 3 });
  expect(set.statistics.sessionDocumentFrequency).toEqual([2]);
  const count = passagesOf(content).length;
  const { length } = lexicon.terms(content);
  expect(set.statistics.meanLength).toBeCloseTo((length + 2 + 1) / (count + 2), 5);
  expect(set.coverage.get("owner")).toBe(1);
  for (const candidate of set.candidates.filter(({ id }) => id === "memory-1"))
    expect(candidate).toMatchObject({ newerCount: 2, sessionLength: length });
});

test("a word that is longer than where a passage may end is found as a whole", async () => {
  const token = (seed: number) =>
    Array.from({ length: 100 }, (_, at) => ((at * 7919 + seed) ** 2).toString(36)).join("");
  for (const before of [0, 400, 800, 1200]) {
    const content = `${FILLER.repeat(15).slice(0, before)} ${token(1)} ${FILLER.repeat(40)}`;
    const { index } = indexOf([
      indexDocument({ seq: 1, content }),
      indexDocument({ seq: 2, content: `${token(1)}x` }),
      indexDocument({ seq: 3, content: token(2) }),
    ]);
    const { hits } = await ask(index, token(1));
    expect(hits[0]).toMatchObject({ id: "memory-1", signals: { exact: 16 } });
  }
});

test("a long memory takes nobody's place among the candidates", async () => {
  const long = indexDocument({ seq: 1, content: "walnut tea for the night train. ".repeat(1500) });
  const short = Array.from({ length: 60 }, (_, at) =>
    indexDocument({ seq: at + 2, content: `walnut tea, number ${at}` }),
  );
  const { index } = indexOf([long, ...short]);
  const { set } = await ask(index, "walnut tea");
  expect(new Set(set.candidates.map(({ id }) => id)).size).toBe(61);
});

test("passages follow each other, and then the memories of the session", async () => {
  const content = longText(4000, "Who has the key of the boat?", 0.25);
  const { index } = indexOf([
    indexDocument({ seq: 1, content: "Before all of it.", sessionId: "s" }),
    indexDocument({ seq: 2, content, sessionId: "s" }),
    indexDocument({ seq: 3, content: "Zyxqv has it.", sessionId: "s" }),
  ]);
  const { set } = await ask(index, "zyxqv and the boat");
  const candidates = new Map(set.candidates.map((one) => [`${one.id} ${one.passage}`, one]));
  const last = candidates.get(`memory-2 ${passagesOf(content).length - 1}`);
  expect(candidates.get("memory-3 null")?.previous?.length).toBe(last?.length);
});

test("what is replaced or removed leaves no passage", () => {
  const index = new OwnerIndex(lexicon);
  const put = (revision: number, content: string) =>
    index.apply([{ kind: "put", document: indexDocument({ seq: 1, revision, content }) }]);
  for (let revision = 1; revision <= 60; revision++)
    put(revision, longText(40_000, `walnut${revision}`, 0.7));
  put(61, "tea");
  expect([...index.slotsOf("memory-1")]).toHaveLength(1);
  expect(index.passageCount).toBe(1);
  index.apply([{ kind: "remove", id: "memory-1", revision: 62 }]);
  expect([index.size, index.passageCount, [...index.slotsOf("memory-1")].length]).toEqual([0, 0, 0]);
  expect(index.memories.slots.ids.filter((id) => id !== "")).toEqual([]);
});

test("a long memory is counted for all its passages", () => {
  const bytesOf = (content: string) => {
    const index = new OwnerIndex(lexicon);
    for (let seq = 1; seq <= 50; seq++)
      index.apply([{ kind: "put", document: indexDocument({ seq, content }) }]);
    return index.bytes;
  };
  // Of each of 35 further passages at least its vector's, its slot's and some of its filters' bytes.
  expect(bytesOf(FILLER.repeat(700)) - bytesOf(FILLER)).toBeGreaterThan(50 * 35 * (256 + 200));
});

/** Memories of which every third or so has several passages. */
const someLong = (seq: number, revision: number) =>
  fc.tuple(someDocument(seq, revision), fc.nat(2), fc.nat(3)).map(([document, kind, times]) => {
    const content = kind > 0 ? document.content : `${document.content} ${FILLER}`.repeat(16 * (times + 1));
    return indexDocument({ ...document, content, ...(document.vectors === null ? { vectors: null } : {}) });
  });

test("after changes in any order, long memories are found as if they had been stored as they are", async () => {
  const changes = fc.array(
    fc
      .integer({ min: 1, max: 6 })
      .chain((seq) => fc.integer({ min: 1, max: 5 }).chain((revision) => someLong(seq, revision))),
    { minLength: 1, maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (made) => {
      const distinct = [
        ...new Map(made.map((document) => [`${document.id} ${document.revision}`, document])).values(),
      ];
      const { index, feed } = indexOf(distinct.slice(0, 3));
      await ask(index, "tea in tokyo", everything);
      feed.put(...distinct.slice(3));
      const last = new Map<string, IndexDocument>();
      for (const document of distinct)
        if (document.revision > (last.get(document.id)?.revision ?? 0)) last.set(document.id, document);
      const fresh = indexOf([...last.values()]).index;
      expect(await ask(index, "tea in tokyo", everything)).toEqual(
        await ask(fresh, "tea in tokyo", everything),
      );
    }),
    { numRuns: runs(60) },
  );
});
