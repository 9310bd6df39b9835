import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { staticEmbedding } from "../../../src/adapters/embedding/builtin.ts";
import { leastBytes, OwnerIndex } from "../../../src/recall/index/in-memory/owner-index.ts";
import type { IndexChange, IndexDocument, IndexFeed } from "../../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import type { CandidateRequest, CandidateSet } from "../../../src/recall/index/recall-index.ts";
import { testRecallIndex } from "../../conformance/recall-index.suite.ts";
import { runs } from "../../support/random.ts";
import {
  ask,
  compared,
  indexDocument,
  lexicon,
  MemoryFeed,
  someDocument,
  someText,
} from "../../support/recall-fixtures.ts";
import { recallScope, type ScopeMembers } from "../../support/recall-scope.ts";
import { someScope } from "../../support/some-filter.ts";

const create = (feed: IndexFeed, memoryBudgetBytes = 1e9) =>
  createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes });

testRecallIndex("the embedded index", (feed) => create(feed));

const documents = (count: number) =>
  fc.tuple(...Array.from({ length: count }, (_, at) => someDocument(at + 1)));
const everything: ScopeMembers = { status: "%", now: 10 };

/** Changes of few memories, each of a revision of its own, with replays, in any order. */
const changes: fc.Arbitrary<IndexChange[]> = fc
  .array(
    fc.integer({ min: 1, max: 6 }).chain((seq) =>
      fc.integer({ min: 1, max: 8 }).chain((revision) =>
        fc.oneof(
          {
            weight: 4,
            arbitrary: someDocument(seq, revision).map(
              (document): IndexChange => ({ kind: "put", document }),
            ),
          },
          {
            weight: 1,
            arbitrary: fc.constant<IndexChange>({ kind: "remove", id: `memory-${seq}`, revision }),
          },
        ),
      ),
    ),
    { maxLength: 30 },
  )
  .chain((made) =>
    fc.shuffledSubarray([...distinct(made), ...distinct(made)], { minLength: 2 * distinct(made).length }),
  );

/** One change per memory and revision: a revision never means two things. */
function distinct(made: readonly IndexChange[]): IndexChange[] {
  return [...new Map(made.map((change) => [`${idOf(change)} ${revisionOf(change)}`, change])).values()];
}

const idOf = (change: IndexChange) => (change.kind === "put" ? change.document.id : change.id);
const revisionOf = (change: IndexChange) =>
  change.kind === "put" ? change.document.revision : change.revision;

function finalDocuments(all: readonly IndexChange[]): IndexDocument[] {
  const last = new Map<string, IndexChange>();
  for (const change of all) {
    if (revisionOf(change) > revisionOf(last.get(idOf(change)) ?? { kind: "remove", id: "", revision: 0 }))
      last.set(idOf(change), change);
  }
  return [...last.values()].flatMap((change) => (change.kind === "put" ? [change.document] : []));
}

test("a recall that lets others have their turn answers as if nothing had changed meanwhile", async () => {
  const documentsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      indexDocument({ seq: first + at, content: `tea ${first + at} with coffee`, sessionId: `s ${at % 7}` }),
    );
  const query = analyseQuery("Who had tea, and who had coffee?", lexicon);
  const request = {
    query,
    embedding: staticEmbedding(query, lexicon),
    retrievers: ["lexical", "dense"] as const,
    ...recallScope(everything),
  };
  const feed = new MemoryFeed();
  const index = create(feed);
  feed.put(...documentsFrom(1, 60));
  const asked = async (pace?: CandidateRequest["pace"]) => {
    const set = await index.candidates(pace ? { ...request, pace } : request);
    return { ...set, candidates: compared(set.candidates) };
  };
  const still = await asked();

  // At each pause others write and recall; this one goes on when all of them have done what they can.
  let pauses = 0;
  const others: Promise<CandidateSet>[] = [];
  const meanwhile = async () => {
    feed.put(...documentsFrom(100 * pauses, 50));
    others.push(index.candidates(request));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const pace = {
    pause() {
      pauses += 1;
      return pauses <= 8 ? meanwhile() : undefined;
    },
  };
  expect(await asked(pace)).toEqual(still);
  expect(others.length).toBe(8);
  for (const [at, other] of (await Promise.all(others)).entries())
    expect(other.statistics.memoryCount).toBeGreaterThanOrEqual(60 + (at + 1) * 50);
});

