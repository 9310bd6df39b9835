import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { actingFor, whySuspended } from "./authority.ts";
import { beginRun } from "./begin-run.ts";
import { type Background, carryOut } from "./carry-out.ts";
import { runAfter } from "./change-settings.ts";
import type { DueWorkspace, OpenRun } from "./maintenance-store.ts";
import { inTheirOrder } from "./plan.ts";
import { choose } from "./selection.ts";

type SchedulePorts = Pick<Ports, "store" | "clock" | "hash" | "newId" | "breathe" | "report">;

/** How many of each a round takes up. */
const PER_ROUND = 10;
/** Nobody waits for an automatic run: it looks at as much as a run may. */
const SCAN_LIMIT = 5000;

/** After a fault the same is not tried again at once. */
const RETRY_MS = 600_000;

/**
 * Goes on with runs that were broken off, and begins those that are due, each with the authority of who asked for it as
 * far as that still goes. Several replicas may do so at once: each run is begun once, and each of its items done once.
 * A fault of one is reported and stops no other.
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
  if (caller) await carryOut(ports, caller, run.id, run.direction, background);
  else await ports.store.maintenance.giveUp(run.id, "invalid_token", ports.clock());
}

async function beginDue(ports: SchedulePorts, due: DueWorkspace, background: Background): Promise<void> {
  const { authority, automaticActions } = due.settings;
  const caller = await actingFor(ports, authority, ports.newId());
  const isSuspended = (await whySuspended(ports, caller, due.workspace)) !== null;
  if (caller && !isSuspended && automaticActions.length > 0) await runDue(ports, caller, due, background);
  else await ports.store.maintenance.postpone(due, runAfter(due.settings, ports.clock()));
}

/** Begins the run and sets when the next one is due, together; then carries it out. Nothing to do makes no run. */
async function runDue(
  ports: SchedulePorts,
  caller: Caller,
  { workspace, settings }: DueWorkspace,
  background: Background,
): Promise<void> {
  const runId = await ports.store.transaction(caller, async ({ maintenance }) => {
    const due = await maintenance.lockDue(workspace);
    // Another replica was first, or somebody has set it anew.
    if (due?.updatedAt !== settings.updatedAt) return null;
    const now = ports.clock();
    await maintenance.setNextRun(workspace, runAfter(due, now));
    const actions = inTheirOrder(due.automaticActions);
    const selection = { by: "all", limit: SCAN_LIMIT } as const;
    const chosen = await choose(ports, maintenance, workspace, { actions, selection });
    if (chosen.items.length === 0) return null;
    return beginRun(ports, caller, maintenance, chosen, { workspace, trigger: "schedule", actions });
  });
  if (runId !== null) await carryOut(ports, caller, runId, "do", background);
}
