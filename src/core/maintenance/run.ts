import {
  type ExecuteAnswer,
  type MaintenanceAction,
  type MaintenanceRunAnswer,
  type UndoAnswer,
  undoableActions,
} from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { Resumable } from "../idempotency.ts";
import { ANSWER_BYTES, fittingStarts, jsonBytes } from "../limits/answer-bytes.ts";
import { requireMaintainer } from "../memory/access.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { Progress } from "../progress.ts";
import { acceptorOf } from "../project/actor.ts";
import { type OfWorkspace, requireWorkspace, workspaceMembers, workspaceOf } from "../project/workspace.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { UseCase } from "../use-case.ts";
import { actingFor, authorityOf, requireActions, whySuspended } from "./authority.ts";
import type {
  ActionTally,
  Direction,
  DueWorkspace,
  LeftItem,
  MaintenanceTransaction,
  OpenRun,
  RunItem,
  RunKey,
  StoredRun,
} from "./maintenance-store.ts";
import { type Chosen, choose, inTheirOrder, type Selection, selectionOf } from "./plan.ts";
import { runAfter } from "./settings.ts";
import { STEPS } from "./steps.ts";

// The life cycle of a run: recorded, executed batch by batch, resumed, undone, and started on schedule.

type ExecuteInput = OfWorkspace & {
  readonly actions: readonly MaintenanceAction[];
} & Parameters<typeof selectionOf>[0];

/** A recorded run. This is stored under an Idempotency-Key, and the answer is built from it on a retry. */
interface Begun {
  readonly run_id: string;
  readonly owner_id: string;
}

/**
 * Plans a run and records it, then executes it. It changes only memories that its caller could also change one by one.
 * `not_found` for a team that the caller is not in, `role_forbidden` if the caller may not maintain the team,
 * `validation_failed` without exactly one selection, `plan_changed` if the plan no longer holds or `only` names a
 * memory that is not in it.
 */
export const executeMaintenance: Resumable<ExecuteInput, Begun, ExecuteAnswer> = {
  begin: (ports, caller, input) => begin(ports, caller, input, selectionOf(input)),
  carryOut: finish,
};

async function begin(
  ports: Ports,
  caller: Caller,
  input: OfWorkspace & { readonly actions: readonly MaintenanceAction[] },
  selection: Selection,
): Promise<Begun> {
  const actions = inTheirOrder(input.actions);
  requireActions(caller, actions);
  const workspace = workspaceOf(caller, input);
  return ports.store.transaction(caller, async (transaction) => {
    requireMaintainer(await requireWorkspace(caller, transaction, workspace));
    const chosen = await choose(ports, transaction.maintenance, workspace, { actions, selection });
    const how = { workspace, trigger: "request", actions } as const;
    const run = await beginRun(ports, caller, transaction.maintenance, chosen, how);
    return { run_id: run.id, owner_id: run.ownerId };
  });
}

async function finish(ports: Ports, caller: Caller, begun: Begun): Promise<ExecuteAnswer> {
  const key = keyOf(begun);
  await carryOut(ports, caller, key, "do");
  return answerOf(ports, caller, key);
}

function keyOf({ run_id: id, owner_id: ownerId }: Begun): RunKey {
  return { id, ownerId };
}

function answerOf(ports: Pick<Ports, "store">, caller: Caller, key: RunKey): Promise<ExecuteAnswer> {
  return ports.store.transaction(caller, async ({ maintenance }) => {
    const run = await maintenance.run(key);
    // Runs are only deleted together with their owner.
    if (run === null) throw new Error("the run no longer exists");
    const tallies = (await maintenance.tallies(key.ownerId, [key.id])).get(key.id) ?? [];
    const [left, receipts] = [await maintenance.left(key, "do"), await maintenance.receipts(key)];
    return executeAnswerOf(caller, { run, tallies }, left, receipts);
  });
}

/**
 * Undoes what a run archived and merged, for each item that is still as the run left it. If the run is already undone,
 * returns it unchanged. `conflict` while the run is still running, or if it made no undoable change.
 */
