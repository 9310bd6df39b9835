import type { RunStatus } from "../../contract/maintenance.ts";
import type { OutputOf } from "../../contract/operations.ts";
import type { DecisionStatus, ImpactLevel, TodoPriority, TodoStatus } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import type { OffWire } from "../memory/member-table.ts";
import type { MemoryRecord, Role } from "../memory/memory-record.ts";
import type { Actor } from "./actor.ts";
import type { Decision, OrderedDecision } from "./decision.ts";
import type { OrderedTodo, Todo } from "./todo.ts";

/** A workspace: a project of an owner. */
export interface Workspace {
  readonly ownerId: string;
  readonly projectId: string;
}

/** One line of an audit trail. */
export interface WorkspaceEvent {
  readonly at: number;
  readonly operation: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: Actor;
  readonly note: string | null;
}

/** The members of a todo's or decision's memory that are shown with it. */
export interface ItemMemory
  extends Pick<
    MemoryRecord,
    | "id"
    | "seq"
    | "ownerId"
    | "authorId"
    | "memoryId"
    | "scope"
    | "projectId"
    | "path"
    | "bucket"
    | "status"
    | "source"
    | "agentId"
    | "instanceHash"
    | "createdAt"
    | "updatedAt"
    | "revision"
  > {
  /** The agent's name in the memory's provenance. */
  readonly agentName: string | null;
  /** See `isAdopted`. */
  readonly isAdopted: boolean;
}

/** Common members of todos and decisions: the memory that recall finds them by, and their audit trail. */
interface StoredItem {
  readonly memory: ItemMemory;
  /** The newest lines, oldest first. */
  readonly trail: readonly WorkspaceEvent[];
  /** How many older lines are omitted. */
  readonly trailOmitted: number;
  /** The status of the item's source memory; null if there is none that the caller may see. */
  readonly sourceStatus: MemoryRecord["status"] | "expired" | null;
}

export interface StoredTodo extends StoredItem {
  readonly state: Todo;
  /** Public ids of the dependencies that the caller may see. */
  readonly dependsOn: readonly string[];
  /**
   * How many unfinished todos depend on it. Adopted ones do not count, since no person has confirmed that they matter.
   */
  readonly dependents: number;
}

export interface StoredDecision extends StoredItem {
  readonly state: Decision;
  /** Public ids; null also if the caller may not see the decision. */
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
}

export interface TodoFilter {
  readonly status: TodoStatus | null;
  readonly priority: TodoPriority | null;
  readonly assignee: string | null;
}

export interface DecisionFilter {
  readonly status: DecisionStatus | null;
  readonly impactLevel: ImpactLevel | null;
}

/** A project in a list, with counts over what the caller sees. Memories are live ones, without todos and decisions. */
export interface ProjectSummary extends OffWire<Omit<ListedProject, "last_run">> {
  readonly lastRun: { readonly id: string; readonly status: RunStatus; readonly startedAt: number } | null;
}
type ListedProject = OutputOf<"listProjects">["projects"][number];

/** An owner's memories that need attention, counted over what the caller sees. */
export interface Attention {
  /** Live memories whose fact another live memory states too (see `isSameFact`). */
  readonly conflicts: number;
  /** Public ids of some of them, grouped by fact. */
  readonly conflicting: readonly string[];
  readonly overdueReminders: number;
  readonly overdueTodos: number;
  /** Those that have been due longest. */
  readonly overdue: readonly {
    readonly memoryId: string;
    readonly kind: "reminder" | "todo";
    readonly projectId: string | null;
    readonly content: string;
    readonly dueAt: number;
  }[];
}

export interface AttentionAsk {
  readonly ownerId: string;
  readonly now: number;
  /** Maximum number of items listed in `overdue`. */
  readonly overdueMax: number;
  readonly conflictsMax: number;
}

/** The members that decide an item's position in a list. `id` is that of its row. */
export type Listed<Key> = Key & { readonly id: string };

/**
 * How a list is built from one database snapshot: all keys are read and sorted, then only the items of the requested
 * part are read in full.
 */
