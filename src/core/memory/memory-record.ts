/** A memory as the record holds it: the row, with instants in milliseconds since the epoch. */
export interface MemoryRecord {
  /** Internal UUID; never shown unless it is the public id too. */
  readonly id: string;
  readonly seq: number;
  readonly ownerId: string;
  /** The public id, unique per owner. */
  readonly memoryId: string;
  /** The owner whose credential wrote it; differs from `ownerId` in a team. */
  readonly authorId: string;
  readonly scope: "private" | "team";
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly memoryType: string;
  /** What of a project's workspace it is, if anything: then only the workspace's operations change it. */
  readonly workspaceItem: WorkspaceItem | null;
  /**
   * The status of a todo or decision, and who has the todo or is to have it: as its state says. null in what was
   * soft-deleted or redacted, whose state is nobody's concern.
   */
  readonly itemStatus: string | null;
  readonly itemAgent: string | null;
  readonly status: StoredStatus;
  /** What it was before a soft delete. */
  readonly restoreStatus: StoredStatus | null;
  readonly content: string;
  /** Hash of the request that made it, so that the same request again is known; null once redacted. */
  readonly createHash: string | null;
  /** Hash of what dedupe compares; null once redacted. */
  readonly dedupeHash: string | null;
  readonly semanticKey: string | null;
  readonly version: number;
  readonly supersededBy: string | null;
  readonly supersededAt: number | null;
  /** A newer memory of its semantic key superseded it. Only then it may be live again. */
  readonly supersededByKey: boolean;
  /** What it was before a newer memory of its semantic key superseded it. */
  readonly supersededStatus: LiveStatus | null;
  /** When it is that again, since what superseded it has expired by then (see `supersession.ts`); null: never. */
  readonly supersededUntil: number | null;
  /** The highest version of its fact among the memories that stated it and state it no more; null where there are none. */
  readonly factVersion: number | null;
  readonly importance: number;
  readonly confidence: number;
  readonly source: string | null;
  readonly logicPath: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  readonly instanceHash: string | null;
  readonly occurredAt: number | null;
  /** Of a todo or decision as its state says, else as its metadata does. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly revision: number;
}

export type WorkspaceItem = "todo" | "decision";

export type LiveStatus = "active" | "started" | "completed";

export type StoredStatus = LiveStatus | "archived" | "superseded" | "soft_deleted" | "redacted";

/** A memory that is about to be written: `seq` and `revision` are the record's to give. */
export type NewMemory = Omit<MemoryRecord, "seq" | "revision">;

/** The members a change may set. */
export type MemoryChange = Partial<
  Omit<MemoryRecord, "id" | "seq" | "ownerId" | "memoryId" | "createdAt" | "revision">
>;

/** How the caller stands to the memory's owner, read live: itself, or its role in the team. */
export type Role = "self" | "owner" | "admin" | "member" | "viewer";

/** A memory the caller may see, and how it stands to it. */
export interface SeenMemory {
  readonly memory: MemoryRecord;
  readonly role: Role;
}
