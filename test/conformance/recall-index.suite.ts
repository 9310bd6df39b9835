import { describe, expect, test } from "vitest";
import type { IndexFeed } from "../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { RecallIndex } from "../../src/recall/index/recall-index.ts";
import { ask, indexDocument, lexicon, MemoryFeed } from "../support/recall-fixtures.ts";
import { recallScope } from "../support/recall-scope.ts";

/** What a recall index promises, whatever it is made of. `create` makes an empty one that reads `feed`. */
export function testRecallIndex(
  name: string,
  create: (feed: IndexFeed) => RecallIndex | Promise<RecallIndex>,
): void {
  async function indexOf(...documents: Parameters<typeof indexDocument>[0][]) {
    const feed = new MemoryFeed();
    feed.put(...documents.map(indexDocument));
    return { feed, index: await create(feed) };
  }
  const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);

  describe(`${name} is a recall index`, () => {
    test("an empty store answers with nothing, fully covered", async () => {
      const { index } = await indexOf();
      const { hits, set } = await ask(index, "anything");
      expect(hits).toEqual([]);
      expect(set.coverage.get("owner")).toBe(1);
      expect(set.unavailable).toEqual([]);
    });

    test("what matches comes before what does not", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "The bakery opens at seven." },
        { seq: 2, content: "Our database runs on port 5432." },
        { seq: 3, content: "Rain is expected on Monday." },
      );
      expect((await ask(index, "Which port does the database use?")).hits[0]?.id).toBe("memory-2");
      expect((await ask(index, "When does the bakery open?")).hits[0]?.id).toBe("memory-1");
    });

    test("words of similar meaning match", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "We planted tulips." },
        { seq: 2, content: "Saw a physician about the knee." },
        { seq: 3, content: "The train was late." },
      );
      const { hits } = await ask(index, "doctor");
      expect(hits[0]?.id).toBe("memory-2");
      expect(hits[0]?.signals.lexical).toBeGreaterThan(0);
    });

    test.each([
      ["Thai", "กาแฟ", "สมชายซื้อกาแฟดำที่ตลาด", "สมชายซื้อรองเท้าที่ตลาด", "นภาลืมนาฬิกาไว้ที่วัด"],
      ["Chinese", "自行车", "小明买了旧自行车", "小明买了红色雨伞", "李娜在银行"],
      ["Korean", "도서관은", "민수가 도서관에서 기다렸다", "민수가 병원에서 기다렸다", "지영이 은행에 갔다"],
      ["Arabic", "المكتبات", "اشترى كتابا في المَكْتَبَة", "اشترى تفاحا في السوق", "نسي محفظته"],
      ["Finnish", "polkupyörien", "Matti myi polkupyörän", "Matti myi sateenvarjon", "Aino etsii kelloa"],
      [
        "full-width Latin",
        "invoices",
        "Ｔｈｅ　ｉｎｖｏｉｃｅ　ｉｓ　ｐａｉｄ",
        "Ｔｈｅ　ｄｏｏｒ",
        "Ｒａｉｎ",
      ],
    ])("%s words are found in other forms", async (_, asked, right, ...others) => {
      const { index } = await indexOf(...[right, ...others].map((content, at) => ({ seq: at + 1, content })));
      const { hits } = await ask(index, asked);
      expect(hits[0]?.id).toBe("memory-1");
      expect(hits[0]?.lexicalShare).toBeGreaterThan(0);
    });

    test("whom others call by a name is known by it, and nobody else", async () => {
      const said = (seq: number, sessionId: string, source: string, content: string) => ({
        ...{ seq, sessionId, source },
        content,
      });
      const { index } = await indexOf(
        ...[1, 2, 3].flatMap((day) => [
          said(10 * day, `day ${day}`, "Ann", "Hey Kit! Is there any tea?"),
          said(10 * day + 1, `day ${day}`, "Benedict", "Hello, Duchess. There is, on the shelf."),
        ]),
        said(41, "a party", "Ann", "Hi Zed!"),
        said(42, "a party", "Benedict", "Hi Zed!"),
        said(43, "a party", "Carl", "Thanks, Zed!"),
      );
      const speakers = (hits: Awaited<ReturnType<typeof ask>>) => {
        const sources = new Map(hits.set.candidates.map(({ id, speaker }) => [id, speaker]));
        return new Set(
          hits.hits.filter(({ signals }) => (signals.speaker ?? 0) > 0).map(({ id }) => sources.get(id)),
        );
      };
      expect(speakers(await ask(index, "what did Kit say?"))).toEqual(new Set(["Benedict"]));
      expect(speakers(await ask(index, "what did Duchess say?"))).toEqual(new Set(["Ann"]));
      expect(speakers(await ask(index, "what did Zed say?"))).toEqual(new Set());
      expect(speakers(await ask(index, "what did kit say?"))).toEqual(new Set());
    });

    test("what has no word of the table is no less relevant for lack of a vector with a direction", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "สมชายซื้อกาแฟดำที่ตลาด" },
        { seq: 2, content: "นภาลืมนาฬิกาไว้ที่วัด" },
      );
      const { set, hits } = await ask(index, "กาแฟดำ");
      expect(set.coverage.get("owner")).toBe(1);
      expect(set.candidates.map(({ sentenceCosine }) => sentenceCosine)).toEqual([null, null]);
      expect(hits[0]?.score).toBeGreaterThan(0.5);
      expect(hits[1]?.score).toBeLessThan(0.1);
    });

    test("what has an identifier is before what has one like it, however long and old it is", async () => {
      const prose = "The office by the harbour keeps its blue ladders in a shed. ".repeat(200);
      const { index } = await indexOf(
        { seq: 1, content: `${prose}Ticket INC-55314 was closed. ${prose}` },
        { seq: 2, content: "Ticket INC-55315 was closed." },
        { seq: 3, content: "Ticket inc-55314 was closed." },
        { seq: 4, content: "What happened with ticket INC-553140?" },
        { seq: 5, content: "See INC-55314/closed for the ticket." },
        { seq: 6, content: "What happened with the ticket INC 55 314?" },
      );
      const { hits } = await ask(index, "What happened with ticket INC-55314?");
      expect(ids(hits).slice(0, 3)).toEqual(["memory-1", "memory-5", "memory-3"]);
      const [first, , , ...alike] = hits.map(({ score }) => score);
      expect(first).toBeGreaterThan(0.7);
      for (const score of alike) expect(score).toBeLessThan(0.5);
    });

    test("a symbol of code is found by its words", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "sendInvoiceReminder() is called too early." },
        { seq: 2, content: "resetCounter() is called too late." },
      );
      const { hits } = await ask(index, "Why is the reminder for an invoice early?");
      expect(hits[0]?.id).toBe("memory-1");
      expect(hits[0]?.lexicalShare).toBeGreaterThan(0.4);
    });

    test("what has all words of a quoted phrase is before what has some of them", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "The green ladder leans on the wall, and the cat has a mat." },
        { seq: 2, content: "A red ladder, a red door, a red wall." },
        { seq: 3, content: "Ladders, ladders, red ladders." },
      );
      const { hits } = await ask(index, 'Where does it say "green ladder leans"?');
      expect(hits[0]?.id).toBe("memory-1");
      expect(hits[0]?.signals.exact).toBeGreaterThan(0);
      expect(hits[1]?.signals.exact).toBe(0);
    });

    test("an answer is found by the question before it in the session", async () => {
      const { index } = await indexOf(
        { seq: 1, sessionId: "s", source: "Ann", content: "Ann: Where did you buy the telescope?" },
        { seq: 2, sessionId: "s", source: "Ben", content: "Ben: At the flea market." },
        { seq: 3, sessionId: "t", source: "Ben", content: "Ben: Ordered pizza." },
        { seq: 4, sessionId: "u", source: "Ann", content: "Ann: My bicycle is red." },
      );
      expect((await ask(index, "Where did Ben buy the telescope?")).hits[0]?.id).toBe("memory-2");
    });

    test("a change is found by the request after it", async () => {
      const { feed, index } = await indexOf({ seq: 1, content: "The code word is walnut." });
      expect((await ask(index, "walnut")).hits[0]?.lexicalShare).toBeGreaterThan(0);
      feed.put(indexDocument({ seq: 1, revision: 2, content: "The code word is zyxqv." }));
      expect((await ask(index, "zyxqv", {}, ["lexical"])).hits).toHaveLength(1);
      expect((await ask(index, "walnut", {}, ["lexical"])).hits).toHaveLength(0);
      feed.push("owner", { kind: "remove", id: "memory-1", revision: 3 });
      expect((await ask(index, "zyxqv")).hits).toEqual([]);
    });

    test("a caller's vector finds its memory, and says neither what is the same nor, where others recall it, how relevant it is", async () => {
      const { vectors } = indexDocument({ seq: 0, content: "a physician" });
      const { index } = await indexOf(
        { seq: 1, content: "Numbat", vectors },
        { seq: 2, content: "Quokka", vectors, hasCallersVector: true },
        { seq: 3, content: "Bilby", vectors, hasCallersVector: true, scope: "team", teamId: "owner" },
        { seq: 4, content: "Dunnart", vectors, hasCallersVector: true, isAdopted: true },
        { seq: 5, content: "Wombat", vectors, scope: "team", teamId: "owner" },
      );
      const { set } = await ask(index, "doctor");
      expect(
        set.candidates.map(({ seq, ...one }) => [
          seq,
          one.cosine !== null,
          one.sentenceCosine !== null,
          one.vector !== null,
          one.isAdopted,
        ]),
      ).toEqual([
        [1, true, true, true, false],
        [2, true, true, false, false],
        [3, false, false, false, false],
        [4, false, false, false, true],
        [5, true, true, true, false],
      ]);
      expect(set.coverage.get("owner")).toBe(1);
      // Each is proposed by its vector, since no word of the question is in it.
      expect(ids((await ask(index, "doctor", {}, ["dense"])).hits)).toHaveLength(5);
    });

    test("an older revision never comes back", async () => {
      const { feed, index } = await indexOf({ seq: 1, revision: 5, content: "tea" });
      feed.put(indexDocument({ seq: 1, revision: 4, content: "coffee" }));
      expect((await ask(index, "coffee", {}, ["lexical"])).hits).toEqual([]);
      feed.push("owner", { kind: "remove", id: "memory-1", revision: 6 });
      await ask(index, "tea");
      feed.put(indexDocument({ seq: 1, revision: 5, content: "tea" }));
      expect((await ask(index, "tea")).hits).toEqual([]);
    });

    test("owners that are asked together are ranked together, others are not there", async () => {
      const { index } = await indexOf(
        { seq: 1, ownerId: "a", content: "Tea at four." },
        { seq: 2, ownerId: "b", content: "Tea and biscuits." },
        { seq: 3, ownerId: "c", content: "Tea." },
      );
      const { hits, set } = await ask(index, "tea", { owners: ["a", "b"] });
      expect(ids(hits).sort()).toEqual(["memory-1", "memory-2"]);
      expect(set.statistics.memoryCount).toBe(2);
      expect(set.statistics.documentFrequency).toEqual([2]);
      expect([...set.coverage.keys()].sort()).toEqual(["a", "b"]);
    });

    test("a memory leaves the scope at the moment it expires", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "Tea.", expiresAt: 100 },
        { seq: 2, content: "More tea." },
      );
      expect((await ask(index, "tea", { now: 99 })).hits).toHaveLength(2);
      expect(ids((await ask(index, "tea", { now: 100 })).hits)).toEqual(["memory-2"]);
      expect(ids((await ask(index, "tea", { now: 100, status: "expired" })).hits)).toEqual(["memory-1"]);
      expect((await ask(index, "tea", { now: 99 })).hits).toHaveLength(2);
    });

    test("a superseded memory enters the scope at the moment it is live again, with what it counts for", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "Tea.", status: "superseded", supersededUntil: 100, supersededStatus: "started" },
        { seq: 2, content: "More tea.", expiresAt: 100 },
        { seq: 3, content: "Old tea.", status: "superseded" },
        {
          seq: 4,
          content: "Gone tea.",
          status: "soft_deleted",
          supersededUntil: 1,
          supersededStatus: "active",
        },
      );
      const asked = async (now: number, status = "active") => {
        const { hits, set } = await ask(index, "tea", { now, status });
        return { ids: ids(hits).sort(), counted: set.statistics.documentFrequency[0] };
      };
      const [first, second] = [
        { ids: ["memory-1"], counted: 1 },
        { ids: ["memory-2"], counted: 1 },
      ];
      expect(await asked(99)).toEqual(second);
      expect(await asked(100)).toEqual(first);
      expect(await asked(99)).toEqual(second);
      expect(await asked(100, "started")).toEqual(first);
      expect(await asked(99, "started")).toEqual({ ids: [], counted: 0 });
      expect((await asked(99, "superseded")).ids).toEqual(["memory-1", "memory-3"]);
      expect((await asked(100, "super%")).ids).toEqual(["memory-3"]);
      expect((await asked(100, "%")).ids).toEqual(["memory-1", "memory-2", "memory-3"]);
    });

    test("a memory that is live again expires in its turn", async () => {
      const { index } = await indexOf({
        ...{ seq: 1, content: "Tea.", status: "superseded" },
        ...{ supersededUntil: 100, supersededStatus: "active", expiresAt: 200 },
      });
      const statuses = ["active", "superseded", "expired"];
      const found = async (now: number) => {
        const asked = statuses.map(async (status) => (await ask(index, "tea", { now, status })).hits.length);
        return (await Promise.all(asked)).join("");
      };
      expect([await found(99), await found(100), await found(199), await found(200)]).toEqual([
        ...["010", "100", "100", "001"],
      ]);
    });

    test("without items, todos and decisions of projects are neither found nor counted", async () => {
      const { index } = await indexOf(
        { seq: 1, memoryType: "todo", isItem: true, content: "Buy tea." },
        { seq: 2, memoryType: "decision", isItem: true, content: "We drink tea." },
        { seq: 3, memoryType: "observation", content: "Tea at four." },
        { seq: 4, memoryType: "decision", content: "A memory of the same type: tea and biscuits." },
      );
      const { hits, set } = await ask(index, "tea", { withoutItems: true });
      expect(ids(hits).sort()).toEqual(["memory-3", "memory-4"]);
      expect(set.statistics.memoryCount).toBe(2);
      expect(ids((await ask(index, "tea")).hits)).toHaveLength(4);
    });

    test("what was stored at an instant or later is not among what was stored before it", async () => {
      const { index } = await indexOf(
        { seq: 1, createdAt: 99, content: "Tea." },
        { seq: 2, createdAt: 100, content: "More tea." },
      );
      const { hits, set } = await ask(index, "tea", { createdBefore: 100 });
      expect(ids(hits)).toEqual(["memory-1"]);
      expect(set.statistics.memoryCount).toBe(1);
    });

    test("a session's own working memories are found, however many stronger ones other sessions have", async () => {
      const note = { memoryType: "working", content: "Tea, tea and more tea." };
      const { index } = await indexOf(
        { seq: 1, memoryType: "working", sessionId: "s", content: "The kettle is on, some tea later." },
        { seq: 2, memoryType: "working", sessionId: "s", projectId: "p", content: "Tea in the project." },
        { seq: 3, memoryType: "working", sessionId: null, content: "Nobody's tea." },
        { seq: 4, sessionId: "t", content: "A fact about tea, said elsewhere." },
        // Names that end alike, and one that would be a pattern.
        ...["x/s", "ss", ".", "s+"].map((sessionId, at) => ({ ...note, seq: 5 + at, sessionId })),
        ...Array.from({ length: 450 }, (_, at) => ({ ...note, seq: 10 + at, sessionId: "t" })),
      );
      const { hits, set } = await ask(index, "tea", { session: "s" });
      expect(ids(hits).sort()).toEqual(["memory-1", "memory-2", "memory-3", "memory-4"]);
      expect(set.statistics.memoryCount).toBe(4);
      const odd = (await ask(index, "tea", { session: "s+" })).hits;
      expect(ids(odd).sort()).toEqual(["memory-3", "memory-4", "memory-8"]);
      expect((await ask(index, "tea", { session: null })).set.statistics.memoryCount).toBe(458);
    });

    test("memories without a fitting vector are found by words, and count against coverage", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "Tea.", vectors: null },
        { seq: 2, content: "Tea too.", vectors: { bytes: new Uint8Array(4 + 8).fill(1), count: 1 } },
        { seq: 3, content: "Coffee." },
        { seq: 4, content: "Water." },
      );
      const { hits, set } = await ask(index, "tea");
      expect(ids(hits).slice(0, 2).sort()).toEqual(["memory-1", "memory-2"]);
      expect(set.coverage.get("owner")).toBe(0.5);
      expect((await ask(index, "tea", {}, ["lexical"])).set.coverage.get("owner")).toBe(1);
      expect(ids((await ask(index, "tea", {}, ["dense"])).hits).sort()).toEqual(["memory-3", "memory-4"]);
    });

    test("without the query's vector the words still answer, and coverage says what is missing", async () => {
      const { index } = await indexOf({ seq: 1, content: "Tea." });
      const query = analyseQuery("tea", lexicon);
      const set = await index.candidates({
        query,
        embedding: null,
        retrievers: ["lexical", "dense"],
        ...recallScope(),
      });
      expect(ids(set.candidates)).toEqual(["memory-1"]);
      expect(set.coverage.get("owner")).toBe(0);
    });

    test("keywords and the path's words are found without being text", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "Seven o'clock.", keywords: "alarm.morning", path: "home/bedroom" },
        { seq: 2, content: "Nine o'clock.", path: "office" },
      );
      expect(ids((await ask(index, "alarm", {}, ["lexical"])).hits)).toEqual(["memory-1"]);
      expect(ids((await ask(index, "bedroom", {}, ["lexical"])).hits)).toEqual(["memory-1"]);
    });

    test("each retriever can be asked alone, in its own order", async () => {
      const { index } = await indexOf(
        { seq: 1, content: "tea coffee rain" },
        { seq: 2, content: "tea" },
        { seq: 3, content: "rain" },
      );
      const lexical = await ask(index, "tea", {}, ["lexical"]);
      expect(ids(lexical.hits)).toEqual(["memory-2", "memory-1"]);
      expect(Object.keys(lexical.hits[0]?.signals ?? {})).toEqual(["lexical"]);
      const dense = await ask(index, "tea", {}, ["dense"]);
      expect(dense.hits[0]?.id).toBe("memory-2");
      expect(Object.keys(dense.hits[0]?.signals ?? {})).toEqual(["dense"]);
    });
  });
}
