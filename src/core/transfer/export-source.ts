import type { OwnerRef } from "../../contract/transfer.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";

/** Which memories an export holds. */
export interface ExportFilter {
  /** null: of every owner. */
  readonly owner: OwnerRef | null;
  readonly projectId: string | null;
  /** `kept`: all but the soft-deleted. `active`: the live ones that have not expired. */
  readonly status: "kept" | "active" | "all";
  readonly withVersions: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A memory with the names its row only refers to. */
export interface StoredMemory {
  readonly memory: MemoryRecord;
  readonly owner: OwnerRef;
  /** null where that owner is gone. */
  readonly author: OwnerRef | null;
  /** Oldest first. */
  readonly versions: readonly {
    readonly state: MemoryRecord;
    readonly validTo: number;
    readonly reason: string | null;
  }[];
  /** Older versions that a bound on the line left out. */
  readonly versionsOmitted: number;
}

/**
 * The record as the operator reads it, to move it elsewhere.
 *
 * It takes no `Caller`, unlike `MemoryStore`, and sees every owner but the quarantines of agents: it stands for whoever holds the database itself,
 * who could read it with psql as well. Only the command line, on the operator's machine, may be given one; a door that
 * serves credentials must not.
 */
export interface ExportSource {
  /** True where there is such an owner. */
  hasOwner(owner: OwnerRef): Promise<boolean>;
  /** Runs the work on one consistent snapshot, whatever is written meanwhile. */
  snapshot<T>(filter: ExportFilter, work: (snapshot: ExportSnapshot) => Promise<T>): Promise<T>;
}

export interface ExportSnapshot {
  readonly count: number;
  /** Every match in order of storing, a bounded number at a time. */
  batches(): AsyncIterable<readonly StoredMemory[]>;
}
