import { type MaintenanceAction, maintenanceActions, scanLimit } from "../../contract/maintenance.ts";
import { DomainError } from "../error.ts";
import type { Hash } from "../ports.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { Plan } from "./plan.ts";
import type { Settings } from "./settings.ts";

/** Half of a SHA-256: enough against chance, and nobody gains by forging a plan that is made anew and compared. */
const DIGEST_CHARACTERS = 32;

/** The settings that decide what an action does. */
const PARAMETERS: Readonly<Record<MaintenanceAction, readonly (keyof Settings)[]>> = {
  expire_overdue: [],
  archive_stale: ["staleAfterDays", "completedRetentionDays"],
  merge_duplicates: ["duplicateSimilarity"],
  purge_deleted: ["purgeDeletedAfterDays"],
  refresh_embeddings: [],
  repair_index: [],
};

/**
 * A plan as a text: the scan limit it was made with, then a digest for each action over exactly what it would do. So a
 * part of a reported plan can be carried out, and holds while only other parts of it have changed.
 */
export function planHash(hash: Hash, workspace: Workspace, plan: Plan, limit: number): string {
  const digests = maintenanceActions.map((action) => digestOf(hash, workspace, plan, action));
  return [limit, ...digests].join(".");
}

function digestOf(hash: Hash, workspace: Workspace, plan: Plan, action: MaintenanceAction): string {
  const items = (plan.items.get(action) ?? []).map(({ memory, survivor }) => [
    memory.id,
    memory.revision,
    survivor && [survivor.id, survivor.revision],
  ]);
  const parameters = PARAMETERS[action].map((name) => plan.settings[name]);
  const { ownerId, projectId } = workspace;
  return hash(JSON.stringify([ownerId, projectId, action, parameters, items])).slice(0, DIGEST_CHARACTERS);
}

/** The scan limit that a reported plan was made with. `plan_changed` for what is no plan hash. */
export function scanLimitOf(reported: string): number {
  const [, limit] = /^(\d{1,4})(?:\.[0-9a-f]{32}){6}$/.exec(reported) ?? [];
  const valid = scanLimit.safeParse(Number(limit));
  if (!valid.success) throw planChanged();
  return valid.data;
}

/** Refuses with `plan_changed` where one of the actions would do anything else than was reported. */
export function requireSamePlan(reported: string, now: string, actions: readonly MaintenanceAction[]): void {
  const [before, after] = [reported.split("."), now.split(".")];
  const isSame = actions.every((action) => {
    const place = maintenanceActions.indexOf(action) + 1;
    return before[place] === after[place];
  });
  if (!isSame) throw planChanged();
}

function planChanged(): DomainError {
  return new DomainError(
    "plan_changed",
    "What maintenance would do has changed since that report: ask for a new one.",
  );
}
