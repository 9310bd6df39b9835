import type { Caller } from "./caller.ts";
import type { MaintenanceStore, MaintenanceTransaction } from "./maintenance/maintenance-store.ts";
import type { MemoryStore, MemoryTransaction } from "./memory/memory-store.ts";
import type { ContextStore } from "./project/context/facts.ts";
import type { WorkspaceStore, WorkspaceTransaction } from "./project/workspace-store.ts";
import type { SubjectTransaction } from "./subject/subject-store.ts";

/**
 * All stored data, in one place and under one transaction: memories, todos and decisions (which are memories too), and
 * projects' maintenance. Each store knows those below it but none above.
 */
export interface SystemOfRecord extends MemoryStore {
  /** See `MemoryStore.transaction`: the same, with all that a transaction of the record can do. */
  transaction<T>(caller: Caller, work: (transaction: RecordTransaction) => Promise<T>): Promise<T>;
  /** Projects' todos and decisions. */
  readonly workspace: WorkspaceStore & ContextStore;
  /** Leases and runs of projects' maintenance. */
  readonly maintenance: MaintenanceStore;
}

/** Everything that a write may read and change inside its transaction. */
export interface RecordTransaction extends MemoryTransaction {
  /** Projects' todos and decisions. */
  readonly workspace: WorkspaceTransaction;
  readonly maintenance: MaintenanceTransaction;
  readonly subjects: SubjectTransaction;
}