export const undoMaintenanceRun: Resumable<OfWorkspace & { readonly run_id: string }, Begun, UndoAnswer> = {
  async begin(ports, caller, input) {
    const workspace = workspaceOf(caller, input);
    return ports.store.transaction(caller, async (transaction) => {
      requireMaintainer(await requireWorkspace(caller, transaction, workspace));
      const { maintenance } = transaction;
      const { ownerId, projectId } = workspace;
      const run = await maintenance.lockRun({ id: input.run_id, ownerId }, "wait");
      if (run?.workspace.projectId !== projectId || !isOpenTo(caller, run.authority.tokenId))
        throw notFound("maintenance run");
      if (run.status === "running")
        throw new DomainError("conflict", "The run has not finished yet. Undo it once it is completed.");
      if (run.status === "completed") {
        const marked = await maintenance.markForUndo(run, authorityOf(caller), ports.clock());
        if (marked === 0) throw nothingToUndo();
      }
      return { run_id: run.id, owner_id: ownerId };
    });
  },
  async carryOut(ports, caller, begun) {
    const key = keyOf(begun);
    await carryOut(ports, caller, key, "undo");
    return ports.store.transaction(caller, async ({ maintenance }) => {
      const run = await maintenance.run(key);
      if (run === null) throw notFound("maintenance run");
      const tallies = (await maintenance.tallies(key.ownerId, [key.id])).get(key.id) ?? [];
      return undoAnswerOf(caller, { run, tallies }, await maintenance.left(key, "undo"));
    });
  },
};

function isOpenTo(caller: Caller, tokenId: string): boolean {
  const only = ownRunsOnly(caller);
  return only === null || only === tokenId;
}

function nothingToUndo(): DomainError {
  return new DomainError(
    "conflict",
    "This run made no change that can be undone. Only changes by expire_overdue, archive_stale and merge_duplicates can.",
  );
}

/** A workspace's runs, newest first. `not_found` for a team that the caller is not in. */
export const listMaintenanceRuns: UseCase<Pick<Ports, "store">, "listMaintenanceRuns"> = async (
  ports,
  caller,
  input,
) => {
  const workspace = workspaceOf(caller, input);
  return ports.store.transaction(caller, async (transaction) => {
    await requireWorkspace(caller, transaction, workspace);
    const runs = await transaction.maintenance.runs(workspace, input.limit, ownRunsOnly(caller));
    const tallies = await transaction.maintenance.tallies(
      workspace.ownerId,
      runs.map(({ id }) => id),
    );
    return runs.map((run) => runOf(caller, { run, tallies: tallies.get(run.id) ?? [] }));
  });
};

/**
 * The only credential whose runs the caller may see; null: all runs. A caller that sees only a part of the workspace
 * must not learn counts about the rest.
 */
function ownRunsOnly({ space, scopes, tokenId }: Caller): string | null {
  const seesAll = space.pathPrefix === null && space.buckets === null && scopes.has("knowledge:read");
  return seesAll ? null : tokenId;
}

/** Records a run of this caller with all its items, before any item is done. */
async function beginRun(
  ports: Pick<Ports, "newId" | "clock">,
  caller: Caller,
  maintenance: Pick<MaintenanceTransaction, "insertRun">,
  { items, truncated }: Chosen,
  how: {
    readonly workspace: Workspace;
    readonly trigger: "request" | "schedule";
    readonly actions: readonly MaintenanceAction[];
  },
): Promise<RunKey> {
  const id = ports.newId();
  const run = {
    ...how,
    id,
    truncated,
    startedBy: acceptorOf(caller),
    authority: authorityOf(caller),
    startedAt: ports.clock(),
  };
  await maintenance.insertRun(run, items);
  return { id, ownerId: how.workspace.ownerId };
}

/** Few enough that their rows are locked only briefly. */
const ITEMS_PER_BATCH = 50;

type RunPorts = Pick<Ports, "store" | "clock" | "hash" | "report" | "onProgress">;

/** How a background worker continues a run. No caller waits for it. */
interface Background {
  /** True: no further batch is started. The rest is done later or by another worker. */
  readonly isStopping: () => boolean;
}

/**
 * Executes or undoes a run, from where it stopped to the end. Each batch and its outcomes are one transaction under the
 * run's lock, so that no item is done twice, even if a process dies or several work on the run. In the background, a
 * run that is locked by another process is skipped. Items that fail are recorded as failed and reported.
 */
async function carryOut(
  ports: RunPorts,
  caller: Caller,
  key: RunKey,
  direction: Direction,
  background: Background | null = null,
): Promise<void> {
  const ifLocked = background === null ? "wait" : "skip";
  let singly = 0;
  while (!background?.isStopping()) {
    const limit = singly > 0 ? 1 : ITEMS_PER_BATCH;
    const batch: Batch = { key, direction, ifLocked, limit, items: [] };
    try {
      if (await isOver(ports, caller, batch)) return;
      singly = Math.max(0, singly - 1);
    } catch (error) {
      // One item of the batch failed. Retry them one at a time, so that the others are still done.
      if (limit > 1 && batch.items.length > 1) singly = batch.items.length;
      else await noteFailure(ports, caller, batch, error);
      continue;
    }
    if (direction === "do") ports.onProgress?.(await progressOf(ports, caller, key));
  }
}

