import type { MaintenanceAction, RunStatus } from "../../contract/maintenance.ts";
import type { OutputOf } from "../../contract/operations.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Credential } from "../access/credential.ts";
import type { Attribution } from "../caller.ts";
import type { OffWire } from "../memory/member-table.ts";
import type { SeenMemory } from "../memory/memory-record.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import type { Settings } from "./settings.ts";

/** The requester of deferred work: its credential, with the scopes and the agent that it had at the time. */
export interface Authority {
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly attribution: Attribution;
  /** The end user for whom the credential was used, as the id of an owner, if it is not confined to one. */
  readonly endUserId?: string;
}

export interface StoredSettings extends Settings {
  /** The authority that automatic runs act with. */
  readonly authority: Authority;
  readonly updatedAt: number;
  readonly updatedBy: string;
  /** null if there are no automatic runs. */
  readonly nextRunAt: number | null;
}

/** Selects the memories of a workspace that are scanned. */
export interface ScanAsk {
  /** Only memories that one of these actions may change. */
  readonly actions: readonly MaintenanceAction[];
  readonly now: number;
  /**
   * Memories may be due that were last changed before this, ended before `endedBefore` or deleted before
   * `deletedBefore`.
   */
  readonly staleBefore: number;
  readonly endedBefore: number;
  readonly deletedBefore: number;
  readonly limit: number;
}

export interface NewRun {
  readonly id: string;
  readonly workspace: Workspace;
  readonly trigger: "request" | "schedule";
  readonly actions: readonly MaintenanceAction[];
  readonly truncated: boolean;
  readonly startedBy: string;
  readonly authority: Authority;
  readonly startedAt: number;
}

/** A run's id and owner. It is not found under another owner. */
export interface RunKey {
  readonly id: string;
  readonly ownerId: string;
}

export interface StoredRun extends NewRun {
  readonly status: RunStatus;
  readonly undoAuthority: Authority | null;
  readonly finishedAt: number | null;
  readonly undoneAt: number | null;
}

/** A run's action on one memory, or the reason why it is skipped. */
export interface NewItem {
  readonly action: MaintenanceAction;
  /** null if the caller named a memory that it does not see. */
  readonly memory: string | null;
  readonly memoryId: string;
  readonly revision: number | null;
  readonly survivor: { readonly id: string; readonly revision: number } | null;
  readonly state: "pending" | "skipped";
  /** Why the memory is due, or why the item is skipped. */
  readonly reason: string;
}

/** An item to be done or undone. */
export interface RunItem {
  readonly place: number;
  readonly action: MaintenanceAction;
  readonly memory: string;
  /** The expected revision. When undoing: the revision that the run left. */
  readonly revision: number;
  readonly survivor: string | null;
  readonly survivorRevision: number | null;
  /** The survivor's public id; null if the survivor no longer exists. */
  readonly survivorMemoryId: string | null;
  /** The key of the fact that the memory states, read without a lock: used to find out which locks to take. */
  readonly semanticKey: string | null;
  readonly reason: string;
  /** When undoing: the status before the run. */
  readonly formerStatus: string | null;
}

export type Outcome =
  | {
      readonly place: number;
      readonly state: "changed";
      readonly revision?: number;
      readonly formerStatus?: string;
      readonly receipt?: string;
    }
  | { readonly place: number; readonly state: "skipped" | "failed"; readonly reason: string };

/** Whether a run is executed or undone. */
export type Direction = "do" | "undo";

/** The number of an action's items by state. */
export interface ActionTally {
  readonly action: MaintenanceAction;
  readonly matched: number;
  readonly changed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly undone: number;
}

export interface LeftItem {
  readonly action: MaintenanceAction;
  readonly state: "skipped" | "failed";
  /** null if the memory has been erased since. */
  readonly memoryId: string | null;
  readonly reason: string;
}

/**
 * An item of a run for display. Ids and content are null if the memory no longer exists or the caller may not see it.
 */
export type ShownItem = OffWire<OutputOf<"listRunItems">["items"][number]>;

