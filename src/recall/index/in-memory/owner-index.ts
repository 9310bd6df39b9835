import type { Lexicon } from "../../language/lexicon.ts";
import { isShared } from "../callers-vectors.ts";
import { readPassages } from "../document-passages.ts";
import { createNameReader, type NameReader } from "../document-words.ts";
import { type IndexChange, type IndexDocument, type IndexOutline, sessionKey } from "../index-document.ts";
import { SLOT_BYTES as COLUMN_BYTES, Dictionary, grown, MemorySet, SLOTS_MAX } from "./memory-set.ts";

/** Replaced slots are swept once there are at least this many, and at least as many as slots in use. */
const SWEEP_MIN = 1024;
/**
 * Removed ids are remembered, so that a late change cannot restore them. Beyond this number the oldest are forgotten.
 */
const REMOVED_MAX = 100_000;
const REMOVED_BYTES = 130;

/**
 * One owner's memories, searchable by words and by vectors. Changes are idempotent and may arrive in any order: the
 * highest revision of a memory wins. A changed memory takes new slots, one per passage, and keeps its `seq`.
 */
export class OwnerIndex {
  memories = new MemorySet();
  /** Parallel to the slots of `memories`. */
  filters = new FilterColumns();
  /** Incremented whenever the content changes. */
  version = 0;
  #lexicon: Lexicon;
  /** The first slot of each memory. */
  #slotOf = new Map<string, number>();
  #slotsInUse = 0;
  #removed = new Map<string, number>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** An index of memories whose texts were read before. All slots are in use. */
  static of(memories: MemorySet, filters: FilterColumns, lexicon: Lexicon): OwnerIndex {
    const index = new OwnerIndex(lexicon);
    const { ids, passage, count } = memories.slots;
    index.memories = memories;
    index.filters = filters;
    index.#slotsInUse = count;
    for (let slot = 0; slot < count; slot++)
      if (passage[slot] === 0) index.#slotOf.set(ids[slot] as string, slot);
    return index;
  }

  /** Number of memories. */
  get size(): number {
    return this.#slotOf.size;
  }

  /** Number of passages. */
  get passageCount(): number {
    return this.#slotsInUse;
  }

  /** Estimated memory use. */
  get bytes(): number {
    return this.memories.bytes + this.filters.bytes + this.#removed.size * REMOVED_BYTES;
  }

  apply(changes: readonly IndexChange[]): void {
    const namesOf = createNameReader(this.#lexicon);
    for (const change of changes) {
      if (change.kind === "put") this.#put(change.document, namesOf);
      else this.#remove(change.id, change.revision);
    }
    this.#sweep();
  }

  /** The slots of a memory, in the order of its passages; none if it is not in the index. */
  *slotsOf(id: string): Iterable<number> {
    const first = this.#slotOf.get(id);
    if (first === undefined) return;
    const end = first + this.memories.slots.passagesFrom(first);
    for (let slot = first; slot < end; slot++) yield slot;
  }

  #put(document: IndexDocument, namesOf: NameReader): void {
    const held = this.#slotOf.get(document.id);
    if (held !== undefined && document.revision <= (this.filters.revision[held] as number)) return;
    const removedAt = this.#removed.get(document.id);
    if (removedAt !== undefined && document.revision <= removedAt) return;
    this.#removed.delete(document.id);
    if (held !== undefined) this.#erase(document.id);
    this.#insert(document, namesOf);
    this.version++;
  }

  #remove(id: string, revision: number): void {
    const held = this.#slotOf.get(id);
    if (held !== undefined) {
      if (revision < (this.filters.revision[held] as number)) return;
      this.#erase(id);
      this.#slotOf.delete(id);
      this.#lexicon.forgetWords();
      this.version++;
    }
    const removedAt = Math.max(revision, this.#removed.get(id) ?? revision);
    this.#removed.delete(id);
    this.#removed.set(id, removedAt);
    if (this.#removed.size > REMOVED_MAX) this.#removed.delete(this.#removed.keys().next().value as string);
  }

  #insert(document: IndexDocument, namesOf: NameReader): void {
    const passages = readPassages(document, this.#lexicon, namesOf);
    if (this.memories.slots.count + passages.length > SLOTS_MAX)
      throw new RangeError("An owner's index holds 16 million slots at most.");
    const memory = { ...document, session: sessionKey(document), isShared: isShared(document) };
    const first = this.memories.add(memory, passages);
    for (const _ of passages) this.filters.add(document);
    this.#slotOf.set(document.id, first);
    this.#slotsInUse += passages.length;
  }

  /** Removes a memory. The pieces of its slots stay until the sweep. */
  #erase(id: string): void {
    for (const slot of this.slotsOf(id)) {
      this.filters.isCurrent[slot] = 0;
      this.memories.erase(slot);
      this.#slotsInUse--;
    }
  }

