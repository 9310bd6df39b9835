import type { actorTrusts, DecisionStatus, TodoStatus } from "../../../contract/project.ts";
import type { Caller } from "../../caller.ts";
import type { MemoryRecord, WorkspaceItem } from "../../memory/memory-record.ts";
import type { OrderedDecision } from "../decision.ts";
import type { OrderedTodo } from "../todo.ts";
import type { StoredDecision, StoredTodo, Workspace } from "../workspace-store.ts";

export type Trust = (typeof actorTrusts)[number];

/** Reads the facts for context packs, under the same authorisation predicate as memories. */
export interface ContextStore {
  /** The facts of a context pack. The cost does not grow with the workspace, except for the counts. */
  context(caller: Caller, ask: ContextAsk): Promise<ContextFacts>;
  /** How far the authors of these rows are vouched for. Contains only rows that the caller sees. */
  authorTrusts(caller: Caller, ids: readonly string[]): Promise<Map<string, Trust>>;
}

/** A request for the facts of a context pack. Instants in milliseconds since the epoch. */
export interface ContextAsk {
  readonly workspace: Workspace;
  /** A pattern as in memory filters. */
  readonly bucket: string;
  /** Limits working memories to those of this session and those without a session; null: no limit. */
  readonly session: string | null;
  readonly now: number;
  readonly since: number;
  /** Maximum number of rows of each kind: as many as a pack could need, plus one to detect that there are more. */
  readonly limit: number;
  /** Chooses the rows that are read in full, since the database does not decide what matters most. */
  readonly choose: (keys: ContextKeys) => ContextChoice;
}

/**
 * The members that decide a row's value. They are read for many rows, so that texts are read only for a few. `id` is
 * that of the row.
 */
export interface ContextKeys {
  /** Unfinished todos, including the most urgent ones. */
  readonly todos: readonly (OrderedTodo & Authored & { readonly id: string })[];
  /** Due reminders of the project and of the owner without a project, in no order. */
  readonly reminders: readonly (Pick<MemoryRecord, "id" | "dueAt" | "createdAt" | "seq"> & Authored)[];
  /** Proposed decisions with the highest impact, and those resolved last. */
  readonly decisions: readonly (OrderedDecision & Authored & { readonly id: string })[];
  /** Other live memories of the project, latest change first. */
  readonly recent: readonly Pick<
    MemoryRecord,
    "id" | "memoryType" | "importance" | "confidence" | "updatedAt"
  >[];
}

/** The author of a row, and how far the author is vouched for. */
interface Authored {
  readonly author: Pick<MemoryRecord, "agentId" | "instanceHash" | "authorId"> & { readonly trust: Trust };
}

/** The rows that are read in full, each kind in order. */
export interface ContextChoice {
  readonly todos: readonly string[];
  readonly reminders: readonly string[];
  readonly decisions: readonly string[];
  readonly recent: readonly string[];
  /** The number of the latest events that are shown. */
  readonly events: number;
  /** The number of further candidates by section. */
  readonly leftAside: Readonly<Record<"action_items" | "decisions" | "recent_memories", number>>;
}

/** The number of todos or decisions with a status, and how many of these are overdue. */
export interface ItemCount {
  readonly item: WorkspaceItem;
  readonly status: TodoStatus | DecisionStatus;
  /** The agent that accepted the todo or is assigned to it. */
  readonly agent: string | null;
  readonly count: number;
  readonly overdue: number;
}

/** An event of a todo, a decision or another memory. */
export interface ContextEvent {
  readonly at: number;
  readonly kind: WorkspaceItem | "memory";
  /** The memory's row, and its public id. */
  readonly row: string;
  readonly id: string;
  readonly operation: string;
  readonly from: string | null;
  readonly to: string;
  readonly agentId: string | null;
  readonly trust: Trust;
  /** The beginning of the memory's text; null if it is no longer live. */
  readonly beginning: string | null;
}

/** An agent's last write in the project, and the task that it last reported as started or completed. */
export interface AgentTrace {
  readonly agentId: string;
  readonly at: number;
  readonly trust: Trust;
  readonly task: {
    readonly id: string;
    readonly status: "started" | "completed";
    readonly taskId: string | null;
    readonly at: number;
  } | null;
}

/** The facts of a context pack: one database snapshot, limited to what the caller may see. */
export interface ContextFacts {
  readonly counts: readonly ItemCount[];
  readonly reminders: { readonly due: number; readonly upcoming: number };
  readonly lastActivityAt: number | null;
  readonly choice: ContextChoice;
  /** The chosen rows in the order of the choice. Todos and decisions have no audit trails here. */
  readonly todos: readonly StoredTodo[];
  readonly decisions: readonly StoredDecision[];
  readonly dueReminders: readonly MemoryRecord[];
  readonly recent: readonly MemoryRecord[];
  /** Newest first. */
  readonly events: readonly ContextEvent[];
  /** The most recently active first. */
  readonly agents: readonly AgentTrace[];
}
