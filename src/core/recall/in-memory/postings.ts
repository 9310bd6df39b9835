import { grown } from "./growable.ts";

/** The memories that have a piece: slots and term frequencies, packed as `slot · 256 + frequency`. */
export interface Posting {
  entries: Uint32Array;
  count: number;
}

export const FREQUENCY_BITS = 8;
export const FREQUENCY_MAX = 255;
/** So many slots fit beside the frequency. */
export const SLOTS_MAX = 2 ** (32 - FREQUENCY_BITS);

/** Measured on V8: a map entry, the record, and an array's header. */
const POSTING_BYTES = 170;

/** From word piece to the slots that have it. Slots of replaced memories stay; a copy by `remapped` is without them. */
export class Postings {
  bytes = 0;
  readonly #byPiece = new Map<number, Posting>();

  get(piece: number): Posting | undefined {
    return this.#byPiece.get(piece);
  }

  add(piece: number, slot: number, frequency: number): void {
    let posting = this.#byPiece.get(piece);
    if (posting === undefined) {
      posting = { entries: new Uint32Array(2), count: 0 };
      this.#byPiece.set(piece, posting);
      this.bytes += POSTING_BYTES + posting.entries.byteLength;
    }
    const before = posting.entries.byteLength;
    posting.entries = grown(posting.entries, posting.count + 1);
    this.bytes += posting.entries.byteLength - before;
    posting.entries[posting.count++] = slot * (FREQUENCY_MAX + 1) + Math.min(frequency, FREQUENCY_MAX);
  }

  /** A copy with every slot renamed; those that `slotOf` maps to −1 are dropped. */
  remapped(slotOf: Int32Array): Postings {
    const copy = new Postings();
    for (const [piece, { entries, count }] of this.#byPiece) {
      for (let at = 0; at < count; at++) {
        const entry = entries[at] as number;
        const slot = slotOf[entry >>> FREQUENCY_BITS] as number;
        if (slot >= 0) copy.add(piece, slot, entry & FREQUENCY_MAX);
      }
    }
    return copy;
  }
}