/** The progress of a run: how many of all its items are done, by any process. */
async function progressOf(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  { id, ownerId }: RunKey,
): Promise<Progress> {
  const tallies = await store.transaction(caller, ({ maintenance }) => maintenance.tallies(ownerId, [id]));
  let [done, total] = [0, 0];
  for (const { matched, changed, skipped, failed } of tallies.get(id) ?? []) {
    done += changed + skipped + failed;
    total += matched;
  }
  return { done, total };
}

interface Batch {
  readonly key: RunKey;
  readonly direction: Direction;
  readonly ifLocked: "wait" | "skip";
  readonly limit: number;
  /** Its items, set once they are read. */
  items: readonly RunItem[];
}

/** Does one batch. True if no items are left, or if another process holds the run. */
async function isOver(ports: RunPorts, caller: Caller, batch: Batch): Promise<boolean> {
  return ports.store.transaction(caller, async (transaction) => {
    const { maintenance } = transaction;
    const run = await maintenance.lockRun(batch.key, batch.ifLocked);
    if (run?.status !== GOING[batch.direction]) return true;
    batch.items = await maintenance.nextItems(batch.key, batch.direction, batch.limit);
    if (batch.items.length === 0) {
      await maintenance.finish(run, batch.direction, ports.clock());
      return true;
    }
    await perform(ports, caller, transaction, run, batch);
    return false;
  });
}

const GOING = { do: "running", undo: "undoing" } as const;

async function perform(
  ports: RunPorts,
  caller: Caller,
  transaction: RecordTransaction,
  run: StoredRun,
  { key, direction, items }: Batch,
): Promise<void> {
  const [first] = items;
  const step = first && STEPS[direction][first.action];
  if (!step) throw new Error("a run has an item that there is no step for");
  const context = { ports, caller, transaction, runId: run.id, ownerId: run.workspace.ownerId };
  await lockForWrite(
    caller,
    transaction,
    items.flatMap((item) => step.locks?.(context, item) ?? []),
    [run.workspace.ownerId],
  );
  const ids = items.flatMap(({ memory, survivor }) => (survivor === null ? [memory] : [memory, survivor]));
  const locked = await transaction.maintenance.lockMemories(key.ownerId, ids);
  const outcomes = await step.perform(context, items, locked);
  await transaction.maintenance.settle(key, direction, outcomes);
}

/**
 * Records that the only item of the batch failed. Throws the error if the batch has no item, or if the failure cannot
 * be recorded.
 */
async function noteFailure(ports: RunPorts, caller: Caller, batch: Batch, fault: unknown): Promise<void> {
  const [item] = batch.items;
  if (!item) throw fault;
  await ports.store.transaction(caller, async ({ maintenance }) => {
    await maintenance.lockRun(batch.key, "wait");
    const [next] = await maintenance.nextItems(batch.key, batch.direction, 1);
    if (next?.place !== item.place) return;
    await maintenance.settle(batch.key, batch.direction, [
      { place: item.place, state: "failed", reason: "internal" },
    ]);
  });
  ports.report(fault);
}

type SchedulePorts = Pick<Ports, "store" | "clock" | "hash" | "newId" | "pace" | "report">;

/** Maximum number of abandoned runs, and of due workspaces, per round. */
const PER_ROUND = 10;
/** Scan limit of an automatic run: the maximum, since nobody waits for it. */
const SCAN_LIMIT = 5000;

/** How long to wait after a workspace's run could not be started. */
const RETRY_MS = 600_000;

/**
 * Continues abandoned runs and starts those that are due. Each runs with the authority of its requester, limited to
 * what that credential may still do. Several replicas may call this concurrently: each run is started once, and each
 * item is done once. A failing run is reported and does not affect the others.
 */
export async function maintainOnSchedule(ports: SchedulePorts, background: Background): Promise<void> {
  for (const run of await ports.store.maintenance.takeAbandoned(PER_ROUND))
    await resume(ports, run, background).catch(ports.report);
  for (const due of await ports.store.maintenance.due(PER_ROUND)) {
    if (background.isStopping()) return;
    await beginDue(ports, due, background).catch(async (fault) => {
      await ports.store.maintenance.postpone(due, ports.clock() + RETRY_MS);
      ports.report(fault);
    });
  }
}

