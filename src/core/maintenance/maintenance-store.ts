import type { MaintenanceAction, RunStatus } from "../../contract/maintenance.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Credential } from "../access/credential.ts";
import type { Attribution } from "../caller.ts";
import type { SeenMemory } from "../memory/memory-record.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import type { Settings } from "./settings.ts";

/** The requester of deferred work: its credential, with the scopes and the agent it had at the time. */
export interface Authority {
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly attribution: Attribution;
}

export interface StoredSettings extends Settings {
  /** Automatic runs act for it. */
  readonly authority: Authority;
  readonly updatedAt: number;
  readonly updatedBy: string;
  /** null where nothing runs by itself. */
  readonly nextRunAt: number | null;
}

/** Which memories of a workspace are looked at. */
export interface ScanAsk {
  /** Only what one of these may touch. */
  readonly actions: readonly MaintenanceAction[];
  readonly now: number;
  /** Memories changed, ended or deleted by then may be due. */
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

/** A run by its id, and whose it is: of another owner there is no such run. */
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

/** A run's action on one memory, or the reason why it will not be done. */
export interface NewItem {
  readonly action: MaintenanceAction;
  /** null where the caller named what it does not see. */
  readonly memory: string | null;
  readonly memoryId: string;
  readonly revision: number | null;
  readonly survivor: { readonly id: string; readonly revision: number } | null;
  readonly state: "pending" | "skipped";
  /** Why it is due; why it is skipped. */
  readonly reason: string;
}

/** An item that is to be done, or undone. */
export interface RunItem {
  readonly place: number;
  readonly action: MaintenanceAction;
  readonly memory: string;
  /** Undoing: as the run left it. */
  readonly revision: number;
  readonly survivor: string | null;
  readonly survivorRevision: number | null;
  /** The survivor's public id, while it is there. */
  readonly survivorMemoryId: string | null;
  /** The key of the fact that the memory states, unlocked: to know what to lock. */
  readonly semanticKey: string | null;
  readonly reason: string;
  /** Undoing: what it was before. */
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

/** Whether a run goes forward or back. */
export type Direction = "do" | "undo";

/** The items of an action as they stand. */
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
  /** null where the memory has been erased since. */
  readonly memoryId: string | null;
  readonly reason: string;
}

type ItemState = "pending" | "changed" | "skipped" | "failed";

/** An item of a run as a person looks at it. Ids and content are null for what is gone, or not the caller's to see. */
export interface ShownItem {
  readonly action: MaintenanceAction;
  readonly memoryId: string | null;
  readonly content: string | null;
  readonly into: string | null;
  readonly state: ItemState;
  readonly undo: ItemState | null;
  readonly reason: string;
}

/** Maintenance inside a transaction of its caller. Methods that take memories apply the authorisation predicate. */
export interface MaintenanceTransaction {
  settings(workspace: Workspace): Promise<StoredSettings | null>;
  /** With its audit line. */
  saveSettings(workspace: Workspace, settings: StoredSettings): Promise<void>;
  setNextRun(workspace: Workspace, at: number): Promise<void>;
  /** The settings of a workspace whose time has come, locked; null where another replica has them or it has not. */
  lockDue(workspace: Workspace): Promise<StoredSettings | null>;
  /** At most `limit` + 1 of those that may be due, the likeliest and then the oldest first. */
  scan(workspace: Workspace, ask: ScanAsk): Promise<ScannedMemory[]>;
  /** Those of these public ids that are there. */
  scanNamed(workspace: Workspace, memoryIds: readonly string[]): Promise<ScannedMemory[]>;
  /** How many unfinished todos are past their due date. */
  overdueTodos(workspace: Workspace, now: number): Promise<number>;
  /** Writes the run, its items and its audit line. */
  insertRun(run: NewRun, items: readonly NewItem[]): Promise<void>;
  /** The run, locked until the end of the transaction: whoever has the lock goes on with it. null: none, or locked. */
  lockRun(run: RunKey, ifLocked: "wait" | "skip"): Promise<StoredRun | null>;
  run(run: RunKey): Promise<StoredRun | null>;
  /** The next items of one action that are to be done, in order; in undoing from the last one on. */
  nextItems(run: RunKey, direction: Direction, limit: number): Promise<RunItem[]>;
  /** Those of these memories of an owner that the caller sees, locked in one order. */
  lockMemories(ownerId: string, ids: readonly string[]): Promise<Map<string, SeenMemory>>;
  /**
   * Notes what became of items, in the transaction that did it. Items still to be done whose memories this transaction
   * has changed beside are expected as it leaves them.
   */
  settle(run: RunKey, direction: Direction, outcomes: readonly Outcome[]): Promise<void>;
  /** Outbox and audit lines for memories that are to be embedded or projected again. */
  queue(
    ownerId: string,
    memories: readonly string[],
    line: { readonly operation: string; readonly run: string },
  ): Promise<void>;
  /** Marks what the run has changed, and can be taken back, to be undone. Answers how many. */
  markForUndo(run: StoredRun, authority: Authority, at: number): Promise<number>;
  /** Ends the run or its undoing, with the audit line of a run. */
  finish(run: StoredRun, direction: Direction, at: number): Promise<void>;
  tallies(ownerId: string, runIds: readonly string[]): Promise<Map<string, ActionTally[]>>;
  left(run: RunKey, direction: Direction): Promise<LeftItem[]>;
  receipts(run: RunKey): Promise<string[]>;
  /** The first items of a run, in its order. */
  items(run: RunKey, limit: number): Promise<ShownItem[]>;
  /** Newest first; only those of this credential where `tokenId` is given. */
  runs(workspace: Workspace, limit: number, tokenId: string | null): Promise<StoredRun[]>;
}

export interface DueWorkspace {
  readonly workspace: Workspace;
  readonly settings: StoredSettings;
}

export interface OpenRun extends RunKey {
  readonly direction: Direction;
  /** Of the requester of the run, or of its undo. */
  readonly authority: Authority;
}

/** Maintenance without a caller, to find out who may continue a run. */
export interface MaintenanceStore {
  /** The credential as it is now: the same, or its agent's present one. null where it has ended. */
  credentialOf(authority: Authority): Promise<Credential | null>;
  /** Workspaces whose schedule is due, the longest waiting first. */
  due(limit: number): Promise<DueWorkspace[]>;
  /** Puts a due schedule off, unless it has been set anew. */
  postpone(due: DueWorkspace, until: number): Promise<void>;
  /** Runs that go on or back and that nobody has touched for a while: each is given out once in that while. */
  takeAbandoned(limit: number): Promise<OpenRun[]>;
  /** Ends a run that nobody may go on with: what is left of it is skipped. */
  giveUp(run: RunKey, reason: string, at: number): Promise<void>;
}
