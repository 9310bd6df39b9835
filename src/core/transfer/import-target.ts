import type { OwnerRef } from "../../contract/transfer.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import type { Restored } from "./line.ts";

/**
 * The record as the operator writes it, to restore what was exported.
 *
 * It takes no `Caller`, unlike `MemoryStore`, and reaches every owner, for the reason given at `ExportSource`: it stands
 * for whoever holds the database itself. Each row still has its owner, its audit line says `import`, and the outbox
 * tells indexes of it as of any other write.
 */
export interface ImportTarget {
  /** As `MemoryStore.transaction`: durable or nothing, and tried again where the database asks for it. */
  transaction<T>(work: (transaction: ImportTransaction) => Promise<T>): Promise<T>;
}

export interface ImportTransaction {
  /** The ids of the owners that exist, by `ownerKey`. */
  findOwners(owners: readonly OwnerRef[]): Promise<Map<string, string>>;
  /** The same, and the others are made. */
  ensureOwners(owners: readonly OwnerRef[]): Promise<Map<string, string>>;
  /** See `MemoryTransaction.lockOwners`. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;
  /** The memories that hold those ids. */
  holders(ids: readonly { readonly ownerId: string; readonly memoryId: string }[]): Promise<MemoryRecord[]>;
  /** Live memories that state one of those facts: the semantic key, within owner, project, bucket and scope. */
  liveFacts(facts: readonly Fact[], now: number): Promise<MemoryRecord[]>;
  /** The rows in the given order, with their versions, vectors, audit and outbox lines. */
  insert(
    memories: readonly (Restored & { readonly vector: Uint8Array | null })[],
    from: string,
  ): Promise<void>;
}

export type Fact = Pick<NewMemory, "ownerId" | "semanticKey" | "projectId" | "bucket" | "scope">;

/** One text for one owner. */
export function ownerKey(owner: OwnerRef): string {
  return `${owner.kind}:${owner.name}`;
}
