import type { DocumentWords } from "../../core/recall/document-words.ts";
import { MemorySet } from "../../core/recall/in-memory/memory-set.ts";
import { bySeq } from "../../core/recall/in-memory/scope-filter.ts";
import type { Selection } from "../../core/recall/in-memory/scope-view.ts";
import { sessionKey } from "../../core/recall/session-key.ts";
import { vectorSteps } from "../../core/recall/vector-bytes.ts";
import { unpackRecord } from "./packed-record.ts";
import type { Hit } from "./search-all.ts";
import type { TailMemory } from "./tail-reader.ts";

/** A session of an owner. */
export interface OwnSession {
  readonly ownerId: string;
  readonly session: string;
}

/** The memories of one request that were proposed, each once, and those of the tail. */
export class Pool {
  readonly #owners: ReadonlyMap<string, MemorySet>;
  readonly #wanted: ReadonlySet<number>;
  readonly #ids = new Set<string>();
  /** By memory, for those that are in one. */
  readonly sessionOf = new Map<string, OwnSession>();
  /** Names of the sessions of which the engine showed a memory. */
  readonly shown = new Set<string>();

  /** `wanted`: the only pieces that will be counted. */
  constructor(owners: readonly string[], wanted: Iterable<number>) {
    this.#owners = new Map(owners.map((ownerId) => [ownerId, new MemorySet()]));
    this.#wanted = new Set(wanted);
  }

  get ids(): Iterable<string> {
    return this.#ids;
  }

  addTail({ document, words, steps }: TailMemory): void {
    this.#add(document.ownerId, { ...document, session: sessionKey(document) }, words, steps);
  }

  addHit({ fields }: Hit): void {
    const record = bytesOf(fields?.record);
    if (record === null) return;
    const { ownerId, words, ...memory } = unpackRecord(record, (piece) => this.#wanted.has(piece));
    const vector = bytesOf(fields?.vector_bytes);
    if (memory.session !== null) this.shown.add(sessionName({ ownerId, session: memory.session }));
    this.#add(ownerId, memory, words, vector === null ? null : vectorSteps(vector));
  }

  /** The memories by owner, each in order of storing. */
  selections(): Selection[] {
    return [...this.#owners].map(([ownerId, memories]) => {
      const slots = Int32Array.from({ length: memories.slots.count }, (_, slot) => slot);
      return { ownerId, memories, slots: bySeq(slots, memories.slots.seq) };
    });
  }

  #add(
    ownerId: string,
    memory: Parameters<MemorySet["add"]>[0],
    words: DocumentWords,
    steps: Int8Array | null,
  ): void {
    if (this.#ids.has(memory.id)) return;
    this.#ids.add(memory.id);
    this.#owners.get(ownerId)?.add(memory, words, steps);
    if (memory.session !== null) this.sessionOf.set(memory.id, { ownerId, session: memory.session });
  }
}

/** As the engine's field `session` has it. */
export function sessionName({ ownerId, session }: OwnSession): string {
  return `${ownerId}/${session}`;
}

function bytesOf(field: readonly string[] | undefined): Uint8Array | null {
  return field?.[0] === undefined ? null : Buffer.from(field[0], "base64");
}
