import type { OwnerRef } from "../../contract/transfer.ts";
import type { StoredVectors } from "../../recall/index/vector-bytes.ts";
import type { Role } from "../access/team-store.ts";
import type { MemoryRecord, WorkspaceItem } from "../memory/memory-record.ts";
import type { Fact } from "../memory/supersession.ts";
import type { OwnedRow, Workspace } from "../project/workspace-store.ts";
import type { NamedKind, NamedRecord, NamedRecords, StoredVersion } from "./export-source.ts";
import type { Restored } from "./lines.ts";

/**
 * The database as the operator writes it, to restore an export.
 *
 * Unlike `MemoryStore`, it takes no `Caller` and reaches every owner, for the reason given at `ExportSource`: it acts
 * for the operator of the database. Each row still has its owner and an audit line `import`, and indexes are updated
 * through the outbox as for any other write.
 */
export interface ImportTarget {
  /**
   * Like `MemoryStore.transaction`: committed durably or not at all, and retried after deadlocks and serialisation
   * failures.
   */
  transaction<T>(work: (transaction: ImportTransaction) => Promise<T>): Promise<T>;
}

/**
 * An owner that is created if none with its kind and name exists. `createdAt` defaults to now. `id` is used unless
 * another owner has it.
 */
export type EnsuredOwner = OwnerRef & { readonly createdAt?: number; readonly id?: string | undefined };

/** A todo's or decision's row. */
export interface ItemRow {
  readonly id: string;
  readonly ownerId: string;
  readonly memoryId: string;
  readonly projectId: string | null;
  readonly item: WorkspaceItem;
}

/** The references of a row to other rows. */
export interface RowLinks extends OwnedRow {
  readonly item: WorkspaceItem;
  readonly others: readonly string[];
}

export interface ImportTransaction {
  /** The ids of the owners that exist, by `ownerKey`. */
  findOwners(owners: readonly OwnerRef[]): Promise<Map<string, string>>;
  /** The same, but creates missing owners. Always in the same order, so that concurrent imports cannot deadlock. */
  ensureOwners(owners: readonly EnsuredOwner[]): Promise<Map<string, string>>;
  /** See `MemoryTransaction.lockOwners`. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;

  /** The members of these existing teams, by team, locked until the end of the transaction. */
  membersOf(
    teamIds: readonly string[],
  ): Promise<Map<string, { readonly user: string; readonly role: Role }[]>>;
  insertMembers(
    teamId: string,
    members: readonly { readonly userId: string; readonly role: Role; readonly since: number }[],
    from: string,
  ): Promise<void>;

  /** The existing memories with these ids. */
  holders(ids: readonly { readonly ownerId: string; readonly memoryId: string }[]): Promise<MemoryRecord[]>;
  /** Live memories that state one of those facts. */
  liveFacts(facts: readonly Fact[], now: number): Promise<MemoryRecord[]>;
  /** Inserts the rows in the given order, with everything that belongs to them, vectors, audit and outbox lines. */
  insert(
    memories: readonly (Restored & { readonly vectors: StoredVectors | null })[],
    from: string,
  ): Promise<void>;

  /** The revisions of these memories that are stored as versions. */
  revisionsOf(rows: readonly OwnedRow[]): Promise<Map<string, ReadonlySet<number>>>;
  insertVersions(row: OwnedRow, versions: readonly StoredVersion[]): Promise<void>;

  /** The existing todos and decisions with these ids. */
  items(ids: readonly { readonly ownerId: string; readonly memoryId: string }[]): Promise<ItemRow[]>;
  /** The references of these rows. Rows without references are absent. */
  linksFrom(rows: readonly OwnedRow[]): Promise<Map<string, readonly string[]>>;
  /** Those of these decisions that another one supersedes. */
  replaced(rows: readonly OwnedRow[]): Promise<ReadonlySet<string>>;
  insertLinks(links: readonly RowLinks[]): Promise<void>;

  /**
   * The existing records with these names, of any owner. Contains no clients that are identified by their own metadata
   * document.
   */
  named(kind: NamedKind, names: readonly string[]): Promise<Map<string, NamedRecord>>;
  /**
   * Restored records grant no access and trigger nothing: settings and webhooks have no authority until somebody sets
   * them again, an agent has no claim, and a webhook gets a random secret that nobody knows. A receipt is stored as
   * confirmed, since the removed data is not in this database. A client counts as registered now, so that it is kept
   * for a while although nobody has approved it.
   */
  insertNamed(kind: NamedKind, record: NamedRecords[NamedKind], to: RecordHolder): Promise<void>;
}

/** The owner of a record; for an approved agent, its approver and the team that it was confined to. */
export interface RecordHolder {
  readonly ownerId: string | null;
  readonly approval: { readonly approverId: string; readonly teamId: string | null } | null;
}

/** The name of settings: the ids of their owner and project. All other records are named by their id. */
export function settingsName({ ownerId, projectId }: Workspace): string {
  return `${ownerId} ${projectId}`;
}
