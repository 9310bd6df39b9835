import type { DocumentWords } from "../document-words.ts";
import { Postings } from "./postings.ts";
import { type RankedMemory, Slots } from "./slots.ts";
import { VectorColumn } from "./vector-column.ts";

/**
 * Memories as the ranker needs them: their words, their vectors and what else it reads. All that an index in memory
 * holds of an owner, or what a search engine proposed for one request.
 */
export class MemorySet {
  readonly slots = new Slots();
  readonly postings: Postings;
  /** By dimension. */
  readonly vectors = new Map<number, VectorColumn>();

  constructor(postings = new Postings()) {
    this.postings = postings;
  }

  /** Appends a memory and returns its slot. `steps`: those of its vector. */
  add(memory: RankedMemory, words: DocumentWords, steps: Int8Array | null): number {
    const row = steps === null ? -1 : this.#column(steps.length).add(steps);
    const slot = this.slots.add(memory, words, steps?.length ?? -1, row);
    for (const [piece, frequency] of words.frequencies) this.postings.add(piece, slot, frequency);
    return slot;
  }

  /** A slot out of use names nobody and has no vector. Its pieces, which nobody can reach, stay. */
  erase(slot: number): void {
    this.slots.ids[slot] = "";
    this.vectors.get(this.slots.vectorDimension[slot] as number)?.erase(this.slots.vectorRow[slot] as number);
  }

  /** A copy with these slots alone, in this order. */
  with(slots: Iterable<number>): MemorySet {
    const slotOf = new Int32Array(this.slots.count).fill(-1);
    let count = 0;
    for (const slot of slots) slotOf[slot] = count++;
    const copy = new MemorySet(this.postings.remapped(slotOf));
    for (const slot of slots) {
      const dimension = this.slots.vectorDimension[slot] as number;
      const steps = this.vectors.get(dimension)?.steps(this.slots.vectorRow[slot] as number);
      copy.slots.copy(this.slots, slot, steps === undefined ? -1 : copy.#column(dimension).add(steps));
    }
    return copy;
  }

  /** Estimated use of memory. */
  get bytes(): number {
    let bytes = this.slots.bytes + this.postings.bytes;
    for (const column of this.vectors.values()) bytes += column.bytes;
    return bytes;
  }

  #column(dimension: number): VectorColumn {
    let column = this.vectors.get(dimension);
    if (column === undefined) {
      column = new VectorColumn(dimension);
      this.vectors.set(dimension, column);
    }
    return column;
  }
}
