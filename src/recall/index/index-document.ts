import type { StoredVectors } from "./vector-bytes.ts";

/** What a recall index keeps of one memory. It is derived from the record and can be rebuilt from it. */
export interface IndexDocument {
  /** Internal UUID of the memory. */
  readonly id: string;
  /** Order of storing: unique and rising within the database, with gaps. */
  readonly seq: number;
  /** Rises with each change of the row; a change with a lower revision than the one held is ignored. */
  readonly revision: number;
  readonly ownerId: string;
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly scope: string;
  readonly memoryType: string;
  /** It is a todo or decision of a project: another memory may be of the same type. */
  readonly isItem: boolean;
  readonly status: string;
  /** When it is live again, since what superseded it has expired by then, and its status from then on; null: never. */
  readonly supersededUntil: number | null;
  readonly supersededStatus: string | null;
  readonly sessionId: string | null;
  /** Who said or produced it, as given in `source`. */
  readonly source: string | null;
  readonly content: string;
  /** Semantic key and logic path: words that name the memory without being part of its text. */
  readonly keywords: string;
  /** When the thing happened, or was stored where that is not known. Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /**
   * The vectors of its passages as stored, or null while it has none of the index's generation. There are fewer than passages
   * where a caller sent one, or before those of a text are made that was stored when texts had one.
   */
  readonly vectors: StoredVectors | null;
  /** A caller chose them; false where the service made it, or there is none. */
  readonly hasCallersVector: boolean;
  /** An agent wrote it before anybody had bound it (see `isAdopted` in `memory/adopted.ts`). */
  readonly isAdopted: boolean;
}

/** A change in an owner's memories, as the feed reports it. */
export type IndexChange =
  | { readonly kind: "put"; readonly document: IndexDocument }
  | { readonly kind: "remove"; readonly id: string; readonly revision: number };

/** How much an owner's memories are. */
export interface IndexOutline {
  readonly memories: number;
  /** How many different words a memory has, and how many bytes of vectors: the mean of a sample; 0 where there are too few to ask. */
  readonly words: number;
  readonly vectorBytes: number;
}

/** What an index is built from and kept current by. */
export interface IndexFeed {
  /** What there is to be read of an owner, told without reading it. */
  outline(ownerId: string): Promise<IndexOutline>;
  /**
   * Reports the changes of an owner after `cursor` (null: all of its memories) and resolves the next cursor.
   * Batches may overlap what was read before and come in any order; each is awaited before the next.
   * Resolves null where the record is another than the one that was read until now, as after a restored backup: an index
   * throws away what it has and reads all.
   */
  read(
    ownerId: string,
    cursor: string | null,
    onBatch: (changes: IndexChange[]) => void | Promise<void>,
  ): Promise<string | null>;
}

/**
 * What a search engine does not show yet of some owners' memories. It must be read before the engine is searched: a
 * change that the engine shows in between is then in both, and no change is in neither.
 */
export interface IndexTail {
  /**
   * Everything that is pending of these owners, up to `limit` documents, with vectors of the embedding generation that
   * is searched.
   */
  read(ownerIds: readonly string[], limit: number, embeddingGeneration: number): Promise<Tail>;
}

/** Changes that the engine is not known to show. */
export interface Tail {
  /** The memories that are new or changed, as the record has them now. */
  readonly documents: readonly IndexDocument[];
  /**
   * Every memory of these owners with a pending change, removed and moved ones and those beyond the limit included, up to 20,000:
   * what the engine says of them must not be believed.
   */
  readonly ids: readonly string[];
  /** By owner, how many pending memories are beyond the limit. Owners without any may be left out. */
  readonly missing: ReadonlyMap<string, number>;
}

/** What ends the project in a key: no project's id has it. */
const PROJECT_END = "/";

/** The session's name within its owner, or null. It is one project's: two projects may name theirs alike. */
export function sessionKey({
  projectId,
  sessionId,
}: Pick<IndexDocument, "projectId" | "sessionId">): string | null {
  return sessionId === null
    ? null
    : `${projectId === null ? "" : `${projectId.length}:${projectId}`}${PROJECT_END}${sessionId}`;
}

/** Whether a key is one of this session, whatever its project. */
export function isKeyOf(key: string | null, sessionId: string): boolean {
  return key !== null && key.slice(key.indexOf(PROJECT_END) + 1) === sessionId;
}
