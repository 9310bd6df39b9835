import { vectorSteps } from "../../embedding/vector-bytes.ts";
import { readDocumentWords } from "../document-words.ts";
import type { IndexChange, IndexDocument } from "../index-document.ts";
import type { Lexicon } from "../lexicon.ts";
import { sessionKey } from "../session-key.ts";
import { FilterColumns } from "./filter-columns.ts";
import { MemorySet } from "./memory-set.ts";
import { SLOTS_MAX } from "./postings.ts";

/** Replaced slots are swept out when there are this many, and more than slots in use. */
const SWEEP_MIN = 1024;
/** Removed ids are remembered, so that a late change cannot raise them; the oldest are forgotten beyond this. */
const REMOVED_MAX = 100_000;
const REMOVED_BYTES = 130;

/**
 * One owner's memories, to be searched by words and by vectors. Changes may be repeated and come in any order:
 * the highest revision of a memory wins. A changed memory takes a new slot and keeps its `seq`.
 */
export class OwnerIndex {
  memories = new MemorySet();
  /** Parallel to the slots of `memories`. */
  filters = new FilterColumns();
  /** Rises whenever the content changes. */
  version = 0;
  #lexicon: Lexicon;
  #slotOf = new Map<string, number>();
  #removed = new Map<string, number>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** How many memories it holds. */
  get size(): number {
    return this.#slotOf.size;
  }

  /** Estimated use of memory. */
  get bytes(): number {
    return this.memories.bytes + this.filters.bytes + this.#removed.size * REMOVED_BYTES;
  }

  apply(changes: readonly IndexChange[]): void {
    for (const change of changes) {
      if (change.kind === "put") this.#put(change.document);
      else this.#remove(change.id, change.revision);
    }
    this.#sweep();
  }

  slotOf(id: string): number | undefined {
    return this.#slotOf.get(id);
  }

  #put(document: IndexDocument): void {
    const held = this.#slotOf.get(document.id);
    if (held !== undefined && document.revision <= (this.filters.revision[held] as number)) return;
    const removedAt = this.#removed.get(document.id);
    if (removedAt !== undefined && document.revision <= removedAt) return;
    this.#removed.delete(document.id);
    if (held !== undefined) this.#erase(held);
    this.#insert(document);
    this.version++;
  }

  #remove(id: string, revision: number): void {
    const held = this.#slotOf.get(id);
    if (held !== undefined) {
      if (revision < (this.filters.revision[held] as number)) return;
      this.#erase(held);
      this.#slotOf.delete(id);
      this.version++;
    }
    const removedAt = Math.max(revision, this.#removed.get(id) ?? revision);
    this.#removed.delete(id);
    this.#removed.set(id, removedAt);
    if (this.#removed.size > REMOVED_MAX) this.#removed.delete(this.#removed.keys().next().value as string);
  }

  #insert(document: IndexDocument): void {
    if (this.memories.slots.count >= SLOTS_MAX)
      throw new RangeError("An owner's index holds 16 million slots at most.");
    const words = readDocumentWords(document, this.#lexicon);
    const steps = document.vector === null ? null : vectorSteps(document.vector);
    const slot = this.memories.add({ ...document, session: sessionKey(document) }, words, steps);
    this.filters.add(document);
    this.#slotOf.set(document.id, slot);
  }

  /** The slot's pieces stay until the sweep. */
  #erase(slot: number): void {
    this.filters.isCurrent[slot] = 0;
    this.memories.erase(slot);
  }

  /** Rebuilds everything without the replaced slots. Views handed out before keep the old memories. */
  #sweep(): void {
    const replaced = this.memories.slots.count - this.#slotOf.size;
    if (replaced < SWEEP_MIN || replaced < this.#slotOf.size) return;
    const slots = [...this.#slotOf.values()];
    this.memories = this.memories.with(slots);
    this.filters = this.filters.with(slots);
    for (const [slot, id] of [...this.#slotOf.keys()].entries()) this.#slotOf.set(id, slot);
    this.version++;
  }
}
