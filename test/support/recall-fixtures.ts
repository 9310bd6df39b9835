import fc from "fast-check";
import { loadLexicon, staticEmbedding } from "../../src/adapters/embedding/builtin.ts";
import type {
  IndexChange,
  IndexDocument,
  IndexFeed,
  IndexOutline,
} from "../../src/recall/index/index-document.ts";
import type { MultilingualQuery } from "../../src/recall/index/multilingual.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { Candidate, CandidateSet, RecallIndex, Retriever } from "../../src/recall/index/recall-index.ts";
import { encodeVectors, type StoredVectors } from "../../src/recall/index/vector-bytes.ts";
import { passageTexts } from "../../src/recall/language/passages.ts";
import { type RankedHit, rank } from "../../src/recall/ranking/rank.ts";
import { recallScope, type ScopeMembers } from "./recall-scope.ts";

export const lexicon = await loadLexicon();

/** A memory with plain values for what a test does not name, and the built-in vectors of its content. */
export function indexDocument(given: Partial<IndexDocument> & { seq: number }): IndexDocument {
  const content = given.content ?? "";
  return {
    id: `memory-${given.seq}`,
    revision: 1,
    ownerId: "owner",
    teamId: null,
    projectId: null,
    path: "notes",
    bucket: "default",
    scope: "private",
    memoryType: "observation",
    isItem: false,
    status: "active",
    supersededUntil: null,
    supersededStatus: null,
    sessionId: null,
    source: null,
    content,
    keywords: "",
    occurredAt: 1_700_000_000_000,
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    vectors: encodeVectors(passageTexts(content).map((passage) => lexicon.embed(passage))),
    hasCallersVector: false,
    multilingual: null,
    language: null,
    isAdopted: false,
    ...given,
  };
}

/** Vectors in place of an encoder's, other than the built-in ones of the same text. */
export function multilingualVectors(content: string): StoredVectors {
  return encodeVectors(passageTexts(content).map((passage) => lexicon.embed(`tea ${passage}`)));
}

/** A query in that language, with vectors like those of `multilingualVectors`. */
export function multilingualQuery(text: string, language: string | null): MultilingualQuery {
  const { sentences } = analyseQuery(text, lexicon);
  const embed = (one: string) => lexicon.embed(`tea ${one}`);
  return { language, vectors: async () => ({ whole: embed(text), sentences: sentences.map(embed) }) };
}

/** A feed that reports what was pushed, by owner, and counts its readings. */
export class MemoryFeed implements IndexFeed {
  readings: (string | null)[] = [];
  /** Awaited before each reading. */
  gate: () => Promise<void> = async () => undefined;
  #changes = new Map<string, IndexChange[]>();

  push(ownerId: string, ...changes: IndexChange[]): void {
    this.#changes.set(ownerId, [...(this.#changes.get(ownerId) ?? []), ...changes]);
  }

  put(...documents: IndexDocument[]): void {
    for (const document of documents) this.push(document.ownerId, { kind: "put", document });
  }

  async outline(ownerId: string): Promise<IndexOutline> {
    return { memories: this.#changes.get(ownerId)?.length ?? 0, words: 0, vectorBytes: 0 };
  }

  async read(
    ownerId: string,
    cursor: string | null,
    onBatch: (changes: IndexChange[]) => void | Promise<void>,
  ): Promise<string> {
    this.readings.push(cursor);
    const changes = [...(this.#changes.get(ownerId) ?? [])];
    await this.gate();
    for (let from = Number(cursor ?? 0); from < changes.length; from += 7) {
      await onBatch(changes.slice(from, from + 7));
    }
    return String(changes.length);
  }
}

/** With its vector read, so that two of them can be compared. */
export type Compared<T extends Pick<RankedHit, "vector">> = Omit<T, "vector"> & {
  readonly vector: Int8Array | null;
};

export function compared<T extends Pick<RankedHit, "vector">>(found: readonly T[]): Compared<T>[] {
  return found.map(({ vector, ...rest }) => ({ ...rest, vector: vector() }));
}

export interface Answer {
  readonly set: Omit<CandidateSet, "candidates"> & { readonly candidates: readonly Compared<Candidate>[] };
  readonly hits: readonly Compared<RankedHit>[];
}

/** Asks an index and ranks, as a recall does. */
export async function ask(
  index: RecallIndex,
  text: string,
  scope: ScopeMembers = {},
  retrievers: readonly Retriever[] = ["lexical", "dense"],
): Promise<Answer> {
  const query = analyseQuery(text, lexicon);
  const embedding = staticEmbedding(query, lexicon);
  const set = await index.candidates({ query, embedding, retrievers, ...recallScope(scope) });
  return { set: { ...set, candidates: compared(set.candidates) }, hits: compared(rank(query, set)) };
}

const WORDS =
  "alice bob tea coffee bakery database migration tokyo march 2023 yesterday deploy doctor physician walk running rain 🎉 zyxqv".split(
    " ",
  );

/** Short texts from few words, so that they have words in common. */
export const someText = fc
  .array(fc.constantFrom(...WORDS, "?", "."), { maxLength: 8 })
  .map((words) => words.join(" "));

/** The same, of several passages. */
const someLongText = fc
  .tuple(someText, someText, fc.constantFrom(45, 130))
  .map(([first, last, times]) => `${first} ${"Then walking to the bakery with Bob. ".repeat(times)}${last}`);

/** Memories over few values of each field, so that filters and sessions meet. `seq` and id are given. */
export function someDocument(seq: number, revision = 1): fc.Arbitrary<IndexDocument> {
  return fc
    .record({
      content: fc.oneof({ weight: 9, arbitrary: someText }, { weight: 1, arbitrary: someLongText }),
      path: fc.constantFrom("a", "a/b", "ab", "a%b", "x_y", `${"a".repeat(500)}_b`),
      bucket: fc.constantFrom("default", "knowledge", "other"),
      memoryType: fc.constantFrom("observation", "knowledge", "todo", "working", "working"),
      status: fc.constantFrom("active", "started", "completed", "archived", "superseded", "soft_deleted"),
      supersededUntil: fc.option(fc.integer({ min: 0, max: 20 })),
      supersededStatus: fc.constantFrom("active", "started"),
      isItem: fc.boolean(),
      scope: fc.constantFrom("private", "team"),
      teamId: fc.constantFrom(null, "team-1"),
      projectId: fc.constantFrom(null, "project-1", "project-2"),
      sessionId: fc.constantFrom(null, "s1", "s2"),
      source: fc.constantFrom(null, "Alice", "Bob", "user"),
      keywords: fc.constantFrom("", "coffee", "tokyo/trip"),
      createdAt: fc.integer({ min: 0, max: 20 }),
      expiresAt: fc.option(fc.integer({ min: 0, max: 20 })),
      embedded: fc.boolean(),
      hasCallersVector: fc.boolean(),
      isAdopted: fc.boolean(),
      isMultilingual: fc.boolean(),
      language: fc.constantFrom(null, "en", "nl"),
    })
    .map(({ embedded, isMultilingual, ...fields }) => {
      const supersededStatus = fields.supersededUntil === null ? null : fields.supersededStatus;
      const document = indexDocument({
        ...{ seq, revision, occurredAt: fields.createdAt },
        ...{ ...fields, supersededStatus },
        multilingual: isMultilingual ? multilingualVectors(fields.content) : null,
      });
      return embedded ? document : { ...document, vectors: null, hasCallersVector: false };
    });
}
