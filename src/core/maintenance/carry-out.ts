import type { MaintenanceAction } from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { Direction, RunItem, StoredRun } from "./maintenance-store.ts";
import { archive } from "./steps/archive.ts";
import { merge } from "./steps/merge.ts";
import { purge } from "./steps/purge.ts";
import { queue } from "./steps/queue.ts";
import type { Step } from "./steps/step.ts";
import { unarchive } from "./steps/unarchive.ts";
import { unmerge } from "./steps/unmerge.ts";

const STEPS: Readonly<Record<Direction, Readonly<Partial<Record<MaintenanceAction, Step>>>>> = {
  do: {
    expire_overdue: archive,
    archive_stale: archive,
    merge_duplicates: merge,
    purge_deleted: purge,
    refresh_embeddings: queue,
    repair_index: queue,
  },
  undo: { expire_overdue: unarchive, archive_stale: unarchive, merge_duplicates: unmerge },
};

/** A transaction as long as a person does not notice, with the rows of so many memories locked. */
const ITEMS_PER_BATCH = 50;

type RunPorts = Pick<Ports, "store" | "clock" | "hash" | "report">;

/** How a run is gone on with by somebody who was not asked for it. */
export interface Background {
  /** True: what is left is for somebody else, or for later. */
  readonly isStopping: () => boolean;
}

/**
 * Goes on with a run in that direction until nothing is left of it. Each batch and what became of it is one transaction
 * under the run's lock: so none is done twice, whoever goes on with it and wherever a process dies. In the background a run
 * that somebody is busy with is left to it. Items that fault are noted as failed and reported.
 */
export async function carryOut(
  ports: RunPorts,
  caller: Caller,
  runId: string,
  direction: Direction,
  background: Background | null = null,
): Promise<void> {
  const ifLocked = background === null ? "wait" : "skip";
  let singly = 0;
  while (!background?.isStopping()) {
    const limit = singly > 0 ? 1 : ITEMS_PER_BATCH;
    const batch: Batch = { runId, direction, ifLocked, limit, items: [] };
    try {
      if (await isOver(ports, caller, batch)) return;
      singly = Math.max(0, singly - 1);
    } catch (error) {
      // One of the batch is at fault: the others do not suffer for it.
      if (limit > 1 && batch.items.length > 1) singly = batch.items.length;
      else await noteFailure(ports, caller, batch, error);
    }
  }
}

interface Batch {
  readonly runId: string;
  readonly direction: Direction;
  readonly ifLocked: "wait" | "skip";
  readonly limit: number;
  /** What it was about, once that is known. */
  items: readonly RunItem[];
}

/** Does a batch; true where there is none left, or where somebody else is at it. */
async function isOver(ports: RunPorts, caller: Caller, batch: Batch): Promise<boolean> {
  return ports.store.transaction(caller, async (transaction) => {
    const { maintenance } = transaction;
    const run = await maintenance.lockRun(batch.runId, batch.ifLocked);
    if (run?.status !== GOING[batch.direction]) return true;
    batch.items = await maintenance.nextItems(run.id, batch.direction, batch.limit);
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
  { direction, items }: Batch,
): Promise<void> {
  const [first] = items;
  const step = first && STEPS[direction][first.action];
  if (!step) throw new Error("a run has an item that there is no step for");
  const context = { ports, caller, transaction, runId: run.id, ownerId: run.workspace.ownerId };
  await lockForWrite(
    caller,
    transaction,
    items.flatMap((item) => step.locks?.(context, item) ?? []),
  );
  const ids = items.flatMap(({ memory, survivor }) => (survivor === null ? [memory] : [memory, survivor]));
  const locked = await transaction.maintenance.lockMemories(ids);
  const outcomes = await step.perform(context, items, locked);
  await transaction.maintenance.settle(run.id, direction, outcomes);
}

/** Rejects with the fault itself where not even that can be noted, or where it was not an item's. */
async function noteFailure(ports: RunPorts, caller: Caller, batch: Batch, fault: unknown): Promise<void> {
  const [item] = batch.items;
  if (!item) throw fault;
  await ports.store.transaction(caller, async ({ maintenance }) => {
    await maintenance.lockRun(batch.runId, "wait");
    const [next] = await maintenance.nextItems(batch.runId, batch.direction, 1);
    if (next?.place !== item.place) return;
    await maintenance.settle(batch.runId, batch.direction, [
      { place: item.place, state: "failed", reason: "internal" },
    ]);
  });
  ports.report(fault);
}
