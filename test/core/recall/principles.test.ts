/**
 * Principles that hold for the ranker over random stores: priors break ties, narrowing never hides, a broad question gets
 * an overview, and a signal without ground is silent.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { staticEmbedding } from "../../../src/adapters/embedding/builtin.ts";
import { NOISE_MAX } from "../../../src/core/recall/left-out-of-pack.ts";
import type { IndexDocument } from "../../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import { type RankedHit, rank } from "../../../src/recall/ranking/rank.ts";
import { runs, SEED } from "../../support/random.ts";
import { indexDocument, lexicon, MemoryFeed } from "../../support/recall-fixtures.ts";
import { recallScope, type ScopeMembers } from "../../support/recall-scope.ts";

const WORDS =
  "kettle harbour violin ledger orchard lantern compass meadow anchor pepper saddle marble thimble cradle magnet tunnel".split(
    " ",
  );
const word = fc.constantFrom(...WORDS);
const SETTINGS = { seed: SEED, numRuns: runs(400) };

/** The fields of a memory that a property is about. */
type Note = Partial<IndexDocument> & { readonly content: string };

/** An index of these memories, stored in this order. */
function storeOf(notes: readonly Note[]) {
  const feed = new MemoryFeed();
  feed.put(...notes.map((note, at) => indexDocument({ ...note, seq: at + 1 })));
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  return async (text: string, scope: ScopeMembers = {}, hasVectors = true): Promise<RankedHit[]> => {
    const query = analyseQuery(text, lexicon);
    const set = await index.candidates({
      query,
      embedding: hasVectors ? staticEmbedding(query, lexicon) : null,
      retrievers: ["lexical", "dense"],
      ...recallScope(scope),
    });
    return rank(query, set);
  };
}

const seqOf = ({ seq }: RankedHit) => seq - 1;

/** A memory with none of the words of `subject`, but with everything that priors favour. */
const favoured = (subject: readonly string[]) =>
  fc.record({
    content: fc
      .array(word, { minLength: 3, maxLength: 8 })
      .map((words) => `The ${words.filter((one) => !subject.includes(one)).join(" and the ")} it is.`),
    sessionId: fc.constantFrom(null, "s1", "s2"),
    source: fc.constantFrom(null, "Alice", "Bob"),
  });

test("priors break ties: a memory with every word of a question comes before all that have none, whatever favours these", async () => {
  const subject = WORDS.slice(0, 3);
  await fc.assert(
    fc.asyncProperty(
      fc.array(favoured(subject), { minLength: 1, maxLength: 12 }),
      fc.nat(12),
      fc.constantFrom(".", "?"),
      fc.boolean(),
      fc.constantFrom(null, "s1"),
      async (others, place, end, isAsked, sessionId) => {
        const evidence: Note = { content: `The ${subject.join(" and the ")} are upstairs${end}`, sessionId };
        // What follows a question that has the words is often its answer: the strongest prior.
        const question: Note = { content: `Where is the ${subject[0]}?`, sessionId: "s1" };
        const notes = [...others.slice(0, place), evidence, ...others.slice(place)];
        const ask = storeOf(isAsked ? [question, ...notes] : notes);
        const hits = await ask(`Where are the ${subject.join(", the ")}?`);
        const withWords = new Set(
          notes.flatMap((note, at) => (note === evidence ? [at + Number(isAsked)] : [])),
        );
        const first = hits.map(seqOf).find((seq) => !isAsked || seq > 0);
        expect(withWords.has(first as number)).toBe(true);
      },
    ),
    SETTINGS,
  );
});

