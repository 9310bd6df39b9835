import type { IndexDocument } from "../../core/recall/index-document.ts";
import type { MemoryText } from "../../core/recall/memory-text.ts";
import { Dictionary } from "./dictionary.ts";
import { grown } from "./growable.ts";

export const IS_QUESTION = 1;
export const ASKS = 2;
export const MENTIONS_TIME = 4;

/** The columns beside `id`: 4 doubles, 12 integers, 2 flags. The id: text, map entry, array entry. */
const SLOT_BYTES = 4 * 8 + 12 * 4 + 2 + 140;

const CODED = ["team", "project", "path", "bucket", "scope", "type", "status", "speaker"] as const;
export type CodedColumn = (typeof CODED)[number];

/** What is kept of each memory but its words: one column per field. A slot is a place in every column. */
export class Slots {
  count = 0;
  readonly ids: string[] = [];
  seq = new Float64Array(0);
  revision = new Float64Array(0);
  occurredAt = new Float64Array(0);
  createdAt = new Float64Array(0);
  /** Infinity when it never expires. */
  expiresAt = new Float64Array(0);
  /** In word pieces; at least 1. */
  length = new Int32Array(0);
  flags = new Uint8Array(0);
  /** 1 while it is the present state of its memory. */
  isCurrent = new Uint8Array(0);
  /** The session's number, −1 for none. */
  session = new Int32Array(0);
  /** The dimension of its vector and the row in the column of that dimension; −1 for none. */
  vectorDimension = new Int32Array(0);
  vectorRow = new Int32Array(0);
  /** Dictionary codes, −1 for null. */
  readonly codes: Record<CodedColumn, Int32Array> = perColumn(() => new Int32Array(0));
  readonly dictionaries: Record<CodedColumn, Dictionary> = perColumn(() => new Dictionary());
  readonly sessions = new Dictionary();

  /** Appends a memory and returns its slot. */
  add(
    document: IndexDocument,
    text: MemoryText,
    length: number,
    vectorDimension: number,
    vectorRow: number,
  ): number {
    const slot = this.count++;
    this.#grow(this.count);
    this.ids[slot] = document.id;
    this.seq[slot] = document.seq;
    this.revision[slot] = document.revision;
    this.occurredAt[slot] = document.occurredAt;
    this.createdAt[slot] = document.createdAt;
    this.expiresAt[slot] = document.expiresAt ?? Infinity;
    this.length[slot] = Math.max(1, length);
    this.flags[slot] =
      (text.isQuestion ? IS_QUESTION : 0) | (text.asks ? ASKS : 0) | (text.mentionsTime ? MENTIONS_TIME : 0);
    this.isCurrent[slot] = 1;
    this.session[slot] = this.sessions.encode(sessionKey(document));
    this.vectorDimension[slot] = vectorDimension;
    this.vectorRow[slot] = vectorRow;
    for (const column of CODED)
      this.codes[column][slot] = this.dictionaries[column].encode(codedValue(document, column));
    return slot;
  }

  /** Copies a slot of another set of columns to the end of this one, with its vector at a new row. */
  copy(from: Slots, slot: number, vectorRow: number): void {
    const to = this.count++;
    this.#grow(this.count);
    this.ids[to] = from.ids[slot] as string;
    for (const column of [
      "seq",
      "revision",
      "occurredAt",
      "createdAt",
      "expiresAt",
      "length",
      "flags",
      "vectorDimension",
    ] as const) {
      this[column][to] = from[column][slot] as number;
    }
    this.isCurrent[to] = 1;
    this.session[to] = this.sessions.encode(from.sessions.decode(from.session[slot] as number));
    this.vectorRow[to] = vectorRow;
    for (const column of CODED) {
      const value = from.dictionaries[column].decode(from.codes[column][slot] as number);
      this.codes[column][to] = this.dictionaries[column].encode(value);
    }
  }

  #grow(count: number): void {
    if (count <= this.seq.length) return;
    const length = Math.max(16, Math.ceil(this.seq.length * 1.5));
    for (const column of ["seq", "revision", "occurredAt", "createdAt", "expiresAt"] as const)
      this[column] = grown(this[column], length);
    for (const column of ["length", "session", "vectorDimension", "vectorRow"] as const)
      this[column] = grown(this[column], length);
    for (const column of ["flags", "isCurrent"] as const) this[column] = grown(this[column], length);
    for (const column of CODED) this.codes[column] = grown(this.codes[column], length);
  }

  get bytes(): number {
    return this.seq.length * SLOT_BYTES;
  }
}

/** A session is one project's: two projects may give their sessions the same names. */
function sessionKey({ projectId, sessionId }: IndexDocument): string | null {
  return sessionId === null
    ? null
    : `${projectId === null ? "" : `${projectId.length}:${projectId}`}/${sessionId}`;
}

function codedValue(document: IndexDocument, column: CodedColumn): string | null {
  switch (column) {
    case "team":
      return document.teamId;
    case "project":
      return document.projectId;
    case "type":
      return document.memoryType;
    case "speaker":
      return document.source;
    default:
      return document[column];
  }
}

function perColumn<T>(make: () => T): Record<CodedColumn, T> {
  return Object.fromEntries(CODED.map((column) => [column, make()])) as Record<CodedColumn, T>;
}
