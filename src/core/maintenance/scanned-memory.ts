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
  /** When a todo was finished or a decision superseded; null for all others. */
  readonly endedAt: number | null;
  /** True if it has a vector of the present embedding generation. */
  readonly isEmbedded: boolean;
  /** `isQueued`: it has an outbox line. `isStuck`: it has an outbox line that has failed before. */
  readonly isQueued: boolean;
  readonly isStuck: boolean;
  /**
   * Text and vector of a possible duplicate; null for all others and for very long texts. The vector is null unless the
   * service made it.
   */
  readonly compared: { readonly content: string; readonly vector: Uint8Array | null } | null;
}