test("narrowing never hides: by its words a memory is equally relevant in every scope that holds its session", async () => {
  const note = fc.record({
    content: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
    projectId: fc.constantFrom("project-1", "project-2"),
    session: fc.constantFrom(null, "s1", "s2"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(note, { minLength: 1, maxLength: 25 }),
      fc.array(word, { minLength: 1, maxLength: 5 }),
      async (notes, asked) => {
        const ask = storeOf(
          notes.map(({ session, ...rest }) => ({
            ...rest,
            sessionId: session === null ? null : `${session} of ${rest.projectId}`,
          })),
        );
        const query = `What about the ${asked.join(" and the ")}?`;
        const wide = new Map((await ask(query, {}, false)).map((hit) => [hit.id, hit.score]));
        for (const projectId of ["project-1", "project-2"])
          for (const { id, score } of await ask(query, { projectId }, false))
            expect(score).toBeCloseTo(wide.get(id) as number, 9);
      },
    ),
    SETTINGS,
  );
});

const SUBJECTS = ["payment service", "house", "school", "car", "garden", "Marta", "John", "search cluster"];
const BROAD = [
  "Tell me about the SUBJECT.",
  "What do we know about the SUBJECT?",
  "Summarise the SUBJECT for a new colleague.",
  "Give me an overview of the SUBJECT.",
  "What is going on with the SUBJECT?",
  "Who worked on the SUBJECT?",
];

test("a broad question about what all memories share finds enough that is no noise, however common its name", async () => {
  const notes = fc.array(fc.tuple(word, word), { minLength: 3, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SUBJECTS),
      fc.constantFrom(...BROAD),
      notes,
      async (subject, form, pairs) => {
        const ask = storeOf(
          pairs.map(([one, other]) => ({ content: `The ${one} of the ${subject} is near the ${other}.` })),
        );
        const hits = await ask(form.replace("SUBJECT", subject));
        expect(hits.filter(({ score }) => score >= NOISE_MAX).length).toBeGreaterThanOrEqual(3);
      },
    ),
    SETTINGS,
  );
});

/** Each signal with a store and a question that give it no ground, though they give it to others. */
const GROUNDLESS: Readonly<Record<string, (note: Note, at: number) => Note>> = {
  // A single session tells its memories apart no more than none does.
  session: (note) => ({ ...note, sessionId: "only" }),
  speaker: (note) => ({ ...note, source: "Alice" }),
  dense: (note) => ({ ...note, vectors: null }),
  multilingual: (note) => ({ ...note, multilingual: null, language: "en" }),
  translation: (note) => ({ ...note, language: "en" }),
  question: (note) => ({ ...note, content: note.content.replaceAll("?", ".") }),
  answer: (note, at) => ({ ...note, sessionId: `s${at}` }),
  superseded: (note) => ({ ...note, vectors: null }),
  update: (note) => ({ ...note, vectors: null }),
};

/** Questions that ask for no time, date, speaker, or anything as it is written, and are no messages. */
const question = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => `Is the ${words.join(" or the ")} here?`);
const anyNote = fc.record({
  content: fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom(".", "?"))
    .map(([words, end]) => `Alice has the ${words.join(" and the ")} since March 2023${end}`),
  sessionId: fc.constantFrom(null, "s1", "s2"),
  source: fc.constantFrom(null, "Alice", "Bob"),
});
const anyStore = fc.array(anyNote, { minLength: 2, maxLength: 20 });

test.each(Object.entries(GROUNDLESS))("without ground, the signal %s is silent", async (signal, without) => {
  await fc.assert(
    fc.asyncProperty(anyStore, question, async (notes, text) => {
      // A speaker is named, which says nothing where everybody is that speaker.
      const asked = signal === "speaker" ? `${text} Alice?` : text;
      for (const { signals } of await storeOf(notes.map(without))(asked))
        expect(Math.abs(signals[signal] as number)).toBe(0);
    }),
    { ...SETTINGS, numRuns: runs(150) },
  );
});

test.each(["recency", "date", "time", "exact", "named", "speaker"])(
  "the signal %s is silent if the question does not ask for it",
  async (signal) => {
    await fc.assert(
      fc.asyncProperty(anyStore, question, async (notes, text) => {
        for (const { signals } of await storeOf(notes)(text))
          expect(Math.abs(signals[signal] as number)).toBe(0);
      }),
      { ...SETTINGS, numRuns: runs(150) },
    );
  },
);
