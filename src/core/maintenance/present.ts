import { type MaintenanceAction, undoableActions } from "../../contract/maintenance.ts";
import type { ExecuteAnswer, MaintenanceRunAnswer, UndoAnswer } from "../../contract/maintenance-run.ts";
import type { Caller } from "../caller.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { ActionTally, LeftItem, StoredRun } from "./maintenance-store.ts";

/** Whose workspace it is: a user's own is no team's. */
export function workspaceMembers(caller: Caller, { ownerId, projectId }: Workspace) {
  const isTeam = caller.owner.kind === "team" || caller.owner.id !== ownerId;
  return { project_id: projectId, team_id: isTeam ? ownerId : null };
}

/** A run with what became of its items. */
export interface Tallied {
  readonly run: StoredRun;
  readonly tallies: readonly ActionTally[];
}

export function executeAnswerOf(
  caller: Caller,
  { run, tallies }: Tallied,
  left: readonly LeftItem[],
  receipts: readonly string[],
): ExecuteAnswer {
  return {
    ...runMembers(caller, run),
    truncated: run.truncated,
    started_at: rfc3339(run.startedAt),
    finished_at: timeOrNull(run.finishedAt),
    actions: run.actions.map((action) => {
      const { matched, changed } = tallyOf(tallies, action);
      const proof = action === "purge_deleted" ? { receipts: [...receipts] } : {};
      return { action, matched, changed, ...leftOf(left, action), ...proof };
    }),
  };
}

export function undoAnswerOf(
  caller: Caller,
  { run, tallies }: Tallied,
  left: readonly LeftItem[],
): UndoAnswer {
  const actions = undoableActions.filter((action) => run.actions.includes(action));
  return {
    ...runMembers(caller, run),
    undone_at: timeOrNull(run.undoneAt),
    actions: actions.map((action) => ({
      action,
      undone: tallyOf(tallies, action).undone,
      ...leftOf(left, action),
    })),
  };
}

export function runOf(caller: Caller, { run, tallies }: Tallied): MaintenanceRunAnswer {
  return {
    ...runMembers(caller, run),
    trigger: run.trigger,
    started_at: rfc3339(run.startedAt),
    finished_at: timeOrNull(run.finishedAt),
    undone_at: timeOrNull(run.undoneAt),
    started_by: run.startedBy,
    actions: run.actions.map((action) => tallyOf(tallies, action)),
  };
}

function runMembers(caller: Caller, { id, workspace, status }: StoredRun) {
  return { run_id: id, ...workspaceMembers(caller, workspace), status };
}

const NOTHING = { matched: 0, changed: 0, skipped: 0, failed: 0, undone: 0 };

function tallyOf(tallies: readonly ActionTally[], action: MaintenanceAction): ActionTally {
  return tallies.find((tally) => tally.action === action) ?? { action, ...NOTHING };
}

function leftOf(left: readonly LeftItem[], action: MaintenanceAction) {
  const of = (state: LeftItem["state"]) =>
    left
      .filter((item) => item.action === action && item.state === state)
      .map(({ memoryId, reason }) => ({ id: memoryId, reason }));
  return { skipped: of("skipped"), failed: of("failed") };
}

function timeOrNull(instant: number | null): string | null {
  return instant === null ? null : rfc3339(instant);
}
