import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import type { Candidate, CandidateSet } from "../../../src/recall/index/recall-index.ts";
import { type RankedHit, rank, relevance } from "../../../src/recall/ranking/rank.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

function candidate(seq: number, given: Partial<Candidate> = {}): Candidate {
  return {
    id: `memory-${seq}`,
    ownerId: "owner",
    seq,
    passage: null,
    sessionKey: null,
    own: Float32Array.of(0),
    ofMemory: given.own ?? Float32Array.of(0),
    context: Float32Array.of(0),
    session: Float32Array.of(0),
    length: 10,
    contextLength: 10,
    sessionLength: 10,
    previous: null,
    cosine: null,
    sentenceCosine: null,
    multilingualCosine: null,
    language: null,
    vector: () => null,
    speaker: null,
    occurredAt: Date.UTC(2023, 4, 7),
    newerCount: 1000,
    isQuestion: false,
    mentionsTime: false,
    isAdopted: false,
    ...given,
  };
}

function candidateSet(
  candidates: readonly Candidate[],
  given: Partial<CandidateSet["statistics"]> = {},
): CandidateSet {
  return {
    engine: "embedded",
    degraded: [],
    retrievers: ["lexical", "dense"],
    queryLanguage: null,
    statistics: {
      memoryCount: 1000,
      documentFrequency: [3],
      meanLength: 10,
      meanContextLength: 10,
      sessionCount: 100,
      sessionDocumentFrequency: [3],
      meanSessionLength: 10,
      speakers: ["Ann Lee", "Ben", "Jean-Paul Marat", "user"],
      aliases: new Map([["Kit", "Ben"]]),
      ...given,
    },
    candidates,
    coverage: new Map(),
    unavailable: [],
  };
}

/** The signal of a feature for the first of two candidates that differ in `given` only, less the second's. */
function difference(query: string, name: string, given: Partial<Candidate>): number {
  const hits = rank(analyseQuery(query, lexicon), candidateSet([candidate(1, given), candidate(2)]));
  const signal = (id: string) => hits.find((hit) => hit.id === id)?.signals[name] as number;
  return signal("memory-1") - signal("memory-2");
}

test.each([
  ["lexical", "tea", { context: Float32Array.of(2) }, 0.5],
  ["session", "tea", { session: Float32Array.of(2) }, 0.25],
  ["speaker", "What did Ann drink?", { speaker: "Ann Lee" }, 0.5],
  ["speaker", "What did Anna drink?", { speaker: "Ann Lee" }, 0],
  ["speaker", "What did the user drink?", { speaker: "user" }, 0],
  ["speaker", "Was it Jean-Paul's tea?", { speaker: "Jean-Paul Marat" }, 0.5],
  ["speaker", "Was it Jean's or Paul's tea?", { speaker: "Jean-Paul Marat" }, 0],
  ["speaker", "Was it X_Jean-Paul's tea?", { speaker: "Jean-Paul Marat" }, 0],
  ["speaker", "What did Kit drink?", { speaker: "Ben" }, 0.5],
  ["speaker", "What did Kit drink?", { speaker: "Ann Lee" }, 0],
  ["date", "Tea in June?", { occurredAt: Date.UTC(2023, 5, 7) }, 0.5],
  ["date", "Tea on 7 June 2023?", { occurredAt: Date.UTC(2023, 5, 7) }, 1],
  ["date", "Tea in 2022?", { occurredAt: Date.UTC(2022, 5, 7) }, 0.15],
  ["date", "may I have tea in 2022?", { occurredAt: Date.UTC(2024, 4, 7) }, 0],
  ["recency", "tea?", { newerCount: 0 }, 0],
  ["recency", "I like tea. Bring me some.", { newerCount: 0 }, 0.5],
  ["time", "When was the tea?", { mentionsTime: true }, 0.25],
  ["time", "Which tea was it?", { mentionsTime: true }, 0],
  ["question", "tea?", { isQuestion: true }, -0.25],
  ["question", "tea?", { isQuestion: true, length: 80 }, -0.125],
  ["answer", "tea", { previous: { asks: true, own: Float32Array.of(2), length: 10 } }, 0.25],
  ["answer", "tea", { previous: { asks: false, own: Float32Array.of(2), length: 10 } }, 0],
] as const)("%s in %j counts", (name, query, given, expected) => {
  const found = difference(query, name, given);
  if (name === "lexical") expect(found).toBeGreaterThan(expected);
  else expect(found).toBeCloseTo(expected, 3);
});