  /** Rebuilds everything without the replaced slots. Existing views keep the old memories. */
  #sweep(): void {
    const replaced = this.memories.slots.count - this.#slotsInUse;
    if (replaced < SWEEP_MIN || replaced < this.#slotsInUse) return;
    const slots: number[] = [];
    for (const id of this.#slotOf.keys()) {
      const first = slots.length;
      for (const slot of this.slotsOf(id)) slots.push(slot);
      this.#slotOf.set(id, first);
    }
    this.memories = this.memories.with(slots);
    this.filters = this.filters.with(slots);
    this.version++;
  }
}

/** Size of a posting's entry for one memory. */
const ENTRY_BYTES = 4;

/** Lower bound of the index size for such memories: no spare capacity, no vocabulary, one passage each. */
export function leastBytes({ memories, words, vectorBytes }: IndexOutline): number {
  return memories * (COLUMN_BYTES + SLOT_BYTES + vectorBytes + words * ENTRY_BYTES);
}

export const CODED = [
  "team",
  "project",
  "path",
  "bucket",
  "scope",
  "type",
  "status",
  "supersededStatus",
] as const;
export const NUMBERS = ["revision", "createdAt", "expiresAt", "supersededUntil"] as const;
export const SUPERSEDED = "superseded";
/** Fields that filters compare with values or patterns. */
export type FilterField = (typeof CODED)[number];

/** Numbers, codes, two flags, and the map entry of the id. */
const SLOT_BYTES = NUMBERS.length * 8 + CODED.length * 4 + 2 + 40;

/** Fields of each memory for filters and changes, one column per field, parallel to the slots of a memory set. */
export class FilterColumns {
  count = 0;
  revision = new Float64Array(0);
  createdAt = new Float64Array(0);
  /** Infinity if it never expires. */
  expiresAt = new Float64Array(0);
  /** When it is live again. Infinity if never, or if it was never superseded. */
  supersededUntil = new Float64Array(0);
  /** 1 while the slot holds the current state of its memory. */
  isCurrent = new Uint8Array(0);
  /** 1 for a todo or decision of a project. */
  isItem = new Uint8Array(0);
  /** Dictionary codes, −1 for null. */
  codes: Record<FilterField, Int32Array> = perField(() => new Int32Array(0));
  /** Whether any slot has ever held null. A value test that all other values pass is still needed then. */
  holdsNull: Record<FilterField, boolean> = perField(() => false);
  dictionaries: Record<FilterField, Dictionary> = perField(() => new Dictionary());

  add(document: IndexDocument): void {
    const slot = this.#next();
    this.revision[slot] = document.revision;
    this.createdAt[slot] = document.createdAt;
    this.expiresAt[slot] = document.expiresAt ?? Infinity;
    this.supersededUntil[slot] = liveAgainAt(document);
    this.isItem[slot] = Number(document.isItem);
    for (const field of CODED) this.#set(field, slot, fieldValue(document, field));
  }

  /** A copy with only these slots, in this order. */
  with(slots: Iterable<number>): FilterColumns {
    const copy = new FilterColumns();
    for (const slot of slots) {
      const to = copy.#next();
      for (const column of NUMBERS) copy[column][to] = this[column][slot] as number;
      copy.isItem[to] = this.isItem[slot] as number;
      for (const field of CODED) {
        copy.#set(field, to, this.dictionaries[field].decode(this.codes[field][slot] as number));
      }
    }
    return copy;
  }

  #set(field: FilterField, slot: number, value: string | null): void {
    this.codes[field][slot] = this.dictionaries[field].encode(value);
    if (value === null) this.holdsNull[field] = true;
  }

  get bytes(): number {
    const ofDictionaries = CODED.reduce((sum, field) => sum + this.dictionaries[field].bytes, 0);
    return this.revision.length * SLOT_BYTES + ofDictionaries;
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

/** The value of a memory that a filter compares. */
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

export function perField<T>(make: (field: FilterField) => T): Record<FilterField, T> {
  return Object.fromEntries(CODED.map((field) => [field, make(field)])) as Record<FilterField, T>;
}
