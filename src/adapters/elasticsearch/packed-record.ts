import { vectorSteps } from "../../core/embedding/vector-bytes.ts";
import type { DocumentWords } from "../../core/recall/document-words.ts";
import type { IndexDocument } from "../../core/recall/index-document.ts";
import { sessionKey } from "../../core/recall/session-key.ts";

/**
 * What the ranker needs to know of a memory, packed into one value: a search fetches a thousand of them. The order of the
 * fields is that of `packRecord`; a text is its length in bytes and its UTF-8.
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
  /** The steps of its vector: a view of the bytes, good until they are overwritten. */
  readonly steps: Int8Array | null;
}

const IS_QUESTION = 1;
const ASKS = 2;
const MENTIONS_TIME = 4;
/** Without it there is none: neither in memories that have none, nor in what the first version packed. */
const HAS_VECTOR = 8;

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
    (words.isQuestion ? IS_QUESTION : 0) |
      (words.asks ? ASKS : 0) |
      (words.mentionsTime ? MENTIONS_TIME : 0) |
      (document.vector === null ? 0 : HAS_VECTOR),
  );
  writer.number(words.length);
  if (document.vector !== null) writer.block(document.vector);
  let last = 0;
  for (const [piece, count] of [...words.frequencies].sort(([a], [b]) => a - b)) {
    writer.number(piece - last);
    writer.number(count);
    last = piece;
  }
  return writer.bytes();
}

/** Unpacks the memory in the first `size` bytes, with those of its pieces that are `wanted`. */
export function unpackRecord(bytes: Buffer, size: number, wanted: ReadonlySet<number>): PackedRecord {
  const reader = new Reader(bytes, size);
  const [id, ownerId] = [reader.text() ?? "", reader.text() ?? ""];
  const seq = reader.number();
  const [session, source] = [reader.text(), reader.text()];
  const occurredAt = reader.float();
  const flags = reader.number();
  const length = reader.number();
  const steps = (flags & HAS_VECTOR) === 0 ? null : reader.steps();
  const frequencies = new Map<number, number>();
  let piece = 0;
  while (!reader.isAtEnd) {
    piece += reader.number();
    const count = reader.number();
    if (wanted.has(piece)) frequencies.set(piece, count);
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
    steps,
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

  text(value: string | null): void {
    this.block(value === null ? null : new TextEncoder().encode(value));
  }

  /** One more than the length goes in front, so that a missing one differs from an empty one. */
  block(bytes: Uint8Array | null): void {
    this.number(bytes === null ? 0 : bytes.length + 1);
    for (const byte of bytes ?? []) this.#bytes.push(byte);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

class Reader {
  #bytes: Buffer;
  #size: number;
  #at = 0;

  constructor(bytes: Buffer, size: number) {
    this.#bytes = bytes;
    this.#size = size;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#size;
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
    const value = this.#bytes.readDoubleBE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.toString("utf8", this.#at - length, this.#at);
  }

  steps(): Int8Array | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    this.#at += length;
    return vectorSteps(this.#bytes, this.#at - length, this.#at);
  }
}
