import type { MemoryRecord } from "../memory/memory-record.ts";

/** A memory as far as it takes to say whether it is due. Instants in milliseconds since the epoch. */
export interface ScannedMemory
  extends Pick<
    MemoryRecord,
    | "id"
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
  /** Members of its metadata, as they are there. */
  readonly authority: string | null;
  readonly lastVerifiedAt: string | null;
  readonly reviewAfter: string | null;
  readonly dueAt: string | null;
  readonly occurredAt: string | null;
  /** When a finished todo was finished, or a decision superseded; null for all else. */
  readonly endedAt: number | null;
  /** It has a vector of the present embedding generation. */
  readonly isEmbedded: boolean;
  /** Work on it waits in the outbox; and has failed before. */
  readonly isQueued: boolean;
  readonly isStuck: boolean;
  /** Text and vector, of what may be a duplicate; null for all else, and for very long texts. */
  readonly compared: { readonly content: string; readonly vector: Uint8Array } | null;
}