const LONG = { length: 300, contextLength: 300 };
/** What only context, position, form and age bring. */
const PRIORS = {
  session: Float32Array.of(2),
  previous: { asks: true, own: Float32Array.of(2), length: 10 },
  isQuestion: true,
  newerCount: 0,
};

test("of long memories, and for a query in another script, only their own words and vectors decide", () => {
  const [own, other] = [Float32Array.of(1), Float32Array.of(0)];
  const ranked = (query: string, given: Partial<Candidate>) =>
    rank(
      analyseQuery(query, lexicon),
      candidateSet([
        candidate(1, { ...given, own, context: own }),
        candidate(2, { ...given, ...PRIORS, own: other, context: Float32Array.of(5) }),
      ]),
    );
  for (const hits of [ranked("I like tea. Bring me some.", LONG), ranked("茶", {})]) {
    expect(hits[0]?.id).toBe("memory-1");
    expect(hits[1]?.signals).toMatchObject({ lexical: 0, session: 0, answer: 0, question: -0, recency: 0 });
  }
});

test("from short to long memories the signals change step by step, and one document among notes changes little", () => {
  const signals = (lengths: readonly number[]) => {
    const hits = rank(
      analyseQuery("I like tea. Bring me some.", lexicon),
      candidateSet(lengths.map((length, seq) => candidate(seq, { ...PRIORS, length }))),
    );
    return hits.find(({ id }) => id === "memory-0")?.signals.recency as number;
  };
  const byLength = [10, 80, 95, 110, 125, 140, 400].map((length) => signals([length, length]));
  expect(byLength[0]).toBe(byLength[1]);
  for (let at = 2; at < 6; at++) expect(byLength[at]).toBeLessThan(byLength[at - 1] as number);
  expect(byLength.slice(5)).toEqual([0, 0]);
  expect(signals([...Array(40).fill(20), 400])).toBe(byLength[0]);
  expect(signals([10, 400])).toBe(byLength[0]);
});

test("however many speakers a scope has, the query is not gone through for each of them", () => {
  const speakers = Array.from({ length: 500 }, (_, n) => `aa-aa ${n}`);
  const query = analyseQuery("aa-aaa ".repeat(1100), lexicon);
  const set = candidateSet(
    speakers.slice(0, 20).map((speaker, seq) => candidate(seq, { speaker })),
    { speakers },
  );
  const lookups = vi.spyOn(String.prototype, "indexOf");
  try {
    expect(rank(query, set).every(({ signals }) => signals.speaker === 0)).toBe(true);
    expect(lookups.mock.calls.length).toBeLessThan(2000);
  } finally {
    lookups.mockRestore();
  }
});

test("a near-duplicate supersedes the earlier one that matches no better", () => {
  const steps = Int8Array.from({ length: 256 }, (_, at) => at - 128);
  const vector = () => steps;
  const own = Float32Array.of(1);
  const pair = [candidate(1, { vector, own, context: own }), candidate(2, { vector, own, context: own })];
  const hits = rank(analyseQuery("tea", lexicon), candidateSet(pair));
  expect(hits.map(({ id }) => id)).toEqual(["memory-2", "memory-1"]);
  expect(hits[1]?.signals.superseded).toBeCloseTo(-0.5, 5);
  expect(hits[0]?.signals.update).toBeCloseTo(0.25, 5);
  const worse = rank(
    analyseQuery("tea", lexicon),
    candidateSet([pair[0] as Candidate, candidate(2, { vector, own: Float32Array.of(0.1) })]),
  );
  expect(worse.find(({ id }) => id === "memory-1")?.signals.superseded).toBe(0);
});

test("of one text on several days none gives way to another if the query names a day", () => {
  const steps = Int8Array.from({ length: 256 }, (_, at) => at - 128);
  const days = [1, 2, 3].map((seq) => candidate(seq, { vector: () => steps, own: Float32Array.of(1) }));
  for (const { signals } of rank(analyseQuery("tea on 5 January 2024", lexicon), candidateSet(days)))
    expect(signals).toMatchObject({ superseded: 0, update: 0 });
});

