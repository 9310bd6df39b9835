import type { DocumentWords } from "../document-words.ts";
import { Dictionary } from "./dictionary.ts";
import { grown } from "./growable.ts";

export const IS_QUESTION = 1;
export const ASKS = 2;
export const MENTIONS_TIME = 4;

/** What the ranker needs to know of a memory beside its words and its vector. */
export interface RankedMemory {
  readonly id: string;
  readonly seq: number;
  /** See `session-key.ts`. */
  readonly session: string | null;
  readonly source: string | null;
  readonly occurredAt: number;
}

/** 2 doubles, 5 integers, the flags. The id: text, and array entry. */
const SLOT_BYTES = 2 * 8 + 5 * 4 + 1 + 100;

/** What is kept of each memory but its words: one column per field. A slot is a place in every column. */
export class Slots {
  count = 0;
  readonly ids: string[] = [];
  seq = new Float64Array(0);
  occurredAt = new Float64Array(0);
  /** In word pieces; at least 1. */
  length = new Int32Array(0);
  flags = new Uint8Array(0);
  /** Dictionary codes, −1 for none. */
  session = new Int32Array(0);
  speaker = new Int32Array(0);
  readonly sessions = new Dictionary();
  readonly speakers = new Dictionary();
  /** The dimension of its vector and the row in the column of that dimension; −1 for none. */
  vectorDimension = new Int32Array(0);
  vectorRow = new Int32Array(0);

  /** Appends a memory and returns its slot. */
  add(memory: RankedMemory, words: DocumentWords, vectorDimension: number, vectorRow: number): number {
    const slot = this.count++;
    this.#grow(this.count);
    this.ids[slot] = memory.id;
    this.seq[slot] = memory.seq;
    this.occurredAt[slot] = memory.occurredAt;
    this.length[slot] = words.length;
    this.flags[slot] =
      (words.isQuestion ? IS_QUESTION : 0) |
      (words.asks ? ASKS : 0) |
      (words.mentionsTime ? MENTIONS_TIME : 0);
    this.session[slot] = this.sessions.encode(memory.session);
    this.speaker[slot] = this.speakers.encode(memory.source);
    this.vectorDimension[slot] = vectorDimension;
    this.vectorRow[slot] = vectorRow;
    return slot;
  }

  /** Copies a slot of another set of columns to the end of this one, with its vector at a new row. */
  copy(from: Slots, slot: number, vectorRow: number): void {
    const to = this.count++;
    this.#grow(this.count);
    this.ids[to] = from.ids[slot] as string;
    for (const column of ["seq", "occurredAt", "length", "flags", "vectorDimension"] as const) {
      this[column][to] = from[column][slot] as number;
    }
    this.session[to] = this.sessions.encode(from.sessions.decode(from.session[slot] as number));
    this.speaker[to] = this.speakers.encode(from.speakers.decode(from.speaker[slot] as number));
    this.vectorRow[to] = vectorRow;
  }

  #grow(count: number): void {
    if (count <= this.seq.length) return;
    const length = Math.max(16, Math.ceil(this.seq.length * 1.5));
    for (const column of ["seq", "occurredAt"] as const) this[column] = grown(this[column], length);
    for (const column of ["length", "session", "speaker", "vectorDimension", "vectorRow"] as const)
      this[column] = grown(this[column], length);
    this.flags = grown(this.flags, length);
  }

  get bytes(): number {
    return this.seq.length * SLOT_BYTES;
  }
}
