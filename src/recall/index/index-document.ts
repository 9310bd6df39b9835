import type { StoredVectors } from "./vector-bytes.ts";

/** The data a recall index keeps of one memory. Derived from the record and rebuildable from it. */
export interface IndexDocument {
  /** Internal UUID of the memory. */
  readonly id: string;
  /** Order of storing: unique and ascending within the database, with gaps. */
  readonly seq: number;
  /** Incremented with each change of the row. A change with a lower revision than the stored one is ignored. */
  readonly revision: number;
  readonly ownerId: string;
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly scope: string;
  readonly memoryType: string;
  /** True for a todo or decision of a project. Other memories may have the same type. */
  readonly isItem: boolean;
  readonly status: string;
  /** When it becomes live again because its successor has expired, and its status from then on. null: never. */
  readonly supersededUntil: number | null;
  readonly supersededStatus: string | null;
  readonly sessionId: string | null;
  /** The person or tool that said or produced it, as given in `source`. */
  readonly source: string | null;
  readonly content: string;
  /** Semantic key and logic path: words that name the memory outside its text. */
  readonly keywords: string;
  /** When it happened, or was stored if that is unknown. Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /**
   * The stored vectors of its passages, or null while it has none of the index's generation. There are fewer than
   * passages if a caller sent one, or if the text was stored when texts had a single vector and has not been embedded
   * again.
   */
  readonly vectors: StoredVectors | null;
  /** True if a caller supplied the vectors. False if the service computed them or there are none. */
  readonly hasCallersVector: boolean;
  /** The multilingual vectors of its passages; null while they are not made. */
  readonly multilingual: StoredVectors | null;
  /** Its language, as an ISO 639-1 code; null if it is unclear or not known yet. */
  readonly language: string | null;
  /** An agent wrote it before any user had bound that agent (see `isAdopted` in `memory/adopted.ts`). */
  readonly isAdopted: boolean;
}

/** A change to one of an owner's memories, as reported by the feed. */
export type IndexChange =
  | { readonly kind: "put"; readonly document: IndexDocument }
  | { readonly kind: "remove"; readonly id: string; readonly revision: number };

/** The size of an owner's memories. */
export interface IndexOutline {
  readonly memories: number;
  /**
   * Mean number of distinct words, and of vector bytes, per memory, from a sample. 0 if there are too few memories to
   * sample.
   */
  readonly words: number;
  readonly vectorBytes: number;
}

/**
 * How long a feed reports a removal, at least. Whatever is derived from a feed's changes must be discarded if it was
 * not brought up to date for so long: it may contain memories whose removal is no longer reported.
 */
export const REMOVALS_KEPT_MS = 24 * 3_600_000;

/** Source from which an index is built and kept up to date. */
export interface IndexFeed {
  /** Size of an owner's data, determined without reading the data. */
  outline(ownerId: string): Promise<IndexOutline>;
  /**
   * Reports the changes of an owner after `cursor` (null: all of its memories) and resolves to the next cursor. Batches
   * may overlap earlier ones and come in any order. Each is awaited before the next. Resolves to null if the record is
   * not the one read before, as after a restored backup. The index then discards its data and reads everything.
   */
  read(
    ownerId: string,
    cursor: string | null,
    onBatch: (changes: IndexChange[]) => void | Promise<void>,
  ): Promise<string | null>;
}

/**
 * Changes to some owners' memories that a search engine does not show yet. Must be read before the engine is searched:
 * a change that becomes visible in between is then in both, and no change is lost.
 */
export interface IndexTail {
  /**
   * All pending changes of these owners, up to `limit` documents, with vectors of the embedding generation being
   * searched.
   */
  read(ownerIds: readonly string[], limit: number, embeddingGeneration: number): Promise<Tail>;
}

/** Changes that the engine may not show yet. */
export interface Tail {
  /** The new or changed memories, in their current state. */
  readonly documents: readonly IndexDocument[];
  /**
   * Every memory of these owners with a pending change, up to 20,000. Includes removed and moved memories, and those
   * beyond the limit. The engine's data about them must be ignored.
   */
  readonly ids: readonly string[];
  /** By owner, the number of pending memories beyond the limit. Owners with none may be missing. */
  readonly missing: ReadonlyMap<string, number>;
}

/** Ends the project in a key. No project id contains it. */
const PROJECT_END = "/";

/**
 * The session's name within its owner, or null. Includes the project, since two projects may use the same session name.
 */
export function sessionKey({
  projectId,
  sessionId,
}: Pick<IndexDocument, "projectId" | "sessionId">): string | null {
  return sessionId === null
    ? null
    : `${projectId === null ? "" : `${projectId.length}:${projectId}`}${PROJECT_END}${sessionId}`;
}

/** Whether a key belongs to this session, in any project. */
export function isKeyOf(key: string | null, sessionId: string): boolean {
  return key !== null && key.slice(key.indexOf(PROJECT_END) + 1) === sessionId;
}
