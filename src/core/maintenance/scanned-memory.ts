import type { MemoryRecord } from "../memory/memory-record.ts";

/** The members that decide whether a memory is due. Instants in milliseconds since the epoch. */
export interface ScannedMemory
  extends Pick<
    MemoryRecord,
    | "id"
    | "authorId"
    | "seq"
    | "memoryId"
    | "revision"
    | "scope"
    | "path"
    | "bucket"
    | "memoryType"
    | "workspaceItem"
    | "status"
    | "supersededStatus"
    | "supersededUntil"
    | "semanticKey"
    | "sessionId"
    | "importance"
    | "confidence"
    | "updatedAt"
    | "expiresAt"
  > {
  /** Members of its metadata, unparsed. */
  readonly authority: string | null;
  readonly lastVerifiedAt: string | null;
  readonly lastVerifiedBy: string | null;
  readonly reviewAfter: string | null;
  readonly dueAt: string | null;
  readonly occurredAt: string | null;
  /** The last person who changed it besides its author; see `CHANGED_BY`. */
  readonly changedBy: string | null;
  /** See `isAdopted`. */
  readonly isAdopted: boolean;
  /** When a finished todo was finished, or a decision superseded; null for all else. */
  readonly endedAt: number | null;
  /** It has a vector of the present embedding generation. */
  readonly isEmbedded: boolean;
  /** `isQueued`: it has a line in the outbox. `isStuck`: one that has failed before. */
  readonly isQueued: boolean;
  readonly isStuck: boolean;
  /**
   * Text and vector, of what may be a duplicate; null for all else, and for very long texts. The vector is the service's
   * own: null where a caller chose it.
   */
  readonly compared: { readonly content: string; readonly vector: Uint8Array | null } | null;
}
