import type { RunStatus } from "../../contract/maintenance.ts";
import type { DecisionStatus, ImpactLevel, TodoPriority, TodoStatus } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import type { MemoryRecord, Role } from "../memory/memory-record.ts";
import type { Actor } from "./actor.ts";
import type { Decision, OrderedDecision } from "./decision.ts";
import type { OrderedTodo, Todo } from "./todo.ts";

/** A workspace: whose, and which project. */
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

/** The members of its memory that a todo or decision is shown with. */
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
  /** As its provenance has it. */
  readonly agentName: string | null;
  /** See `isAdopted`. */
  readonly isAdopted: boolean;
}

/** Common members of todos and decisions: the memory that recall finds them by, and their audit trail. */
interface StoredItem {
  readonly memory: ItemMemory;
  /** The newest lines, oldest first. */
  readonly trail: readonly WorkspaceEvent[];
  /** How many older ones are left out. */
  readonly trailOmitted: number;
  /** The status of the memory it comes from; null where there is none that the caller may see. */
  readonly sourceStatus: MemoryRecord["status"] | "expired" | null;
}

export interface StoredTodo extends StoredItem {
  readonly state: Todo;
  /** Public ids, as far as the caller may see them. */
  readonly dependsOn: readonly string[];
  /** How many unfinished todos depend on it. Adopted ones do not count: nobody has said that they matter. */
  readonly dependents: number;
}

export interface StoredDecision extends StoredItem {
  readonly state: Decision;
  /** Public ids; null also for what the caller may not see. */
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

/** A project as a list shows it, counted over what the caller sees. */
export interface ProjectSummary {
  readonly projectId: string;
  /** Live ones, todos and decisions aside. */
  readonly memories: number;
  readonly openTodos: number;
  readonly blockedTodos: number;
  readonly proposedDecisions: number;
  readonly lastActivityAt: number;
  /** When maintenance is due by itself; null where it is not scheduled. */
  readonly nextRunAt: number | null;
  readonly lastRun: { readonly id: string; readonly status: RunStatus; readonly startedAt: number } | null;
}

/** An owner's memories that need attention, counted over what the caller sees. */
export interface Attention {
  /** Live memories that state a fact which another live one states: see `isSameFact`. */
  readonly conflicts: number;
  /** Public ids of some of them, fact by fact. */
  readonly conflicting: readonly string[];
  readonly overdueReminders: number;
  readonly overdueTodos: number;
  /** Those that are due the longest. */
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
  /** So many are named at most. */
  readonly overdueMax: number;
  readonly conflictsMax: number;
}

/** The members that decide an item's place in a list. `id` is its row's. */
export type Listed<Key> = Key & { readonly id: string };

/** How a list is made of one snapshot of the record, which reads items whole and keeps what is shown. */
export interface Listing<Key, Stored, Shown> {
  /** Continues after the item of that public id, whether the filter matches it or not; null: from the first on. */
  readonly after: string | null;
  /** At most so many; null: as many as fit into an answer. */
  readonly limit: number | null;
  /** The order is not the record's to know. */
  readonly inOrder: (keys: readonly Listed<Key>[]) => readonly Listed<Key>[];
  readonly show: (stored: Stored) => Shown;
}

/** A part of a list. */
export interface ListPart<Shown> {
  readonly items: readonly Shown[];
  readonly hasMore: boolean;
}

/** The todos and decisions of a workspace, under the same predicate as memories. */
export interface WorkspaceStore {
  /** The caller's role in the team, or null where it is no member; `self` for its own owner. */
  roleIn(caller: Caller, ownerId: string): Promise<Role | null>;
  /** The item of that public id in a project of that name, unless it was soft-deleted. */
  todo(caller: Caller, projectId: string, id: string): Promise<StoredTodo | null>;
  decision(caller: Caller, projectId: string, id: string): Promise<StoredDecision | null>;
  /** "unknown_place": there is no such item to continue after. */
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
  /** At most `limit` projects of the owner that the caller sees something of, the latest changed first. */
  projects(caller: Caller, ownerId: string, limit: number): Promise<ProjectSummary[]>;
  attention(caller: Caller, ask: AttentionAsk): Promise<Attention>;
}

/** A row of memories, by its own id, and whose it is. */
export type OwnedRow = Pick<MemoryRecord, "id" | "ownerId">;

/** Todos and decisions inside a transaction. They are named by their memories' rows, which the caller has locked. */
export interface WorkspaceTransaction {
  todo(row: OwnedRow): Promise<StoredTodo>;
  decision(row: OwnedRow): Promise<StoredDecision>;
  /**
   * The todos of the workspace among these public ids, visible and not deleted: public id → row. They stay there until the
   * transaction ends.
   */
  todosNamed(workspace: Workspace, ids: readonly string[]): Promise<Map<string, string>>;
  /** The unfinished todos that this one depends on: those the caller may see by their public ids, and how many in all. */
  unfinished(todo: OwnedRow): Promise<{ readonly ids: readonly string[]; readonly count: number }>;
  /** The todos among these that depend on this one, directly or through others that the caller need not see, or that are it. */
  dependingOn(todo: OwnedRow, ids: readonly string[]): Promise<readonly string[]>;
  insertTodo(row: OwnedRow, todo: Todo, dependsOn: readonly string[]): Promise<void>;
  /** These instead of the dependencies that the caller sees; what it does not see stays. */
  replaceDependencies(todo: OwnedRow, dependsOn: readonly string[]): Promise<void>;
  /** Takes this todo, which is unfinished, out of the dependencies of those that were completed while it was deleted. */
  releaseCompleted(todo: OwnedRow): Promise<void>;
  insertDecision(row: OwnedRow, decision: Decision, supersedes: string | null): Promise<void>;
  /** Cuts the link to what superseded this decision if that is deleted; true if nothing supersedes it any more. */
  cutDeletedSuccessor(decision: OwnedRow): Promise<boolean>;
  saveTodo(row: OwnedRow, todo: Todo): Promise<void>;
  saveDecision(row: OwnedRow, decision: Decision): Promise<void>;
  record(row: OwnedRow, event: WorkspaceEvent): Promise<void>;
}