async function resume(ports: SchedulePorts, run: OpenRun, background: Background): Promise<void> {
  const caller = await actingFor(ports, run.authority, ports.newId());
  if (caller) await carryOut(ports, caller, run, run.direction, background);
  else await ports.store.maintenance.giveUp(run, "invalid_token", ports.clock());
}

async function beginDue(ports: SchedulePorts, due: DueWorkspace, background: Background): Promise<void> {
  const { authority, automaticActions } = due.settings;
  const caller = await actingFor(ports, authority, ports.newId());
  const isSuspended = (await whySuspended(ports, caller, due.workspace)) !== null;
  if (caller && !isSuspended && automaticActions.length > 0) await runDue(ports, caller, due, background);
  else await ports.store.maintenance.postpone(due, runAfter(due.settings, ports.clock()));
}

/**
 * Records the run and schedules the next one in one transaction, then executes it. Records no run if no memory is due.
 */
async function runDue(
  ports: SchedulePorts,
  caller: Caller,
  { workspace, settings }: DueWorkspace,
  background: Background,
): Promise<void> {
  const run = await ports.store.transaction(caller, async ({ maintenance }) => {
    const due = await maintenance.lockDue(workspace);
    // Another replica was first, or the settings have changed.
    if (due?.updatedAt !== settings.updatedAt) return null;
    const now = ports.clock();
    await maintenance.setNextRun(workspace, runAfter(due, now));
    const actions = inTheirOrder(due.automaticActions);
    const selection = { by: "all", limit: SCAN_LIMIT } as const;
    const chosen = await choose(ports, maintenance, workspace, { actions, selection });
    if (chosen.items.length === 0) return null;
    return beginRun(ports, caller, maintenance, chosen, { workspace, trigger: "schedule", actions });
  });
  if (run !== null) await carryOut(ports, caller, run, "do", background);
}

/** A run with the tallies of its items. */
interface Tallied {
  readonly run: StoredRun;
  readonly tallies: readonly ActionTally[];
}

function executeAnswerOf(
  caller: Caller,
  { run, tallies }: Tallied,
  left: readonly LeftItem[],
  receipts: readonly string[],
): ExecuteAnswer {
  const named = leftByAction(run.actions, left, ANSWER_BYTES - jsonBytes(receipts));
  return {
    ...runMembers(caller, run),
    truncated: run.truncated,
    started_at: rfc3339(run.startedAt),
    finished_at: timeOrNull(run.finishedAt),
    actions: run.actions.map((action) => {
      const { matched, changed } = tallyOf(tallies, action);
      const proof = action === "purge_deleted" ? { receipts: [...receipts] } : {};
      return { action, matched, changed, ...named(action), ...proof };
    }),
  };
}

function undoAnswerOf(caller: Caller, { run, tallies }: Tallied, left: readonly LeftItem[]): UndoAnswer {
  const actions = undoableActions.filter((action) => run.actions.includes(action));
  const named = leftByAction(actions, left);
  return {
    ...runMembers(caller, run),
    undone_at: timeOrNull(run.undoneAt),
    actions: actions.map((action) => ({
      action,
      undone: tallyOf(tallies, action).undone,
      ...named(action),
    })),
  };
}

function runOf(caller: Caller, { run, tallies }: Tallied): MaintenanceRunAnswer {
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

/** The skipped and failed items of each action. As many as fit into the answer are listed, the others are counted. */
function leftByAction(
  actions: readonly MaintenanceAction[],
  left: readonly LeftItem[],
  bytesMax = ANSWER_BYTES,
): (action: MaintenanceAction) => Pick<UndoAnswer["actions"][number], "skipped" | "failed" | "left_out"> {
  const of = (action: MaintenanceAction, state: LeftItem["state"]) =>
    left
      .filter((item) => item.action === action && item.state === state)
      .map(({ memoryId, reason }) => ({ id: memoryId, reason }));
  const whole = actions.flatMap((action) => [of(action, "skipped"), of(action, "failed")]);
  const listed = fittingStarts(whole, bytesMax);
  return (action) => {
    const at = 2 * actions.indexOf(action);
    const [skipped = [], failed = []] = listed.slice(at, at + 2);
    const left_out = whole.slice(at, at + 2).flat().length - skipped.length - failed.length;
    return { skipped, failed, ...(left_out > 0 ? { left_out } : {}) };
  };
}
