import { setImmediate } from "node:timers/promises";
import { BoundedCache } from "../../core/cache.ts";
import { isShared } from "../../recall/index/callers-vectors.ts";
import { type IndexedPassage, readPassageWords, withVectors } from "../../recall/index/document-passages.ts";
import type { DocumentWords } from "../../recall/index/document-words.ts";
import { MemorySet, type RankedMemory } from "../../recall/index/in-memory/memory-set.ts";
import { bySeq, scopeTest } from "../../recall/index/in-memory/scope-filter.ts";
import type { Selection } from "../../recall/index/in-memory/scope-view.ts";
import {
  type IndexDocument,
  type IndexTail,
  sessionKey,
  type Tail,
} from "../../recall/index/index-document.ts";
import type { RecallScope } from "../../recall/index/scope.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { type PackedRecord, unpackRecord } from "./document.ts";
import type { Hit } from "./searches.ts";

/** Maximum number of pending changes to read. A larger backlog is an import in progress; coverage shows it. */
const DOCUMENTS_MAX = 5000;
/** Size of the cache of texts split into words. Each request reads the tail again until it is written. */
const WORDS_BYTES_MAX = 64 * 1024 * 1024;

/** A memory that the engine does not show yet. */
export interface TailMemory {
  readonly document: IndexDocument;
  readonly passages: readonly IndexedPassage[];
}

/** Pending changes of some owners, and the memories among them that are in scope. */
export interface Pending extends Pick<Tail, "ids" | "missing"> {
  readonly memories: readonly TailMemory[];
}

/** Reads the memories that the engine does not show yet. */
export class TailReader {
  readonly #tail: IndexTail;
  readonly #lexicon: Lexicon;
  /** Cached, because splitting a text takes longer than everything else done with it. */
  readonly #words = new BoundedCache<string, { revision: number; words: readonly DocumentWords[] }>({
    name: "words of the tail",
    bytesMax: WORDS_BYTES_MAX,
    bytesOf: ({ words }) => words.reduce((sum, { frequencies }) => sum + 200 + 40 * frequencies.size, 0),
  });

  constructor(tail: IndexTail, lexicon: Lexicon) {
    this.#tail = tail;
    this.#lexicon = lexicon;
  }

  async read(owners: readonly string[], scope: RecallScope, generation: number): Promise<Pending> {
    const { documents, ids, missing } = await this.#tail.read(owners, DOCUMENTS_MAX, generation);
    const isInScope = scopeTest(scope);
    const inScope = documents.filter((document) => owners.includes(document.ownerId) && isInScope(document));
    const memories: TailMemory[] = [];
    for (const document of inScope) {
      memories.push({ document, passages: withVectors(await this.#wordsOf(document), document) });
    }
    return { memories, ids, missing };
  }

  /** Clears the cached words, so that nothing erased is kept. */
  forgetWords(): void {
    this.#words.clear();
  }

  /** Yields to other work before splitting a text that is not cached: a long one takes tens of milliseconds. */
  async #wordsOf(document: IndexDocument): Promise<readonly DocumentWords[]> {
    const held = this.#words.get(document.id);
    if (held?.revision === document.revision) return held.words;
    await setImmediate();
    const words = readPassageWords(document, this.#lexicon);
    this.#words.set(document.id, { revision: document.revision, words });
    return words;
  }
}

export interface OwnSession {
  readonly ownerId: string;
  readonly session: string;
}

/** The memories proposed for one request and those of the tail, each once. */
export class Pool {
  readonly #owners: ReadonlyMap<string, MemorySet>;
  readonly #wanted: ReadonlySet<number>;
  /** Owner and session, by memory. */
  readonly #members = new Map<string, Pick<PackedRecord, "ownerId" | "session">>();
  readonly #shown: Pick<PackedRecord, "ownerId" | "session">[] = [];
  /**
   * Buffer in which records are decoded one after the other. Allocating and freeing one for each would take longer than
   * filling it.
   */
  #bytes = Buffer.allocUnsafe(4096);

  /** `wanted`: the only pieces that will be counted. */
  constructor(owners: readonly string[], wanted: Iterable<number>) {
    this.#owners = new Map(owners.map((ownerId) => [ownerId, new MemorySet()]));
    this.#wanted = new Set(wanted);
  }

  get ids(): Iterable<string> {
    return this.#members.keys();
  }

  /** The session of a memory; null if it has none. */
  sessionOf(id: string): OwnSession | null {
    const { ownerId, session = null } = this.#members.get(id) ?? {};
    return ownerId === undefined || session === null ? null : { ownerId, session };
  }

  /** Names of the sessions of which the engine showed a memory. */
  shownSessions(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { ownerId, session } of this.#shown)
      if (session !== null) names.add(sessionName({ ownerId, session }));
    return names;
  }

  addTail({ document, passages }: TailMemory): void {
    const memory = { ...document, session: sessionKey(document), isShared: isShared(document) };
    this.#add(memory, passages);
  }

  addHit({ fields }: Hit): void {
    const record = fields?.record?.[0];
    if (record === undefined) return;
    if (record.length > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(2 * record.length);
    const memory = unpackRecord(this.#bytes, this.#bytes.write(record, "base64"), this.#wanted);
    this.#shown.push(memory);
    this.#add(memory, memory.passages);
  }

  /** The memories by owner, each in order of storing. */
  selections(): Selection[] {
    return [...this.#owners].map(([ownerId, memories]) => {
      const slots = Int32Array.from({ length: memories.slots.count }, (_, slot) => slot);
      return { ownerId, memories, slots: bySeq(slots, memories.slots.seq) };
    });
  }

  #add(memory: RankedMemory & Pick<PackedRecord, "ownerId">, passages: readonly IndexedPassage[]): void {
    if (this.#members.has(memory.id)) return;
    this.#members.set(memory.id, memory);
    this.#owners.get(memory.ownerId)?.add(memory, passages);
  }
}

/** Name of a session, as in the engine's field `session`. */
export function sessionName({ ownerId, session }: OwnSession): string {
  return `${ownerId}/${session}`;
}
