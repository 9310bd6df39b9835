import type { IndexChange, IndexDocument } from "../../core/recall/index-document.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import { readMemoryText } from "../../core/recall/memory-text.ts";
import { vectorSteps } from "../../core/recall/vector-bytes.ts";
import { Postings, SLOTS_MAX } from "./postings.ts";
import { Slots } from "./slots.ts";
import { VectorColumn } from "./vector-column.ts";

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
  slots = new Slots();
  postings = new Postings();
  vectors = new Map<number, VectorColumn>();
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
    let bytes = this.slots.bytes + this.postings.bytes + this.#removed.size * REMOVED_BYTES;
    for (const column of this.vectors.values()) bytes += column.bytes;
    return bytes;
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
    if (held !== undefined && document.revision <= (this.slots.revision[held] as number)) return;
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
      if (revision < (this.slots.revision[held] as number)) return;
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
    if (this.slots.count >= SLOTS_MAX)
      throw new RangeError("An owner's index holds 16 million slots at most.");
    const text = readMemoryText(document.content, document.source);
    const pieces = this.#lexicon.pieces(text.bare);
    const vector = document.vector === null ? null : vectorSteps(document.vector);
    const row = vector === null ? -1 : this.#column(vector.length).add(vector);
    const slot = this.slots.add(document, text, pieces.length, vector?.length ?? -1, row);
    for (const [piece, frequency] of this.#frequencies(pieces, text.prefix, document)) {
      this.postings.add(piece, slot, frequency);
    }
    this.#slotOf.set(document.id, slot);
  }

  /** A slot out of use names nobody and has no vector. Its pieces, which nobody can reach, stay until the sweep. */
  #erase(slot: number): void {
    this.slots.isCurrent[slot] = 0;
    this.slots.ids[slot] = "";
    this.vectors.get(this.slots.vectorDimension[slot] as number)?.erase(this.slots.vectorRow[slot] as number);
  }

  /**
   * Term frequencies of a memory. Its keywords and path count once each. The speaker's name in front counts as
   * had but not as said (frequency 0): a name in every line is common, and is no match by itself.
   */
  #frequencies(
    pieces: readonly number[],
    prefix: string | null,
    document: IndexDocument,
  ): Map<number, number> {
    const frequencies = new Map<number, number>();
    for (const piece of pieces) frequencies.set(piece, (frequencies.get(piece) ?? 0) + 1);
    for (const piece of this.#lexicon.pieces(`${document.keywords} ${document.path}`)) {
      if (this.#lexicon.isContent(piece) && !frequencies.has(piece)) frequencies.set(piece, 1);
    }
    for (const piece of prefix === null ? [] : this.#lexicon.pieces(prefix)) {
      if (!frequencies.has(piece)) frequencies.set(piece, 0);
    }
    return frequencies;
  }

  #column(dimension: number): VectorColumn {
    let column = this.vectors.get(dimension);
    if (column === undefined) {
      column = new VectorColumn(dimension);
      this.vectors.set(dimension, column);
    }
    return column;
  }

  /** Rebuilds everything without the replaced slots. Views handed out before keep the old columns. */
  #sweep(): void {
    const old = this.slots;
    const replaced = old.count - this.#slotOf.size;
    if (replaced < SWEEP_MIN || replaced < this.#slotOf.size) return;
    const oldVectors = this.vectors;
    const slotOf = new Int32Array(old.count).fill(-1);
    this.slots = new Slots();
    this.vectors = new Map();
    for (const [id, slot] of this.#slotOf) {
      slotOf[slot] = this.slots.count;
      this.#slotOf.set(id, this.slots.count);
      const dimension = old.vectorDimension[slot] as number;
      const steps = oldVectors.get(dimension)?.steps(old.vectorRow[slot] as number);
      this.slots.copy(old, slot, steps === undefined ? -1 : this.#column(dimension).add(steps));
    }
    this.postings.remap(slotOf);
    this.version++;
  }
}
