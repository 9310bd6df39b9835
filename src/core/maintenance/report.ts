import {
  type MaintenanceAction,
  type MaintenanceReport,
  maintenanceActions,
} from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { type OfWorkspace, requireWorkspace, workspaceOf } from "../project/workspace.ts";
import { type Plan, planAll } from "./plan.ts";
import { planHash } from "./plan-hash.ts";
import { workspaceMembers } from "./present.ts";

/** What each action would do now, and why. Changes nothing. `not_found` for a team that the caller is not in. */
export async function reportMaintenance(
  ports: Pick<Ports, "store" | "clock" | "hash" | "breathe">,
  caller: Caller,
  input: OfWorkspace & { readonly scan_limit: number },
): Promise<MaintenanceReport> {
  const workspace = workspaceOf(caller, input);
  const limit = input.scan_limit;
  return ports.store.transaction(caller, async (transaction) => {
    await requireWorkspace(caller, transaction, workspace);
    const { maintenance } = transaction;
    const plan = await planAll(ports, maintenance, workspace, { actions: maintenanceActions, limit });
    const now = ports.clock();
    return {
      ...workspaceMembers(caller, workspace),
      generated_at: rfc3339(now),
      scan_limit: limit,
      scanned: plan.scanned,
      truncated: plan.truncated,
      plan_hash: planHash(ports.hash, workspace, plan, limit),
      totals: totalsOf(plan),
      actions: maintenanceActions.map((action) => actionOf(plan, action)),
      notes: notesOn(await maintenance.overdueTodos(workspace, now)),
    };
  });
}

function totalsOf({ items }: Plan): MaintenanceReport["totals"] {
  return Object.fromEntries(
    maintenanceActions.map((action) => [action, items.get(action)?.length ?? 0]),
  ) as MaintenanceReport["totals"];
}

function actionOf(plan: Plan, action: MaintenanceAction) {
  const items = plan.items.get(action) ?? [];
  return {
    action,
    matched: items.length,
    items: items.map(({ memory, reason, survivor }) => ({
      id: memory.memoryId,
      reason,
      ...(survivor ? { into: survivor.memoryId } : {}),
    })),
  };
}

function notesOn(overdueTodos: number): string[] {
  if (overdueTodos === 0) return [];
  const todos = overdueTodos === 1 ? "1 unfinished todo is" : `${overdueTodos} unfinished todos are`;
  return [`${todos} past the due date. Maintenance leaves them alone.`];
}