test("of any number of texts written alike, the newest alone gains on what is none of them", () => {
  const [same, different] = [
    Int8Array.from({ length: 256 }, (_, at) => at - 128),
    Int8Array.from({ length: 256 }, (_, at) => (at % 2) * 100),
  ];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 40 }), (count, at) => {
      const stored = Array.from({ length: count + 1 }, (_, seq) => seq);
      const other = Math.min(at, count);
      const candidates = stored.map((seq) =>
        candidate(seq, { vector: () => (seq === other ? different : same) }),
      );
      const gain = rank(analyseQuery("tea", lexicon), candidateSet(candidates)).filter(
        ({ signals }) => (signals.update ?? 0) > 0,
      );
      const newest = other === count ? count - 1 : count;
      expect(gain.map(({ seq }) => seq)).toEqual(count > 1 ? [newest] : []);
    }),
  );
});

test.each([
  [
    { earlier: false, later: true },
    { superseded: 0, update: 0 },
  ],
  [
    { earlier: true, later: false },
    { superseded: -0.5, update: 0.25 },
  ],
  [
    { earlier: true, later: true },
    { superseded: -0.5, update: 0.25 },
  ],
])(
  "of near-duplicates of which %j were adopted, what was adopted never repeats what was not",
  (isAdopted, expected) => {
    const steps = Int8Array.from({ length: 256 }, (_, at) => at - 128);
    const same = { vector: () => steps, own: Float32Array.of(1) };
    const hits = rank(
      analyseQuery("tea", lexicon),
      candidateSet([
        candidate(1, { ...same, isAdopted: isAdopted.earlier }),
        candidate(2, { ...same, isAdopted: isAdopted.later }),
      ]),
    );
    const signals = (id: string) => hits.find((hit) => hit.id === id)?.signals;
    expect(signals("memory-1")?.superseded).toBeCloseTo(expected.superseded, 5);
    expect(signals("memory-2")?.update).toBeCloseTo(expected.update, 5);
  },
);