test("others have their turn before each long text that an index is built from", async () => {
  const pausesFor = async (content: string) => {
    const feed = new MemoryFeed();
    feed.put(...Array.from({ length: 14 }, (_, at) => indexDocument({ seq: at + 1, content })));
    let pauses = 0;
    const paceOf = () => ({
      pause() {
        pauses += 1;
        return undefined;
      },
    });
    await ask(createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9, paceOf }), "tea");
    return pauses;
  };
  expect(await pausesFor("чай ".repeat(4_000))).toBe(14);
  expect(await pausesFor("чай")).toBeLessThan(14);
});

test("after any changes, repeated and out of order, it answers as one built from what is left", async () => {
  await fc.assert(
    fc.asyncProperty(changes, someText, fc.integer({ min: 1, max: 30 }), async (all, query, split) => {
      const feed = new MemoryFeed();
      const changed = create(feed);
      feed.push("owner", ...all.slice(0, split));
      await ask(changed, query, everything);
      feed.push("owner", ...all.slice(split));
      const freshFeed = new MemoryFeed();
      freshFeed.put(...finalDocuments(all));
      const [a, b] = [await ask(changed, query, everything), await ask(create(freshFeed), query, everything)];
      expect(a).toEqual(b);
    }),
    { numRuns: runs(150) },
  );
});

test("a sweep of replaced slots changes no answer", async () => {
  const feed = new MemoryFeed();
  const index = create(feed);
  const text = (seq: number) => `tea number ${seq} ${seq % 7 === 0 ? "walnut" : "rain"}`;
  for (let revision = 1; revision <= 4; revision++) {
    for (let seq = 1; seq <= 400; seq++)
      feed.put(indexDocument({ seq, revision, content: text(seq), sessionId: `s${seq % 9}` }));
  }
  const freshFeed = new MemoryFeed();
  for (let seq = 1; seq <= 400; seq++)
    freshFeed.put(indexDocument({ seq, content: text(seq), sessionId: `s${seq % 9}` }));
  expect((await ask(index, "walnut tea")).hits).toEqual((await ask(create(freshFeed), "walnut tea")).hits);
});

const scopes = someScope(["memory-1", "memory-3"]);