export interface Listing<Key, Stored, Shown> {
  /** Continues after the item with that public id, whether or not the filter matches it; null: from the start. */
  readonly after: string | null;
  /** Maximum number of items; null: as many as fit into an answer. */
  readonly limit: number | null;
  /** Sorts the items. The database does not know the order. */
  readonly inOrder: (keys: readonly Listed<Key>[]) => readonly Listed<Key>[];
  readonly show: (stored: Stored) => Shown;
}

export interface ListPart<Shown> {
  readonly items: readonly Shown[];
  readonly hasMore: boolean;
}

/** The todos and decisions of a workspace, under the same authorisation predicate as memories. */
export interface WorkspaceStore {
  /** The caller's role in the team; null if it is not a member; `self` for its own owner. */
  roleIn(caller: Caller, ownerId: string): Promise<Role | null>;
  /** The item with that public id in that project; null if it is soft-deleted. */
  todo(caller: Caller, projectId: string, id: string): Promise<StoredTodo | null>;
  decision(caller: Caller, projectId: string, id: string): Promise<StoredDecision | null>;
  /** "unknown_place": the item to continue after does not exist. */
  todos<Shown>(
    caller: Caller,
    workspace: Workspace,
    filter: TodoFilter,
    listing: Listing<OrderedTodo, StoredTodo, Shown>,
  ): Promise<ListPart<Shown> | "unknown_place">;
  decisions<Shown>(
    caller: Caller,
    workspace: Workspace,
    filter: DecisionFilter,
    listing: Listing<OrderedDecision, StoredDecision, Shown>,
  ): Promise<ListPart<Shown> | "unknown_place">;
  /** At most `limit` projects of the owner in which the caller sees anything, the most recently changed first. */
  projects(caller: Caller, ownerId: string, limit: number): Promise<ProjectSummary[]>;
  attention(caller: Caller, ask: AttentionAsk): Promise<Attention>;
}

/** A memory's row: its internal id and its owner. */
export type OwnedRow = Pick<MemoryRecord, "id" | "ownerId">;

/**
 * Todos and decisions inside a transaction. They are identified by their memories' rows, which the calling code must
 * have locked.
 */
export interface WorkspaceTransaction {
  todo(row: OwnedRow): Promise<StoredTodo>;
  decision(row: OwnedRow): Promise<StoredDecision>;
  /**
   * The visible, undeleted todos of the workspace with these public ids: public id → row. They cannot be removed until
   * the transaction ends.
   */
  todosNamed(workspace: Workspace, ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * The unfinished todos that this one depends on: public ids of those that the caller may see, and the number of all.
   */
  unfinished(todo: OwnedRow): Promise<{ readonly ids: readonly string[]; readonly count: number }>;
  /**
   * Those of these todos that depend on this one or are this one. Indirect dependencies count, including those through
   * todos that the caller does not see.
   */
  dependingOn(todo: OwnedRow, ids: readonly string[]): Promise<readonly string[]>;
  insertTodo(row: OwnedRow, todo: Todo, dependsOn: readonly string[]): Promise<void>;
  /** Replaces the dependencies that the caller sees. Those that it does not see stay. */
  replaceDependencies(todo: OwnedRow, dependsOn: readonly string[]): Promise<void>;
  /** Removes this unfinished todo from the dependencies of todos that were completed while it was deleted. */
  releaseCompleted(todo: OwnedRow): Promise<void>;
  insertDecision(row: OwnedRow, decision: Decision, supersedes: string | null): Promise<void>;
  /**
   * Removes the link to this decision's successor if that is deleted. True if nothing supersedes the decision any more.
   */
  cutDeletedSuccessor(decision: OwnedRow): Promise<boolean>;
  saveTodo(row: OwnedRow, todo: Todo): Promise<void>;
  saveDecision(row: OwnedRow, decision: Decision): Promise<void>;
  record(row: OwnedRow, event: WorkspaceEvent): Promise<void>;
}
