import type { AuditLine } from "../../contract/session-service-operations.ts";
import type { ProjectionStatus } from "../projection/projection-status.ts";

/** Filter of the audit log. */
export interface AuditFilter {
  readonly ownerId: string;
  readonly operation: string | null;
  readonly agentId: string | null;
  /** The public id of a memory that is there. */
  readonly memoryId: string | null;
  /** Milliseconds since the epoch: from this one on. */
  readonly after: number | null;
  /** And up to this one. */
  readonly before: number | null;
  /** Only lines older than this one. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** Vectors of one model, as far as they are made. */
export interface EmbeddingCoverage {
  readonly provider: string;
  readonly model: string;
  readonly dimension: number;
  readonly isCurrent: boolean;
  readonly createdAt: number;
  readonly memories: number;
  readonly of: number;
}

/** Reads what the service reports about itself. Every question is about one owner: the caller, or a team that it may read. */
export interface ServiceReport {
  /** Newest first. "unknown_place" where the cursor is the id of no line. */
  audit(filter: AuditFilter): Promise<AuditLine[] | "unknown_place">;
  /** Coverage by generation that has vectors of the owner's memories, and by the current one; newest first. */
  embeddings(ownerId: string): Promise<EmbeddingCoverage[]>;
  /** Status of the whole service. */
  projection(): Promise<ProjectionStatus>;
}

/** How everything that the service stands on is: by name, why it is not as it should be in a few words, or null. */
export interface Standing {
  readonly needed: Readonly<Record<string, string | null>>;
  readonly others: Readonly<Record<string, string | null>>;
  readonly isStopping: boolean;
}
