import type { DocumentWords } from "../../core/recall/document-words.ts";
import type { IndexDocument } from "../../core/recall/index-document.ts";
import { sessionKey } from "../../core/recall/session-key.ts";

/**
 * What the ranker needs to know of a memory, packed: a search fetches a thousand of them. The order of the fields is
 * that of `packRecord`; a text is its length in bytes and its UTF-8, one that is missing differs from an empty one.
 *
 * Whole numbers are varints: seven bits a byte, the lowest first. Pieces are in rising order, each as the distance
 * from the one before and how often it occurs.
 */
export interface PackedRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** See `session-key.ts`. */
  readonly session: string | null;
  readonly source: string | null;
  readonly occurredAt: number;
  readonly words: DocumentWords;
}

const IS_QUESTION = 1;
const ASKS = 2;
const MENTIONS_TIME = 4;

/** Packs a memory. */
export function packRecord(document: IndexDocument, words: DocumentWords): Uint8Array {
  const writer = new Writer();
  writer.text(document.id);
  writer.text(document.ownerId);
  writer.number(document.seq);
  writer.text(sessionKey(document));
  writer.text(document.source);
  writer.float(document.occurredAt);
  writer.number(
    (words.isQuestion ? IS_QUESTION : 0) | (words.asks ? ASKS : 0) | (words.mentionsTime ? MENTIONS_TIME : 0),
  );
  writer.number(words.length);
  let last = 0;
  for (const [piece, count] of [...words.frequencies].sort(([a], [b]) => a - b)) {
    writer.number(piece - last);
    writer.number(count);
    last = piece;
  }
  return writer.bytes();
}

/** Unpacks a memory with those of its pieces that are `wanted`. */
export function unpackRecord(bytes: Uint8Array, wanted: (piece: number) => boolean): PackedRecord {
  const reader = new Reader(bytes);
  const [id, ownerId] = [reader.text() ?? "", reader.text() ?? ""];
  const seq = reader.number();
  const [session, source] = [reader.text(), reader.text()];
  const occurredAt = reader.float();
  const flags = reader.number();
  const length = reader.number();
  const frequencies = new Map<number, number>();
  let piece = 0;
  while (!reader.isAtEnd) {
    piece += reader.number();
    const count = reader.number();
    if (wanted(piece)) frequencies.set(piece, count);
  }
  return {
    id,
    ownerId,
    seq,
    session,
    source,
    occurredAt,
    words: {
      length,
      frequencies,
      isQuestion: (flags & IS_QUESTION) !== 0,
      asks: (flags & ASKS) !== 0,
      mentionsTime: (flags & MENTIONS_TIME) !== 0,
    },
  };
}

class Writer {
  #bytes: number[] = [];

  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) | 128);
    this.#bytes.push(rest);
  }

  float(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    this.#bytes.push(...bytes);
  }

  /** One more than the length goes in front, so that a missing text differs from an empty one. */
  text(value: string | null): void {
    const bytes = value === null ? null : new TextEncoder().encode(value);
    this.number(bytes === null ? 0 : bytes.length + 1);
    if (bytes === null) return;
    this.#bytes.push(...bytes);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

const decoder = new TextDecoder();

class Reader {
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  float(): number {
    const { buffer, byteOffset } = this.#bytes;
    const value = new DataView(buffer, byteOffset + this.#at, 8).getFloat64(0);
    this.#at += 8;
    return value;
  }

  text(): string | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    const value = decoder.decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return value;
  }
}