test("equals come in order of storing", () => {
  const hits = rank(analyseQuery("tea", lexicon), candidateSet([1, 2, 3].map((seq) => candidate(seq))));
  expect(hits.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("the score does not depend on the other candidates", () => {
  const query = analyseQuery("tea", lexicon);
  const one = candidate(1, { context: Float32Array.of(1), sentenceCosine: 0.4 });
  const better = candidate(2, { context: Float32Array.of(9), sentenceCosine: 0.9 });
  const alone = rank(query, candidateSet([one]))[0]?.score;
  expect(rank(query, candidateSet([one, better])).find(({ id }) => id === "memory-1")?.score).toBe(alone);
});

test("relevance rises with the words matched, with the cosine and with how little of it may be chance", () => {
  const relevant = (lexicalShare: number, cosine: number | null, evidence = 9) =>
    relevance({ lexicalShare, cosine, evidence });
  expect(relevant(0.5, 0.5)).toBeGreaterThan(relevant(0.4, 0.5));
  expect(relevant(0.5, 0.5)).toBeGreaterThan(relevant(0.5, 0.4));
  expect(relevant(0.5, null)).toBeGreaterThan(relevant(0.4, null));
  expect(relevant(0.1, 0.2, 2)).toBeGreaterThan(relevant(0.1, 0.2, 1));
  expect(relevant(0.1, 0.2, 1)).toBeLessThan(0.02);
  expect(relevant(0.5, null, 20)).toBe(relevant(0.5, null, 9));
});

/** What every word of a query, once, is of a perfect match. */
const ONCE = 1 / 1.6;

/** How much of a query each of some texts matches that are all there is in scope, of what one with all its words does. */
function matchedBy(query: string, texts: readonly string[]): number[] {
  const analysis = analyseQuery(query, lexicon);
  const counts = texts.map((text) => {
    const held = new Set(lexicon.terms(text).terms.map(({ piece }) => piece));
    return Float32Array.from(analysis.terms, ({ piece }) => Number(held.has(piece)));
  });
  const hits = rank(
    analysis,
    candidateSet(
      counts.map((own, seq) => candidate(seq, { own, context: own, session: own })),
      {
        memoryCount: texts.length,
        documentFrequency: analysis.terms.map((_, k) => counts.filter((of) => (of[k] as number) > 0).length),
      },
    ),
  );
  const share = (seq: number) => hits.find(({ id }) => id === `memory-${seq}`)?.lexicalShare as number;
  return texts.map((_, seq) => share(seq) / ONCE);
}

test.each([
  ["библиотеками", "библиотеке", "библейской", "больнице"],
  ["πανεπιστημίου", "πανεπιστήμιο", "πανικού", "νοσοκομείο"],
  ["विश्वविद्यालयों", "विश्वविद्यालय", "विश्राम", "अस्पताल"],
  ["대학교의", "대학교에서", "대전에서", "병원에서"],
])("of %s, another form counts, and a word with the same beginning for little", (asked, ...forms) => {
  const [form, beginning, none] = matchedBy(asked, forms) as [number, number, number];
  expect(form).toBeGreaterThan(0.4);
  expect(beginning).toBeLessThan(form / 3);
  expect(none).toBeLessThan(0.05);
  expect(matchedBy(asked, [asked])[0]).toBeCloseTo(1);
});

test("parts of a word that no memory has weigh nothing where its pieces are compared", () => {
  const texts = ["The kubernetes cluster was moved.", "Ann drinks tea.", "Ben drinks coffee."];
  // A query of foreign words has parts, which an English memory does not have.
  expect(lexicon.terms("kubernetes").terms.length).toBeGreaterThan(lexicon.pieces("kubernetes").length);
  expect(matchedBy("kubernetes", texts)[0]).toBeCloseTo(1);
});

/** Memories in another language than the query's, with these multilingual cosines, and others in the query's own. */
function acrossLanguages(
  cosines: readonly (number | null)[],
  given: Partial<Candidate> = {},
  own: readonly number[] = [],
) {
  const candidates = [
    ...cosines.map((multilingualCosine, seq) =>
      candidate(seq, { language: "nl", multilingualCosine, ...given }),
    ),
    ...own.map((multilingualCosine, at) =>
      candidate(cosines.length + at, { language: "en", multilingualCosine }),
    ),
  ];
  const hits = rank(analyseQuery("tea", lexicon), { ...candidateSet(candidates), queryLanguage: "en" });
  return cosines.map((_, seq) => hits.find(({ id }) => id === `memory-${seq}`) as RankedHit);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosines = fc.array(fc.double({ min: -0.2, max: 0.6, noNaN: true }), { minLength: 1, maxLength: 60 });

test("across languages, what is nearest answers with the more probability the further it is above the others", () => {
  fc.assert(
    fc.property(cosines, fc.double({ min: 0.2, max: 0.9, noNaN: true }), (others, cosine) => {
      const [nearest] = acrossLanguages([cosine, ...others]);
      const [nearer] = acrossLanguages([cosine + 0.05, ...others]);
      expect(nearer?.signals.translation).toBeGreaterThanOrEqual(nearest?.signals.translation as number);
      expect(nearer?.score).toBeGreaterThanOrEqual(nearest?.score as number);
    }),
  );
});

test("memories that are added make no other more probable as an answer in another language", () => {
  fc.assert(
    fc.property(cosines, cosines, cosines, (before, added, own) => {
      const few = acrossLanguages(before);
      for (const many of [acrossLanguages([...before, ...added]), acrossLanguages(before, {}, own)])
        for (const [at, { translated, signals }] of few.entries()) {
          expect(many[at]?.translated).toBeLessThanOrEqual(translated + 1e-12);
          expect(many[at]?.signals.translation).toBeLessThanOrEqual((signals.translation as number) + 1e-12);
        }
    }),
  );
});

test("memories in other languages that share no word with the query leave those in its own in their order", () => {
  const own = fc.record({ count: share, cosine: share, multilingualCosine: share });
  fc.assert(
    fc.property(fc.array(own, { minLength: 2, maxLength: 12 }), fc.array(share), (memories, foreign) => {
      const owns = memories.map(({ count, cosine, multilingualCosine }, seq) => {
        const counts = Float32Array.of(count);
        const cosines = { cosine, sentenceCosine: cosine, multilingualCosine };
        return candidate(seq, { language: "en", own: counts, context: counts, ...cosines });
      });
      // Not nearer than the nearest, nor further than the furthest: signals are scaled between these.
      const nearness = memories.map(({ multilingualCosine }) => multilingualCosine);
      const [least, most] = [Math.min(...nearness), Math.max(...nearness)];
      const cosine = Math.min(...memories.map((memory) => memory.cosine));
      const others = foreign.map((at, index) => {
        const cosines = { cosine, sentenceCosine: cosine, multilingualCosine: least + at * (most - least) };
        return candidate(owns.length + index, { language: "nl", ...cosines });
      });
      const orderOf = (candidates: readonly Candidate[]) =>
        rank(analyseQuery("tea", lexicon), { ...candidateSet(candidates), queryLanguage: "en" })
          .map(({ seq }) => seq)
          .filter((seq) => seq < owns.length);
      expect(orderOf([...owns, ...others])).toEqual(orderOf(owns));
    }),
  );
});

test("the nearest of many memories that have nothing to do with a query in another language scores nothing by it", () => {
  // As the cosines of unrelated texts are spread: the best stand close together.
  const unrelated = Array.from({ length: 400 }, (_, at) => 0.12 + 0.24 * (at / 400) ** 3);
  for (const { translated } of acrossLanguages(unrelated)) expect(translated).toBe(0);
  expect(acrossLanguages([0.7, ...unrelated])[0]?.translated).toBeGreaterThan(0.9);
});

test.each([
  ["in the query's language", { language: "en" }],
  ["in a language that is not clear", { language: null }],
])("a memory %s is no translation", (_, given) => {
  const [hit] = acrossLanguages([0.9, 0.1], given);
  expect(hit).toMatchObject({ translated: 0, signals: { translation: 0 } });
});

/** Signals of a Swedish memory that has the query's word so often, and of an English one that is nearer by far. */
function signalsOf(queryLanguage: string | null, count: number) {
  const candidates = [
    candidate(0, { language: "sv", multilingualCosine: 0.1, context: Float32Array.of(count) }),
    candidate(1, { language: "en", multilingualCosine: 0.8 }),
  ];
  return rank(analyseQuery("tea", lexicon), { ...candidateSet(candidates), queryLanguage })
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ signals }) => signals);
}

test("in a language that the multilingual encoder does not read, words decide if some memory has half of them", () => {
  for (const { multilingual } of signalsOf("sv", 9)) expect(multilingual).toBe(0);
  expect(signalsOf("sv", 9)[1]?.translation).toBe(0);
  // Without words, what it shares with other languages is all there is.
  expect(signalsOf("sv", 0)[1]?.translation).toBeGreaterThan(1);
  expect(signalsOf("de", 9)[1]?.multilingual).toBeGreaterThan(0);
  expect(signalsOf("de", 9)[1]?.translation).toBeGreaterThan(1);
});

test("a question too short to have a clear language is compared with other languages as an English one", () => {
  const [hit] = rank(analyseQuery("tea", lexicon), {
    ...candidateSet([candidate(0, { language: "nl", multilingualCosine: 0.8 })]),
    queryLanguage: null,
  });
  expect(hit?.signals.translation).toBeGreaterThan(1);
  expect(hit?.translated).toBeGreaterThan(0.9);
});

test("a memory whose multilingual vector is not made yet is neither ahead of others nor behind", () => {
  fc.assert(
    fc.property(cosines, (made) => {
      const hits = acrossLanguages([null, ...made], { language: "en" });
      const [missing, ...known] = hits.map((hit) => hit.signals.multilingual as number);
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      expect(missing).toBeCloseTo(mean, 9);
    }),
  );
});

test("what matches best by its words comes first, whether or not its multilingual vector is made yet", () => {
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 1, maxLength: 30 }),
      fc.constantFrom("en", "th"),
      (made, language) => {
        const counts = (count: number) => ({ own: Float32Array.of(count), context: Float32Array.of(count) });
        const candidates = [
          candidate(0, { language: null, ...counts(9) }),
          ...made.map((multilingualCosine, at) =>
            candidate(at + 1, { language, multilingualCosine, ...counts(1) }),
          ),
        ];
        const query = analyseQuery("tea", lexicon);
        expect(rank(query, { ...candidateSet(candidates), queryLanguage: language })[0]?.seq).toBe(0);
      },
    ),
  );
});
