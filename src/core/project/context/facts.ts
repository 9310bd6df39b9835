import type { actorTrusts, DecisionStatus, TodoStatus } from "../../../contract/project.ts";
import type { Caller } from "../../caller.ts";
import type { MemoryRecord, WorkspaceItem } from "../../memory/memory-record.ts";
import type { OrderedDecision } from "../decision.ts";
import type { OrderedTodo } from "../todo.ts";
import type { StoredDecision, StoredTodo, Workspace } from "../workspace-store.ts";

export type Trust = (typeof actorTrusts)[number];

/** Facts of the record for context packs, under the same predicate as memories. */
export interface ContextStore {
  /** The facts of a context pack. The cost does not grow with the workspace, except for the counts. */
  context(caller: Caller, ask: ContextAsk): Promise<ContextFacts>;
  /** How far the authors of these rows are vouched for; of rows that the caller sees. */
  authorTrusts(caller: Caller, ids: readonly string[]): Promise<Map<string, Trust>>;
}

/** A request for the facts of a context pack. Instants in milliseconds since the epoch. */
export interface ContextAsk {
  readonly workspace: Workspace;
  /** A pattern, as in memory filters. */
  readonly bucket: string;
  /** Limits working memories to those of this session and of none; null: no limit. */
  readonly session: string | null;
  readonly now: number;
  readonly since: number;
  /** How many of each kind are considered at most: those a pack could need, and one more to know that there are more. */
  readonly limit: number;
  /** Chooses the rows that are read whole. The record does not decide what matters most. */
  readonly choose: (keys: ContextKeys) => ContextChoice;
}

/** The members that decide a row's value: read for many rows, so that texts are read for few. `id` is the row's. */
export interface ContextKeys {
  /** Unfinished ones, the most urgent among them. */
  readonly todos: readonly (OrderedTodo & Authored & { readonly id: string })[];
  /** The project's and the owner's own that are due, in no order. */
  readonly reminders: readonly (Pick<MemoryRecord, "id" | "dueAt" | "createdAt" | "seq"> & Authored)[];
  /** Proposed ones of the greatest impact, and those resolved last. */
  readonly decisions: readonly (OrderedDecision & Authored & { readonly id: string })[];
  /** Other live memories of the project, the latest change first. */
  readonly recent: readonly Pick<
    MemoryRecord,
    "id" | "memoryType" | "importance" | "confidence" | "updatedAt"
  >[];
}

/** The author of a row, and how far that is vouched for. */
interface Authored {
  readonly author: Pick<MemoryRecord, "agentId" | "instanceHash" | "authorId"> & { readonly trust: Trust };
}

/** The rows that are read whole, each kind in its order. */
export interface ContextChoice {
  readonly todos: readonly string[];
  readonly reminders: readonly string[];
  readonly decisions: readonly string[];
  readonly recent: readonly string[];
  /** How many of the latest events are shown. */
  readonly events: number;
  /** How many were considered besides, by section. */
  readonly leftAside: Readonly<Record<"action_items" | "decisions" | "recent_memories", number>>;
}

/** How many todos or decisions are in a state, and how many of these are overdue. */
export interface ItemCount {
  readonly item: WorkspaceItem;
  readonly status: TodoStatus | DecisionStatus;
  /** The agent that has a todo or is to have it. */
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
  /** How the memory's text begins; null where it is no longer live. */
  readonly beginning: string | null;
}

/** An agent's last write in the project, and the task it last reported as begun or ended. */
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

/** The facts of a context pack: one snapshot of the record, limited to what the caller may see. */
export interface ContextFacts {
  readonly counts: readonly ItemCount[];
  readonly reminders: { readonly due: number; readonly upcoming: number };
  readonly lastActivityAt: number | null;
  readonly choice: ContextChoice;
  /** The chosen rows, in the order of the choice. Todos and decisions come without audit trails. */
  readonly todos: readonly StoredTodo[];
  readonly decisions: readonly StoredDecision[];
  readonly dueReminders: readonly MemoryRecord[];
  readonly recent: readonly MemoryRecord[];
  /** Newest first. */
  readonly events: readonly ContextEvent[];
  /** The latest active first. */
  readonly agents: readonly AgentTrace[];
}
