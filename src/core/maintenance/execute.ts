import type { MaintenanceAction } from "../../contract/maintenance.ts";
import type { ExecuteAnswer } from "../../contract/maintenance-run.ts";
import type { Caller } from "../caller.ts";
import type { Resumable } from "../idempotency.ts";
import { requireMaintainer } from "../memory/access.ts";
import { requireMode } from "../memory/forget.ts";
import type { Ports } from "../ports.ts";
import { type OfWorkspace, requireWorkspace, workspaceOf } from "../project/workspace.ts";
import { beginRun } from "./begin-run.ts";
import { carryOut } from "./carry-out.ts";
import { inTheirOrder } from "./plan.ts";
import { executeAnswerOf } from "./present.ts";
import { choose, selectionOf } from "./selection.ts";

type ExecuteInput = OfWorkspace & {
  readonly actions: readonly MaintenanceAction[];
} & Parameters<typeof selectionOf>[0];

/** A run that is written down. Its members are those of the record: it is what an Idempotency-Key is answered by. */
export interface Begun {
  readonly run_id: string;
}

/**
 * Plans a run and writes it down, then carries it out. It touches nothing that its caller could not change one by one.
 * `not_found` for a team that the caller is not in, `role_forbidden` for who may not maintain the team,
 * `validation_failed` without exactly one selection, `plan_changed`.
 */
export const executeMaintenance: Resumable<ExecuteInput, Begun, ExecuteAnswer> = {
  async begin(ports, caller, input) {
    const selection = selectionOf(input);
    const actions = inTheirOrder(input.actions);
    requireActions(caller, actions);
    const workspace = workspaceOf(caller, input);
    return ports.store.transaction(caller, async (transaction) => {
      requireMaintainer(await requireWorkspace(caller, transaction, workspace));
      const chosen = await choose(ports, transaction.maintenance, workspace, { actions, selection });
      const how = { workspace, trigger: "request", actions } as const;
      return { run_id: await beginRun(ports, caller, transaction.maintenance, chosen, how) };
    });
  },
  async carryOut(ports, caller, { run_id: runId }) {
    await carryOut(ports, caller, runId, "do");
    return answerOf(ports, caller, runId);
  },
};

/** Refuses with `insufficient_scope` what goes beyond a change: to purge is to delete for good. */
export function requireActions(caller: Caller, actions: readonly MaintenanceAction[]): void {
  if (actions.includes("purge_deleted")) requireMode(caller, "hard_delete");
}

function answerOf(ports: Pick<Ports, "store">, caller: Caller, runId: string): Promise<ExecuteAnswer> {
  return ports.store.transaction(caller, async ({ maintenance }) => {
    const run = await maintenance.run(runId);
    // It goes with its owner alone.
    if (run === null) throw new Error("a run is gone before it was answered");
    const tallies = (await maintenance.tallies([runId])).get(runId) ?? [];
    const [left, receipts] = [await maintenance.left(runId, "do"), await maintenance.receipts(runId)];
    return executeAnswerOf(caller, { run, tallies }, left, receipts);
  });
}
