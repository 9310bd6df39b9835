import type { MaintenanceSettingsAnswer } from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import { requireMaintainer, requireWholeSpace } from "../memory/access.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { acceptorOf } from "../project/actor.ts";
import { requireWorkspace, workspaceMembers, workspaceOf } from "../project/workspace.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { UseCase } from "../use-case.ts";
import { actingFor, authorityOf, requireActions, whySuspended } from "./authority.ts";
import type { StoredSettings } from "./maintenance-store.ts";
import {
  defaultSettings,
  namedSettings,
  namesSetting,
  patched,
  runAfter,
  type Settings,
} from "./settings.ts";

/** The maintenance settings of a workspace, or the defaults. `not_found` for a team that the caller is not in. */
export const getMaintenanceSettings: UseCase<Pick<Ports, "store">, "getMaintenanceSettings"> = async (
  ports,
  caller,
  input,
) => {
  const workspace = workspaceOf(caller, input);
  const stored = await ports.store.transaction(caller, async (transaction) => {
    await requireWorkspace(caller, transaction, workspace);
    return transaction.maintenance.settings(workspace);
  });
  return answerOf(ports, caller, workspace, stored);
};

/**
 * Changes the given settings. Automatic runs act for this caller from now on. The next one is due after the scheduled
 * interval, or earlier if one is already due earlier. `insufficient_scope` for a credential that reaches only a part of
 * the workspace, `role_forbidden` if the caller may not maintain the team.
 */
export const updateMaintenanceSettings: UseCase<
  Pick<Ports, "store" | "clock">,
  "updateMaintenanceSettings"
> = async (ports, caller, input) => {
  requireWholeSpace(caller);
  const workspace = workspaceOf(caller, input);
  const stored = await ports.store.transaction(caller, async (transaction) => {
    requireMaintainer(await requireWorkspace(caller, transaction, workspace));
    // An advisory lock, since the row may not exist yet.
    transaction.lock([{ ownerId: workspace.ownerId, name: `maintenance:${workspace.projectId}` }]);
    const before = await transaction.maintenance.settings(workspace);
    if (!namesSetting(input)) return before;
    const settings = patched(before, input);
    requireActions(caller, settings.automaticActions);
    const now = ports.clock();
    const next: StoredSettings = {
      ...settings,
      authority: authorityOf(caller),
      updatedAt: now,
      updatedBy: acceptorOf(caller),
      nextRunAt: nextRunAt(settings, before, now),
    };
    await transaction.maintenance.saveSettings(workspace, next);
    return next;
  });
  return answerOf(ports, caller, workspace, stored);
};

/** When the next scheduled run is due. Changing a setting never postpones it. */
function nextRunAt(settings: Settings, before: StoredSettings | null, now: number): number | null {
  if (settings.automaticActions.length === 0) return null;
  return Math.min(before?.nextRunAt ?? Number.POSITIVE_INFINITY, runAfter(settings, now));
}

async function answerOf(
  ports: Pick<Ports, "store">,
  caller: Caller,
  workspace: Workspace,
  stored: StoredSettings | null,
): Promise<MaintenanceSettingsAnswer> {
  const nextRun = stored?.nextRunAt ?? null;
  return {
    ...workspaceMembers(caller, workspace),
    ...namedSettings(stored ?? defaultSettings),
    updated_at: stored && rfc3339(stored.updatedAt),
    updated_by: stored?.updatedBy ?? null,
    next_run_at: nextRun === null ? null : rfc3339(nextRun),
    suspended_reason: stored && nextRun !== null ? await suspension(ports, caller, workspace, stored) : null,
  };
}

async function suspension(
  ports: Pick<Ports, "store">,
  caller: Caller,
  workspace: Workspace,
  { authority }: StoredSettings,
): Promise<string | null> {
  const acting = await actingFor(ports, authority, caller.requestId);
  return whySuspended(ports, acting, workspace);
}
