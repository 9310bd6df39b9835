import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { staticEmbedding } from "../../../src/adapters/embedding/builtin.ts";
import type { IndexDocument } from "../../../src/recall/index/index-document.ts";
import type { MultilingualQuery } from "../../../src/recall/index/multilingual.ts";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import type {
  CandidateRequest,
  CandidateSet,
  RecallIndex,
  Retriever,
} from "../../../src/recall/index/recall-index.ts";
import { passagesOf } from "../../../src/recall/language/passages.ts";
import { POOL, type RankedHit, rank } from "../../../src/recall/ranking/rank.ts";
import { describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { type OwnIndex, ownIndex } from "../../support/elasticsearch-index.ts";
import { runs } from "../../support/random.ts";
import {
  ask,
  compared,
  indexDocument,
  lexicon,
  MemoryFeed,
  multilingualQuery,
  multilingualVectors,
  someDocument,
  someText,
} from "../../support/recall-fixtures.ts";
import { recallScope, type ScopeMembers } from "../../support/recall-scope.ts";
import { someScope } from "../../support/some-filter.ts";

const MEMORIES = 24;
/** A text without a known word has a vector without direction, which the engine cannot compare. */
const worded = (text: string) => `tea ${text}`;
const stores = fc.tuple(
  ...Array.from({ length: MEMORIES }, (_, at) =>
    someDocument(at + 1).map(({ vectors, ...fields }) => {
      const content = worded(fields.content);
      const multilingual = fields.multilingual === null ? null : multilingualVectors(content);
      const document = indexDocument({ ...fields, content, multilingual });
      return vectors === null ? { ...document, vectors } : document;
    }),
  ),
);
const retrievers = fc.constantFrom<readonly Retriever[]>(["lexical", "dense"], ["lexical"], ["dense"]);
/** What the models say of a query: `silent` is an encoder that does not answer. */
interface Models {
  readonly isEmbedded: boolean;
  readonly encoder: "absent" | "silent" | "reads English" | "reads Dutch" | "knows no language";
}
const WITH_MODELS: Models = { isEmbedded: true, encoder: "reads English" };
const someModels = fc.record<Models>({
  isEmbedded: fc.boolean(),
  encoder: fc.constantFrom("absent", "silent", "reads English", "reads Dutch", "knows no language"),
});
const questions = fc.array(
  fc.record({
    filter: someScope(["memory-1", "memory-9"]),
    text: someText.map(worded),
    retrievers,
    models: someModels,
  }),
  { minLength: 6, maxLength: 10 },
);
/** What has become of a memory since the engine saw it. */
const fates = fc.array(fc.constantFrom("shown", "shown", "new", "changed", "removed"), {
  minLength: MEMORIES,
  maxLength: MEMORIES,
});

/** As many owners as worlds are played in one index: none may see another's. */
let worlds = 0;

/** The memories of a world of its own. */
function inWorld(documents: readonly IndexDocument[], world: string): IndexDocument[] {
  return documents.map((document) => ({
    ...document,
    id: `${world} ${document.id}`,
    ownerId: `${world} ${document.ownerId}`,
  }));
}

function filterIn(world: string, filter: ScopeMembers): ScopeMembers {
  const ids = filter.ids ?? null;
  return {
    ...filter,
    owners: [`${world} owner`],
    ids: ids === null ? null : new Set([...ids].map((id) => `${world} ${id}`)),
  };
}

const puts = (documents: readonly IndexDocument[]) =>
  documents.map((document) => ({ ownerId: document.ownerId, change: { kind: "put" as const, document } }));

/** An index that knows all of a scope, to compare with. */
function exactIndex(documents: readonly IndexDocument[]) {
  const feed = new MemoryFeed();
  feed.put(...documents);
  return createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
}

async function setOf(
  index: RecallIndex,
  text: string,
  filter: ScopeMembers,
  { models = WITH_MODELS, ...rest }: { readonly models?: Models } & Partial<CandidateRequest> = {},
) {
  const query = analyseQuery(text, lexicon);
  const embedding = models.isEmbedded ? staticEmbedding(query, lexicon) : null;
  const multilingual = encoded(text, models.encoder);
  const request = { query, embedding, multilingual, ...recallScope(filter), retrievers: HYBRID, ...rest };
  const { engine: _, ...set } = await index.candidates(request);
  return set;
}

const comparedSet = ({ candidates, ...rest }: Awaited<ReturnType<typeof setOf>>) => ({
  ...rest,
  candidates: compared(candidates),
});

function encoded(text: string, encoder: Models["encoder"]): MultilingualQuery | null {
  if (encoder === "absent") return null;
  if (encoder === "silent") return { language: "nl", vectors: async () => null };
  const languages = { "reads English": "en", "reads Dutch": "nl", "knows no language": null } as const;
  return multilingualQuery(text, languages[encoder]);
}

const HYBRID: readonly Retriever[] = ["lexical", "dense"];

/**
 * Of a large scope two figures are estimates, how long windows are on average and in how many sessions a term is, and
 * what is older than the newest 300 is all as old.
 */
function withoutEstimates({ statistics, candidates, ...rest }: Omit<CandidateSet, "engine">) {
  return {
    ...rest,
    statistics: { ...statistics, meanContextLength: 0, sessionDocumentFrequency: [] },
    candidates: compared(candidates).map((candidate) => ({
      ...candidate,
      newerCount: Math.min(candidate.newerCount, 300),
    })),
  };
}

/** As far as the estimates of a large scope move a memory. */
const NEAR_TIE = 0.05;

function total(signals: RankedHit["signals"]): number {
  return Object.values(signals).reduce((sum, value) => sum + value, 0);
}

/** Without what near-duplicates do to each other. */
function totalAlone({ superseded = 0, update = 0, ...signals }: RankedHit["signals"]): number {
  return total(signals);
}

/** The memories among which near-duplicates are searched for. */
function poolOf(hits: readonly RankedHit[]): string {
  const best = hits.toSorted((a, b) => totalAlone(b.signals) - totalAlone(a.signals)).slice(0, POOL);
  return String(best.map(({ id }) => id).sort());
}

/** Many memories, the same for the same seed, in sessions of a dozen. */
function manyMemories(count: number, seed = 1): IndexDocument[] {
  const texts = fc.sample(someText, { numRuns: count, seed });
  return texts.map((text, at) => {
    const content = `${at % 10 === 4 ? "Hey Kit! " : ""}${worded(`${text} ${text.length}`)}`;
    return indexDocument({
      seq: at + 1,
      content,
      multilingual: multilingualVectors(content),
      language: at % 3 === 0 ? "nl" : "en",
      sessionId: at % 5 === 0 ? null : `session ${Math.floor(at / 12)}`,
      source: ["Alice", "Bob"][at % 2] as string,
      occurredAt: at,
    });
  });
}

describeOnElasticsearch("recall by Elasticsearch", () => {
  let own: OwnIndex;
  beforeAll(async () => {
    own = await ownIndex(2);
  });
  afterAll(() => own.remove());

  test("of a small scope it says what the index in memory does, whatever is pending and whichever models answer", async () => {
    await fc.assert(
      fc.asyncProperty(stores, stores, fates, questions, async (before, after, fate, asked) => {
        const world = `world-${worlds++}`;
        const fateIn =
          (...kinds: string[]) =>
          (_: unknown, at: number) =>
            kinds.includes(fate[at] as string);
        const now = after.map((document, at) => (fate[at] === "shown" ? before[at] : document));
        const documents = inWorld(now.filter(fateIn("shown", "new", "changed")) as IndexDocument[], world);
        await own.write(puts(inWorld(before.filter(fateIn("shown", "changed", "removed")), world)));
        const ids = inWorld(before.filter(fateIn("new", "changed", "removed")), world).map(({ id }) => id);
        const pending = documents.filter(({ id }) => ids.includes(id));
        const index = own.recall(() => ({ documents: pending, ids, missing: new Map() }));
        const exact = exactIndex(documents);
        for (const { filter, text, ...rest } of asked) {
          const scope = filterIn(world, filter);
          const found = await setOf(index, text, scope, rest);
          expect(comparedSet(found)).toEqual(comparedSet(await setOf(exact, text, scope, rest)));
        }
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });

  test("of a large scope that is proposed as a whole it says the same but for two estimates", async () => {
    const documents = inWorld(manyMemories(450), "large");
    const [shown, pending] = [documents.slice(0, 440), documents.slice(430)];
    await own.write(puts(shown));
    const ids = pending.map(({ id }) => id);
    const index = own.recall(() => ({ documents: pending, ids, missing: new Map() }));
    const exact = exactIndex(documents);
    for (const text of [
      "walking doctor tokyo",
      "What did Alice say about tea in March 2023?",
      "So said Kit?",
    ]) {
      const asked = [text, { owners: ["large owner"] }, { candidateCount: 1000 }] as const;
      const [found, expected] = [await setOf(index, ...asked), await setOf(exact, ...asked)];
      expect(found.candidates.length).toBeGreaterThan(400);
      expect([...found.statistics.aliases]).toEqual(text.includes("Kit") ? [["Kit", "Bob"]] : []);
      expect(withoutEstimates(found)).toEqual(withoutEstimates(expected));
      const { statistics } = found;
      expect(statistics.meanContextLength / expected.statistics.meanContextLength).toBeCloseTo(1, 1);
      for (const [at, sessions] of statistics.sessionDocumentFrequency.entries())
        expect(
          Math.abs(sessions - (expected.statistics.sessionDocumentFrequency[at] as number)),
        ).toBeLessThan(4);
    }
  });

  test("of a large scope it gives the order of the index in memory but for near-ties, whichever models answer", async () => {
    const documents = inWorld(manyMemories(450, 3), "ordered");
    await own.write(puts(documents));
    const [index, exact] = [own.recall(), exactIndex(documents)];
    const scope = { owners: ["ordered owner"] };
    await fc.assert(
      fc.asyncProperty(someText.map(worded), someModels, async (text, models) => {
        const query = analyseQuery(text, lexicon);
        const rest = { models, candidateCount: 1000 };
        const found = rank(query, await setOf(index, text, scope, rest));
        const expected = rank(query, await setOf(exact, text, scope, rest));
        const alone = new Map(expected.map(({ id, signals }) => [id, totalAlone(signals)]));
        for (const { id, signals } of found)
          expect(Math.abs(totalAlone(signals) - (alone.get(id) as number))).toBeLessThan(NEAR_TIE);
        // A near-tie at the end of the pool decides whether two near-duplicates meet.
        if (poolOf(found) !== poolOf(expected)) return;
        const sums = new Map(expected.map(({ id, signals }) => [id, total(signals)]));
        const sumAt = (hits: readonly RankedHit[], at: number) => sums.get(hits[at]?.id as string) as number;
        for (let at = 0; at < 20; at++)
          expect(Math.abs(sumAt(found, at) - sumAt(expected, at))).toBeLessThan(NEAR_TIE);
      }),
      { numRuns: runs(100), endOnFailure: true },
    );
  });

  test("what a large scope has in all is counted once, and anew when a memory of it has changed", async () => {
    const documents = inWorld(manyMemories(450), "counted");
    await own.write(puts(documents));
    const asked = vi.spyOn(own.client, "msearch");
    const kept = own.recall();
    const totalsAsked = () => {
      const bodies = asked.mock.calls.map(([body]) => JSON.stringify(body));
      asked.mockClear();
      return bodies.filter((body) => body.includes('"speakers":{"terms"')).length;
    };
    /** Whether it counted, beside what an index says that knows nothing yet. */
    const asks = async (text: string) => {
      const scope = { owners: ["counted owner"] };
      totalsAsked();
      const found = await setOf(kept, text, scope);
      const counts = totalsAsked() > 0;
      expect(comparedSet(found)).toEqual(comparedSet(await setOf(own.recall(), text, scope)));
      return counts;
    };
    const texts = ["walking doctor tokyo", "tea with alice", "walking doctor tokyo"];
    const first: boolean[] = [];
    for (const text of texts) first.push(await asks(text));
    expect(first).toEqual([true, false, false]);
    const [changed] = documents.slice(200, 201) as [IndexDocument];
    await own.write(
      puts([{ ...changed, revision: changed.revision + 1, source: "Carla", content: "tea in tokyo" }]),
    );
    expect(await asks("tea with alice")).toBe(true);
    expect(await asks("walking doctor tokyo")).toBe(false);
    await kept.refresh(["counted owner"]);
    expect(await asks("tea with alice")).toBe(true);
    asked.mockRestore();
  });

  test("a memory of thousands of words between short ones changes nothing about these", async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => 7919 * n).join(" ");
    const contents = [
      "tea",
      numbers(2000),
      "tea with alice",
      numbers(6000),
      "the doctor drinks tea",
      numbers(9),
    ];
    const documents = inWorld(
      contents.map((content, at) => indexDocument({ seq: at + 1, content })),
      "wordy",
    );
    await own.write(puts(documents));
    for (const text of ["tea", "7919 and tea with a doctor"]) {
      const asked = [text, { owners: ["wordy owner"] }] as const;
      const [found, expected] = [
        await setOf(own.recall(), ...asked),
        await setOf(exactIndex(documents), ...asked),
      ];
      expect(new Set(found.candidates.map(({ id }) => id)).size).toBe(contents.length);
      expect(comparedSet(found)).toEqual(comparedSet(expected));
    }
  });

  test("deep inside of a long memory of a large scope a passage is found by its words and by its vector", async () => {
    const filler = "The weekly report lists the open points of the workshop. ".repeat(400);
    const documents = manyMemories(600);
    const content = `${filler}${"A walnut grows in the orchard of the monastery. ".repeat(16)}${filler}`;
    documents[300] = indexDocument({ seq: 301, content });
    await own.write(puts(inWorld(documents, "deep")));
    for (const retrievers of [HYBRID, ["lexical"], ["dense"]] as const) {
      const asked = [
        "the monastery's walnuts in an orchard",
        { owners: ["deep owner"] },
        retrievers,
      ] as const;
      const { hits, set } = await ask(own.recall(), ...asked);
      expect(hits[0]?.seq).toBe(301);
      const { start, end } = passagesOf(content)[hits[0]?.passage as number] ?? { start: 0, end: 0 };
      expect(content.slice(start, end)).toContain("monastery");
      expect(set.coverage.get("deep owner")).toBe(1);
      const exact = await ask(exactIndex(inWorld(documents, "deep")), ...asked);
      expect(set.statistics.meanLength).toBeCloseTo(exact.set.statistics.meanLength, 5);
    }
  });

  test("another owner's memories change neither the order nor a score", async () => {
    const alone = await ownIndex();
    const documents = inWorld(manyMemories(450), "one");
    const others = inWorld(manyMemories(900, 2), "other").map((document) => ({
      ...document,
      content: `${document.content} tokyo tokyo doctor`,
    }));
    await alone.write(puts(documents));
    await own.write([...puts(others), ...puts(documents)]);
    for (const text of ["walking doctor tokyo", "tea with alice", "migration yesterday"]) {
      for (const retrievers of [HYBRID, ["lexical"], ["dense"]] as const) {
        const [among, apart] = await Promise.all(
          [own, alone].map((index) => ask(index.recall(), text, { owners: ["one owner"] }, retrievers)),
        );
        expect(among?.set.statistics).toEqual(apart?.set.statistics);
        expect(among?.hits.slice(0, 50)).toEqual(apart?.hits.slice(0, 50));
      }
    }
    await alone.remove();
  });

  test("in a session too long to be read, an answer is found by the question before it", async () => {
    const filler: IndexDocument[] = manyMemories(600).map((document) => ({ ...document, sessionId: "long" }));
    const said = (seq: number, content: string) =>
      indexDocument({ seq, sessionId: "long", source: "Ben", content });
    filler[300] = said(301, "Ben: Where did you buy the telescope?");
    filler[301] = said(302, "Ben: At the flea market.");
    await own.write(puts(inWorld(filler, "session")));
    const { hits } = await ask(own.recall(), "Where was the telescope bought?", {
      owners: ["session owner"],
    });
    expect(hits.slice(0, 2).map(({ seq }) => seq)).toContain(302);
  });

  test("what is pending beyond the limit is missing from the coverage, and recall says so", async () => {
    const documents = inWorld(manyMemories(9), "behind");
    await own.write(puts(documents));
    const index = own.recall(() => ({ documents: [], ids: [], missing: new Map([["behind owner", 3]]) }));
    const { set } = await ask(index, "tea", { owners: ["behind owner"] });
    expect(set.coverage.get("behind owner")).toBe(9 / 12);
    expect(set.degraded).toHaveLength(1);
  });

  test("vectors of another embedding generation are not compared", async () => {
    await own.write(puts(inWorld(manyMemories(3), "generation")));
    const set = await setOf(
      own.recall(),
      "tea",
      { owners: ["generation owner"] },
      { embeddingGeneration: 7 },
    );
    expect(set.candidates.map(({ cosine }) => cosine)).toEqual([null, null, null]);
    expect(set.coverage.get("generation owner")).toBe(0);
  });

  test("nobody's memories are nothing, and without an index there is no answer", async () => {
    expect((await ask(own.recall(), "tea", { owners: [] })).hits).toEqual([]);
    const gone = await ownIndex();
    const index = gone.recall();
    await gone.client.indices.delete({ index: gone.name });
    await expect(ask(index, "tea")).rejects.toMatchObject({ name: "IndexUnavailable", reason: "building" });
    await gone.client.close();
  });
});
