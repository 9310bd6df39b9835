import type { LineOf, OwnerRef } from "../../contract/transfer.ts";
import type { Role } from "../access/team-store.ts";
import type { AgentRecord } from "../agent/agent.ts";
import type { StoredWebhook } from "../events/webhook-store.ts";
import type { StoredSettings } from "../maintenance/maintenance-store.ts";
import type { OffWire } from "../memory/member-table.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { Decision } from "../project/decision.ts";
import type { Todo } from "../project/todo.ts";
import type { WorkspaceEvent } from "../project/workspace-store.ts";

/** Selects the contents of an export. */
export interface ExportFilter {
  /** null: everything. An owner: everything it owns; for a team, also its members. */
  readonly owner: OwnerRef | null;
  /** null: everything. A project: only its memories and settings. */
  readonly projectId: string | null;
  /** `kept`: all memories except soft-deleted ones. `active`: live ones that have not expired. */
  readonly status: "kept" | "active" | "all";
  readonly withVersions: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An earlier state of a memory. */
export interface StoredVersion {
  readonly revision: number;
  /**
   * The owner at that time, if it was another. null: an owner that is not in the export; the content of `state` must be
   * ignored.
   */
  readonly owner?: OwnerRef | null | undefined;
  readonly state: Omit<MemoryRecord, "seq" | "revision">;
  readonly validTo: number;
  readonly reason: string | null;
}

/** How far the agent of a memory is vouched for (see `actorTrusts`). */
export type AuthorTrust = WorkspaceEvent["actor"]["trust"];

/** A memory with everything that belongs to it, and the names of the owners that its row refers to. */
export interface StoredMemory {
  readonly memory: MemoryRecord;
  readonly owner: OwnerRef;
  /** null if that owner no longer exists. */
  readonly author: OwnerRef | null;
  readonly authorTrust: AuthorTrust;
  /** The state of a todo or decision. */
  readonly item: ItemState | null;
  readonly trail: readonly WorkspaceEvent[];
  readonly feedback: readonly Feedback[];
  /** The newest versions, oldest first. */
  readonly versions: readonly StoredVersion[];
}

export type ItemState =
  | { readonly kind: "todo"; readonly todo: Todo }
  | { readonly kind: "decision"; readonly decision: Decision };

export interface Feedback {
  readonly at: number;
  readonly helpful: boolean;
}

export interface StoredUser {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface StoredTeam {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly members: readonly { readonly user: string; readonly role: Role; readonly since: number }[];
}

/** An agent without its claim, so that nobody can claim it. */
export type StoredAgent = Pick<
  AgentRecord,
  "id" | "status" | "client" | "address" | "requestedAt" | "expiresAt" | "endedAt"
> & {
  readonly approval: {
    readonly by: string;
    readonly at: number;
    readonly scopes: readonly string[];
    readonly team: string | null;
    readonly projects: readonly string[] | null;
  } | null;
};

/**
 * The registration of an OAuth client, without its approvals. A client that is identified by its own metadata document
 * needs no line.
 */
export type StoredClient = OffWire<Omit<LineOf<"client">, "kind">>;

/** A todo's dependencies, or the decision that this one supersedes, as public ids of the same owner. */
export interface StoredLinks {
  readonly owner: OwnerRef;
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly supersedes: string | null;
}

/** A project's settings without the credential that set them. */
export type KeptSettings = Omit<StoredSettings, "authority"> & { readonly projectId: string };

/** A webhook without its secret, its credential and its position in the log. */
export type KeptWebhook = Pick<
  StoredWebhook,
  "id" | "url" | "description" | "subjects" | "projectId" | "hasEndUsers" | "isEnabled" | "createdAt"
>;

export type KeptReceipt = OffWire<Omit<LineOf<"receipt">, "kind" | "owner">>;

/** Records that are identified by a name and exported as one line each, by kind. */
export interface NamedRecords {
  readonly agent: StoredAgent;
  readonly client: StoredClient;
  readonly settings: KeptSettings;
  readonly webhook: KeptWebhook;
  readonly receipt: KeptReceipt;
}
export type NamedKind = keyof NamedRecords;

/** A named record. Agents and OAuth clients have no owner. */
export type NamedRecord<Kind extends NamedKind = NamedKind> = {
  readonly [K in Kind]: {
    readonly kind: K;
    readonly owner: K extends "agent" | "client" ? null : OwnerRef;
    readonly record: NamedRecords[K];
  };
}[Kind];

export type Exported =
  | { readonly kind: "user"; readonly user: StoredUser }
  | { readonly kind: "team"; readonly team: StoredTeam }
  | { readonly kind: "memory"; readonly stored: StoredMemory }
  | {
      readonly kind: "versions";
      readonly owner: OwnerRef;
      readonly memoryId: string;
      readonly versions: readonly StoredVersion[];
    }
  | { readonly kind: "links"; readonly links: StoredLinks }
  | NamedRecord;

/**
 * The database as the operator reads it, to export it.
 *
 * Unlike `MemoryStore`, it takes no `Caller` and sees every owner except the quarantines of agents: it acts for the
 * operator of the database, who could also read it with psql. Only the command line on the operator's machine may use
 * it, never a surface that serves credentials.
 */
export interface ExportSource {
  /** True if the owner exists. */
  hasOwner(owner: OwnerRef): Promise<boolean>;
  /** Runs the work on one consistent snapshot, which concurrent writes do not affect. */
  snapshot<T>(filter: ExportFilter, work: (snapshot: ExportSnapshot) => Promise<T>): Promise<T>;
}

export interface ExportSnapshot {
  readonly count: number;
  /** All records in the order in which they can be restored, in batches of bounded size. */
  batches(): AsyncIterable<readonly Exported[]>;
}

/**
 * Pages of an end user's own data, for its application. Unlike `ExportSource` it serves callers, who have been checked
 * for the owner.
 */
export interface EndUserExport {
  page(
    ownerId: string,
    page: {
      readonly limit: number;
      readonly after: string | null;
      readonly now: number;
      /** False leaves out the bucket and the type knowledge. */
      readonly withKnowledge: boolean;
    },
  ): Promise<EndUserPage>;
}

export interface EndUserPage {
  /** Rows that can only be exported together: a memory with its versions; after the last, everything that refers to them. */
  readonly pieces: readonly {
    /** The internal id of the memory, as a position; null after the last memory. */
    readonly memory: string | null;
    readonly exported: readonly Exported[];
  }[];
  readonly isLast: boolean;
}

/** A string that identifies an owner by kind and name. An end user's name has no blanks. */
export function ownerKey({ kind, name, application }: OwnerRef): string {
  return application ? `${kind}:${name} of ${ownerKey(application)}` : `${kind}:${name}`;
}
