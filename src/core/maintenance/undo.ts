import type { UndoAnswer } from "../../contract/maintenance-run.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { Resumable } from "../idempotency.ts";
import { requireMaintainer } from "../memory/access.ts";
import { type OfWorkspace, requireWorkspace, workspaceOf } from "../project/workspace.ts";
import { authorityOf } from "./authority.ts";
import { carryOut } from "./carry-out.ts";
import type { Begun } from "./execute.ts";
import { undoAnswerOf } from "./present.ts";
import { ownRunsOnly } from "./runs.ts";

/**
 * Takes back what a run archived and merged, item by item where it is still as the run left it. A run that is undone
 * already is answered as it is. `conflict` while the run goes on, and where nothing it did can be undone.
 */
export const undoMaintenanceRun: Resumable<OfWorkspace & { readonly run_id: string }, Begun, UndoAnswer> = {
  async begin(ports, caller, input) {
    const workspace = workspaceOf(caller, input);
    return ports.store.transaction(caller, async (transaction) => {
      requireMaintainer(await requireWorkspace(caller, transaction, workspace));
      const { maintenance } = transaction;
      const run = await maintenance.lockRun(input.run_id, "wait");
      const isHere =
        run?.workspace.ownerId === workspace.ownerId && run.workspace.projectId === workspace.projectId;
      if (!run || !isHere || !isOpenTo(caller, run.authority.tokenId)) throw notFound("maintenance run");
      if (run.status === "running")
        throw new DomainError("conflict", "The run still goes on: undo it once it is completed.");
      if (run.status === "completed") {
        const marked = await maintenance.markForUndo(run, authorityOf(caller), ports.clock());
        if (marked === 0) throw nothingToUndo();
      }
      return { run_id: run.id };
    });
  },
  async carryOut(ports, caller, { run_id: runId }) {
    await carryOut(ports, caller, runId, "undo");
    return ports.store.transaction(caller, async ({ maintenance }) => {
      const run = await maintenance.run(runId);
      if (run === null) throw notFound("maintenance run");
      const tallies = (await maintenance.tallies([runId])).get(runId) ?? [];
      return undoAnswerOf(caller, { run, tallies }, await maintenance.left(runId, "undo"));
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
    "Nothing that this run did can be undone: only expire_overdue, archive_stale and merge_duplicates can, where they changed something.",
  );
}
