import type { OwnerRef } from "../../contract/transfer.ts";
import type { StoredVectors } from "../../recall/index/vector-bytes.ts";
import type { Role } from "../access/team-store.ts";
import type { MemoryRecord, WorkspaceItem } from "../memory/memory-record.ts";
import type { Fact } from "../memory/supersession.ts";
import type { OwnedRow, Workspace } from "../project/workspace-store.ts";
import type { NamedKind, NamedRecord, NamedRecords, StoredVersion } from "./export-source.ts";
import type { Restored } from "./lines.ts";

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

/**
 * An owner that is made where none of its kind and name is there: as of now, unless it says since when, and with the id
 * that it names, unless that is another owner's.
 */
export type EnsuredOwner = OwnerRef & { readonly createdAt?: number; readonly id?: string | undefined };

/** The row of a todo or decision. */
export interface ItemRow {
  readonly id: string;
  readonly ownerId: string;
  readonly memoryId: string;
  readonly projectId: string | null;
  readonly item: WorkspaceItem;
}

/** References of a row, by rows. */
export interface RowLinks extends OwnedRow {
  readonly item: WorkspaceItem;
  readonly others: readonly string[];
}

export interface ImportTransaction {
  /** The ids of the owners that exist, by `ownerKey`. */
  findOwners(owners: readonly OwnerRef[]): Promise<Map<string, string>>;
  /** The same, and makes the others: in one order everywhere, so that two imports that make the same ones cannot deadlock. */
  ensureOwners(owners: readonly EnsuredOwner[]): Promise<Map<string, string>>;
  /** See `MemoryTransaction.lockOwners`. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;

  /** The members of these teams, by team; of teams that are there, locked until the end of the transaction. */
  membersOf(
    teamIds: readonly string[],
  ): Promise<Map<string, { readonly user: string; readonly role: Role }[]>>;
  insertMembers(
    teamId: string,
    members: readonly { readonly userId: string; readonly role: Role; readonly since: number }[],
    from: string,
  ): Promise<void>;

  /** The memories that hold those ids. */
  holders(ids: readonly { readonly ownerId: string; readonly memoryId: string }[]): Promise<MemoryRecord[]>;
  /** Live memories that state one of those facts. */
  liveFacts(facts: readonly Fact[], now: number): Promise<MemoryRecord[]>;
  /** The rows in the given order, with all that goes with them, vectors, audit and outbox lines. */
  insert(
    memories: readonly (Restored & { readonly vectors: StoredVectors | null })[],
    from: string,
  ): Promise<void>;

  /** Which revisions of these memories are kept as versions. */
  revisionsOf(rows: readonly OwnedRow[]): Promise<Map<string, ReadonlySet<number>>>;
  insertVersions(row: OwnedRow, versions: readonly StoredVersion[]): Promise<void>;

  /** The todos and decisions that hold those ids. */
  items(ids: readonly { readonly ownerId: string; readonly memoryId: string }[]): Promise<ItemRow[]>;
  /** The references of these rows; rows without any are not in it. */
  linksFrom(rows: readonly OwnedRow[]): Promise<Map<string, readonly string[]>>;
  /** Those of these decisions that another one has replaced. */
  replaced(rows: readonly OwnedRow[]): Promise<ReadonlySet<string>>;
  insertLinks(links: readonly RowLinks[]): Promise<void>;

  /** Those of these records that there are, by name, whoever has them; of clients, those not known by a document of their own. */
  named(kind: NamedKind, names: readonly string[]): Promise<Map<string, NamedRecord>>;
  /**
   * Nobody acts by what is restored: settings and webhooks are nobody's until somebody sets them anew, an agent has no claim
   * and a webhook a secret that nobody knows. A receipt is confirmed, since nothing of what was removed is here. A client
   * counts as having come now, so that it is kept for a while though nobody has let it in.
   */
  insertNamed(kind: NamedKind, record: NamedRecords[NamedKind], to: RecordHolder): Promise<void>;
}

/** The owner of a record; of an approved agent, its approver and the team that it was confined to. */
export interface RecordHolder {
  readonly ownerId: string | null;
  readonly approval: { readonly approverId: string; readonly teamId: string | null } | null;
}

/** The name by which a record is found: its id, of settings their owner's with the project's. */
export function settingsName({ ownerId, projectId }: Workspace): string {
  return `${ownerId} ${projectId}`;
}
