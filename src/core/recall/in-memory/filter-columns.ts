import type { IndexDocument } from "../index-document.ts";
import { Dictionary } from "./dictionary.ts";
import { grown } from "./growable.ts";

const CODED = ["team", "project", "path", "bucket", "scope", "type", "status", "supersededStatus"] as const;
const NUMBERS = ["revision", "createdAt", "expiresAt", "supersededUntil"] as const;
export const SUPERSEDED = "superseded";
/** The fields that filters compare with values or patterns. */
export type FilterField = (typeof CODED)[number];

/** Numbers, codes, two flags, and the map entry of the id. */
const SLOT_BYTES = NUMBERS.length * 8 + CODED.length * 4 + 2 + 40;

/** What filters and changes ask of each memory: one column per field, parallel to the slots of a memory set. */
export class FilterColumns {
  count = 0;
  revision = new Float64Array(0);
  createdAt = new Float64Array(0);
  /** Infinity when it never expires. */
  expiresAt = new Float64Array(0);
  /** When it is live again; Infinity when it never is, or was never superseded. */
  supersededUntil = new Float64Array(0);
  /** 1 while it is the present state of its memory. */
  isCurrent = new Uint8Array(0);
  /** 1 for a todo or decision of a project. */
  isItem = new Uint8Array(0);
  /** Dictionary codes, −1 for null. */
  readonly codes: Record<FilterField, Int32Array> = perField(() => new Int32Array(0));
  readonly dictionaries: Record<FilterField, Dictionary> = perField(() => new Dictionary());

  add(document: IndexDocument): void {
    const slot = this.#next();
    this.revision[slot] = document.revision;
    this.createdAt[slot] = document.createdAt;
    this.expiresAt[slot] = document.expiresAt ?? Infinity;
    this.supersededUntil[slot] = liveAgainAt(document);
    this.isItem[slot] = Number(document.isItem);
    for (const field of CODED)
      this.codes[field][slot] = this.dictionaries[field].encode(fieldValue(document, field));
  }

  /** A copy with these slots alone, in this order. */
  with(slots: Iterable<number>): FilterColumns {
    const copy = new FilterColumns();
    for (const slot of slots) {
      const to = copy.#next();
      for (const column of NUMBERS) copy[column][to] = this[column][slot] as number;
      copy.isItem[to] = this.isItem[slot] as number;
      for (const field of CODED) {
        const value = this.dictionaries[field].decode(this.codes[field][slot] as number);
        copy.codes[field][to] = copy.dictionaries[field].encode(value);
      }
    }
    return copy;
  }

  get bytes(): number {
    return this.revision.length * SLOT_BYTES;
  }

  #next(): number {
    const slot = this.count++;
    if (this.count > this.revision.length) this.#grow(Math.max(16, Math.ceil(this.count * 1.5)));
    this.isCurrent[slot] = 1;
    return slot;
  }

  #grow(length: number): void {
    for (const column of NUMBERS) this[column] = grown(this[column], length);
    this.isCurrent = grown(this.isCurrent, length);
    this.isItem = grown(this.isItem, length);
    for (const field of CODED) this.codes[field] = grown(this.codes[field], length);
  }
}

/** When a superseded memory is live again; Infinity for any other. */
export function liveAgainAt({ status, supersededUntil, supersededStatus }: IndexDocument): number {
  return status === SUPERSEDED && supersededStatus !== null ? (supersededUntil ?? Infinity) : Infinity;
}

/** What a filter compares of a memory. */
export function fieldValue(document: IndexDocument, field: FilterField): string | null {
  switch (field) {
    case "team":
      return document.teamId;
    case "project":
      return document.projectId;
    case "type":
      return document.memoryType;
    default:
      return document[field];
  }
}

function perField<T>(make: () => T): Record<FilterField, T> {
  return Object.fromEntries(CODED.map((field) => [field, make()])) as Record<FilterField, T>;
}
