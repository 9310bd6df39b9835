import { vectorSteps } from "../../core/embedding/vector-bytes.ts";
import { type DocumentWords, readDocumentWords } from "../../core/recall/document-words.ts";
import { scopeTest } from "../../core/recall/in-memory/scope-filter.ts";
import type { IndexDocument } from "../../core/recall/index-document.ts";
import type { IndexTail, Tail } from "../../core/recall/index-tail.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { RecallScope } from "../../core/recall/recall-index.ts";

/** A larger backlog is an import that is still under way: coverage says so. */
const DOCUMENTS_MAX = 5000;
/** A tail of that length is read again by each request until it is written. */
const WORDS_MAX = 10_000;

/** A memory that the engine does not show yet. */
export interface TailMemory {
  readonly document: IndexDocument;
  readonly words: DocumentWords;
  readonly steps: Int8Array | null;
}

/** What is pending of some owners, and of its memories those in scope. */
export interface Pending extends Pick<Tail, "ids" | "missing"> {
  readonly memories: readonly TailMemory[];
}

/** Reads what the engine does not show yet. */
export class TailReader {
  readonly #tail: IndexTail;
  readonly #lexicon: Lexicon;
  /** Splitting a text takes longer than all else that is done with it. */
  readonly #words = new Map<string, { revision: number; words: DocumentWords }>();

  constructor(tail: IndexTail, lexicon: Lexicon) {
    this.#tail = tail;
    this.#lexicon = lexicon;
  }

  async read(owners: readonly string[], scope: RecallScope, generation: number): Promise<Pending> {
    const { documents, ids, missing } = await this.#tail.read(owners, DOCUMENTS_MAX, generation);
    const isInScope = scopeTest(scope);
    const inScope = documents.filter((document) => owners.includes(document.ownerId) && isInScope(document));
    const memories = inScope.map((document) => ({
      document,
      words: this.#wordsOf(document),
      steps: document.vector === null ? null : vectorSteps(document.vector),
    }));
    return { memories, ids, missing };
  }

  #wordsOf(document: IndexDocument): DocumentWords {
    const held = this.#words.get(document.id);
    if (held?.revision === document.revision) return held.words;
    const words = readDocumentWords(document, this.#lexicon);
    if (this.#words.size >= WORDS_MAX) this.#words.clear();
    this.#words.set(document.id, { revision: document.revision, words });
    return words;
  }
}