test("the filter lets through what a plain predicate does", async () => {
  await fc.assert(
    fc.asyncProperty(
      documents(12),
      fc.array(scopes, { minLength: 1, maxLength: 4 }),
      async (stored, asked) => {
        const feed = new MemoryFeed();
        feed.put(...stored);
        const index = create(feed);
        for (const filter of asked) {
          const found = (await ask(index, "tea", filter)).hits.map(({ id }) => id).sort();
          const expected = stored.filter((document) => passes(document, filter)).map(({ id }) => id);
          expect(found).toEqual(expected.sort());
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

function passes(document: IndexDocument, filter: ScopeMembers): boolean {
  const like = (value: string, pattern: string) =>
    new RegExp(
      `^${pattern
        .split("%")
        .map((part) => part.replace(/[^\w]/g, "\\$&"))
        .join(".*")}$`,
      "s",
    ).test(value);
  const { now = 0, status = "active", path = "%", bucket = "%", memoryTypes = ["%"] } = filter;
  const { supersededUntil, supersededStatus } = document;
  const isLiveAgain = document.status === "superseded" && supersededUntil !== null && supersededUntil <= now;
  const standing = isLiveAgain && supersededStatus !== null ? supersededStatus : document.status;
  const isLive = ["active", "started", "completed"].includes(standing);
  const isExpired = isLive && document.expiresAt !== null && document.expiresAt <= now;
  const effective = isExpired ? "expired" : standing;
  const statusPasses =
    status === "active"
      ? isLive && !isExpired
      : like(effective, status) && !(status.includes("%") && effective === "soft_deleted");
  const isKnowledge = document.bucket === "knowledge" || document.memoryType === "knowledge";
  return (
    statusPasses &&
    like(document.path, path) &&
    like(document.bucket, bucket) &&
    memoryTypes.some((pattern) => like(document.memoryType, pattern)) &&
    (filter.session == null ||
      document.memoryType !== "working" ||
      document.sessionId === null ||
      document.sessionId === filter.session) &&
    (filter.scope == null || document.scope === filter.scope) &&
    (filter.teamId == null || document.teamId === filter.teamId) &&
    (filter.projectId == null || document.projectId === filter.projectId) &&
    (filter.projects == null || filter.projects.some((project) => project === document.projectId)) &&
    (filter.pathPrefix == null || `${document.path}/`.startsWith(`${filter.pathPrefix}/`)) &&
    (filter.buckets == null || filter.buckets.includes(document.bucket)) &&
    (filter.includeKnowledge !== false || !isKnowledge) &&
    (filter.ids == null || filter.ids.has(document.id)) &&
    (filter.createdBefore == null || document.createdAt < filter.createdBefore) &&
    (filter.createdFrom == null || document.createdAt >= filter.createdFrom) &&
    (filter.pathUnder == null || `${document.path}/`.startsWith(`${filter.pathUnder}/`)) &&
    !(filter.withoutItems === true && document.isItem)
  );
}

test("nothing outside the scope has any influence", async () => {
  await fc.assert(
    fc.asyncProperty(documents(12), scopes, someText, async (stored, filter, query) => {
      const [whole, alone] = [new MemoryFeed(), new MemoryFeed()];
      whole.put(...stored);
      whole.put(...stored.map((document) => ({ ...document, id: `other ${document.id}`, ownerId: "other" })));
      alone.put(...stored.filter((document) => passes(document, filter)));
      expect(await ask(create(whole), query, filter)).toEqual(await ask(create(alone), query, filter));
    }),
    { numRuns: runs(150) },
  );
});

test("scores are numbers from 0 to 1, and the same question has the same answer", async () => {
  const query = fc.oneof(
    someText,
    fc.string({ unit: "binary" }),
    fc.constantFrom("the of", "?!…", "🎉🎉", "", "x".repeat(100_000), "tea. ".repeat(20_000)),
  );
  await fc.assert(
    fc.asyncProperty(documents(10), query, fc.integer({ min: 0, max: 10 }), async (stored, text, count) => {
      const feed = new MemoryFeed();
      feed.put(...stored.slice(0, count));
      const index = create(feed);
      const { hits } = await ask(index, text, everything);
      for (const hit of hits) {
        expect(hit.score).toBeGreaterThanOrEqual(0);
        expect(hit.score).toBeLessThanOrEqual(1);
        for (const value of Object.values(hit.signals)) expect(value).not.toBeNaN();
      }
      expect((await ask(index, text, everything)).hits).toEqual(hits);
    }),
    { numRuns: runs(150) },
  );
});

test("a request waits for a reading that began after it, and requests in between share one", async () => {
  const feed = new MemoryFeed();
  feed.put(indexDocument({ seq: 1, content: "tea" }));
  const index = create(feed);
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  feed.gate = () => closed;
  const first = ask(index, "tea");
  await Promise.resolve();
  feed.put(indexDocument({ seq: 2, content: "tea" }));
  const [second, third] = [ask(index, "tea"), ask(index, "tea")];
  open();
  expect((await second).hits).toHaveLength(2);
  expect((await third).hits).toHaveLength(2);
  await first;
  expect(feed.readings).toEqual([null, "1"]);
});

test("what a reading brings or removes is in the answer, though the index is looked at while that is read", async () => {
  const feed = new MemoryFeed();
  const [first, second] = [1, 2].map((seq) => indexDocument({ seq, content: "tea" })) as [
    IndexDocument,
    IndexDocument,
  ];
  feed.put(first);
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  const found = async () => (await ask(index, "tea")).hits.map(({ id }) => id).sort();
  expect(await found()).toEqual([first.id]);
  // Nothing has changed since: from here on it is looked at meanwhile.
  expect(await found()).toEqual([first.id]);
  feed.put(second);
  expect(await found()).toEqual([first.id, second.id]);
  expect(await found()).toEqual([first.id, second.id]);
  feed.push("owner", { kind: "remove", id: first.id, revision: 2 });
  expect(await found()).toEqual([second.id]);
  expect(feed.readings).toHaveLength(5);
});

test("after a failed reading the next request reads again", async () => {
  const feed = new MemoryFeed();
  feed.put(indexDocument({ seq: 1, content: "tea" }));
  const index = create(feed);
  feed.gate = () => Promise.reject(new Error("the database is away"));
  await expect(ask(index, "tea")).rejects.toThrow("the database is away");
  feed.gate = async () => undefined;
  expect((await ask(index, "tea")).hits).toHaveLength(1);
});

test("the least recently used owner is dropped over the budget, and built again when asked", async () => {
  const feed = new MemoryFeed();
  for (const ownerId of ["a", "b"]) {
    for (let seq = 1; seq <= 20; seq++)
      feed.put(indexDocument({ seq, id: `${ownerId}${seq}`, ownerId, content: `tea ${seq}` }));
  }
  const index = create(feed, 500_000);
  for (const owner of ["a", "b", "a"])
    expect((await ask(index, "tea", { owners: [owner] })).hits).toHaveLength(20);
  expect(feed.readings).toEqual([null, null, null]);
});

test("an owner that alone is over the budget is unavailable, and the others answer", async () => {
  const feed = new MemoryFeed();
  feed.put(indexDocument({ seq: 1, ownerId: "small", content: "tea" }));
  for (let seq = 2; seq < 1500; seq++)
    feed.put(indexDocument({ seq, ownerId: "large", content: `tea ${seq}` }));
  const index = create(feed, 600_000);
  const { hits, set } = await ask(index, "tea", { owners: ["small", "large"] });
  expect(set.unavailable).toEqual(["large"]);
  expect(hits.map(({ ownerId }) => ownerId)).toEqual(["small"]);
});

test("an owner that will not fit is known by what it has, and not read", async () => {
  const feed = new MemoryFeed();
  feed.put(indexDocument({ seq: 1, ownerId: "small", content: "tea" }));
  const known: IndexFeed = {
    outline: async (ownerId) =>
      ownerId === "large"
        ? { memories: 2_000_000, words: 20, vectorBytes: 256 }
        : await feed.outline(ownerId),
    read: (...asked) => feed.read(...asked),
  };
  const index = create(known, 2 ** 30);
  const { hits, set } = await ask(index, "tea", { owners: ["small", "large"] });
  expect(set.unavailable).toEqual(["large"]);
  expect(hits.map(({ ownerId }) => ownerId)).toEqual(["small"]);
  expect(feed.readings).toEqual([null]);
});

test("what an index is known to take at the least is no more than it takes", async () => {
  const contents = [
    "tea",
    `${"a long text of many words, said again and again ".repeat(90)}`,
    "ｔｅａ 茶を飲みます。",
    "0xdeadbeef".repeat(300),
  ];
  const index = new OwnerIndex(lexicon);
  const documents = Array.from({ length: 1000 }, (_, at) =>
    indexDocument({ seq: at + 1, content: contents[at % contents.length] as string }),
  );
  index.apply(documents.map((document) => ({ kind: "put", document })));
  const mean = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size) / sizes.length;
  const least = leastBytes({
    memories: documents.length,
    words: mean(documents.map(({ content }) => new Set(content.match(/[a-z]+/g)).size)),
    vectorBytes: mean(documents.map(({ vectors }) => vectors?.bytes.byteLength ?? 0)),
  });
  expect(least).toBeLessThanOrEqual(index.bytes);
});

test("a refresh catches up with what is held, and builds nothing", async () => {
  const feed = new MemoryFeed();
  feed.put(indexDocument({ seq: 1, content: "tea" }));
  const index = create(feed);
  await index.refresh(["owner"]);
  expect(feed.readings).toEqual([]);
  await ask(index, "tea");
  await index.refresh(["owner"]);
  expect(feed.readings).toEqual([null, "1"]);
});