/** Maintenance inside a transaction of the caller. Methods that read memories apply the authorisation predicate. */
export interface MaintenanceTransaction {
  settings(workspace: Workspace): Promise<StoredSettings | null>;
  /** Stores the settings with an audit line. */
  saveSettings(workspace: Workspace, settings: StoredSettings): Promise<void>;
  setNextRun(workspace: Workspace, at: number): Promise<void>;
  /**
   * The settings of a workspace whose schedule is due, locked; null if it is not due or another replica has locked
   * them.
   */
  lockDue(workspace: Workspace): Promise<StoredSettings | null>;
  /** At most `limit` + 1 memories that may be due: the likeliest first, then the oldest. */
  scan(workspace: Workspace, ask: ScanAsk): Promise<ScannedMemory[]>;
  /** The existing memories with these public ids. */
  scanNamed(workspace: Workspace, memoryIds: readonly string[]): Promise<ScannedMemory[]>;
  /** The number of unfinished todos that are past their due date. */
  overdueTodos(workspace: Workspace, now: number): Promise<number>;
  /** Writes the run, its items and its audit line. */
  insertRun(run: NewRun, items: readonly NewItem[]): Promise<void>;
  /**
   * The run, locked until the end of the transaction; the holder of the lock works on it. null if there is no such run,
   * or with `skip` if it is locked.
   */
  lockRun(run: RunKey, ifLocked: "wait" | "skip"): Promise<StoredRun | null>;
  run(run: RunKey): Promise<StoredRun | null>;
  /** The next items of one action to be done, in order; when undoing, in reverse order. */
  nextItems(run: RunKey, direction: Direction, limit: number): Promise<RunItem[]>;
  /** Those of these memories of an owner that the caller sees, locked in a fixed order. */
  lockMemories(ownerId: string, ids: readonly string[]): Promise<Map<string, SeenMemory>>;
  /**
   * Records the outcomes of items, in the transaction that did them. If the transaction also changed memories of items
   * that are still pending, their expected revisions are updated.
   */
  settle(run: RunKey, direction: Direction, outcomes: readonly Outcome[]): Promise<void>;
  /** Writes outbox and audit lines for memories to be embedded or projected again. */
  queue(
    ownerId: string,
    memories: readonly string[],
    line: { readonly operation: string; readonly run: string },
  ): Promise<void>;
  /** Marks the run's undoable changes to be undone, and returns their number. */
  markForUndo(run: StoredRun, authority: Authority, at: number): Promise<number>;
  /** Ends the run or its undo, and writes the audit line of the run. */
  finish(run: StoredRun, direction: Direction, at: number): Promise<void>;
  tallies(ownerId: string, runIds: readonly string[]): Promise<Map<string, ActionTally[]>>;
  left(run: RunKey, direction: Direction): Promise<LeftItem[]>;
  receipts(run: RunKey): Promise<string[]>;
  /** The first items of a run, in its order. */
  items(run: RunKey, limit: number): Promise<ShownItem[]>;
  /** Newest first. `tokenId`: only the runs of this credential; null: all. */
  runs(workspace: Workspace, limit: number, tokenId: string | null): Promise<StoredRun[]>;
}

export interface DueWorkspace {
  readonly workspace: Workspace;
  readonly settings: StoredSettings;
}

export interface OpenRun extends RunKey {
  readonly direction: Direction;
  /** The authority of the requester of the run, or of its undo. */
  readonly authority: Authority;
}

/** Maintenance without a caller: finds due and abandoned work, and the credential to continue it with. */
export interface MaintenanceStore {
  /**
   * The current state of the credential, or its agent's present credential if it was replaced. null if it has ended.
   */
  credentialOf(authority: Authority): Promise<Credential | null>;
  /** Workspaces whose schedule is due, those that are due longest first. */
  due(limit: number): Promise<DueWorkspace[]>;
  /** Postpones a due schedule, unless its settings have changed meanwhile. */
  postpone(due: DueWorkspace, until: number): Promise<void>;
  /** Unfinished runs and undos without progress for a while. Each is returned at most once in that time. */
  takeAbandoned(limit: number): Promise<OpenRun[]>;
  /** Ends a run that nobody is authorised to continue. Its remaining items are skipped. */
  giveUp(run: RunKey, reason: string, at: number): Promise<void>;
}
