import { type MaintenanceAction, maintenanceActions } from "../../contract/maintenance.ts";
import { invalid } from "../error.ts";
import type { Ports } from "../ports.ts";
import type { Workspace } from "../project/workspace-store.ts";
import { namedProjection } from "./due.ts";
import type { MaintenanceTransaction, NewItem } from "./maintenance-store.ts";
import { inTheirOrder, type PlannedItem, planAll, plannedFor } from "./plan.ts";
import { planHash, requireSamePlan, scanLimitOf } from "./plan-hash.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import { defaultSettings } from "./settings.ts";

/** What a request wants done, by one of three selections. */
export type Selection =
  | { readonly by: "targets"; readonly ids: readonly string[] }
  | { readonly by: "all"; readonly limit: number }
  | { readonly by: "plan"; readonly hash: string };

/** The one selection of a request. `validation_failed` where it has none or several. An empty list of ids is none. */
export function selectionOf(input: {
  target_ids?: readonly string[] | null | undefined;
  confirm_all_matching: boolean;
  plan_hash?: string | null | undefined;
  scan_limit: number;
}): Selection {
  const selections: Selection[] = [
    ...(input.target_ids?.length ? [{ by: "targets" as const, ids: [...new Set(input.target_ids)] }] : []),
    ...(input.confirm_all_matching ? [{ by: "all" as const, limit: input.scan_limit }] : []),
    ...(input.plan_hash ? [{ by: "plan" as const, hash: input.plan_hash }] : []),
  ];
  const [first] = selections;
  if (first && selections.length === 1) return first;
  throw invalid([], "must have exactly one of target_ids, confirm_all_matching: true and plan_hash");
}

/** What a run is to do, in its order, with what it will not do and why. */
export interface Chosen {
  readonly items: readonly NewItem[];
  readonly truncated: boolean;
}

type SelectPorts = Pick<Ports, "breathe" | "clock" | "hash">;
type Reader = Pick<MaintenanceTransaction, "settings" | "scan" | "scanNamed">;

/** The items of a selection. `plan_changed` where it is a plan that holds no more. */
export async function choose(
  ports: SelectPorts,
  reader: Reader,
  workspace: Workspace,
  { actions, selection }: { actions: readonly MaintenanceAction[]; selection: Selection },
): Promise<Chosen> {
  if (selection.by === "targets") {
    const items = await chooseNamed(ports, reader, workspace, actions, selection.ids);
    return { items: eachOnce(items), truncated: false };
  }
  if (selection.by === "all") {
    const plan = await planAll(ports, reader, workspace, { actions, limit: selection.limit });
    return { items: eachOnce(inOrder(actions, plan.items)), truncated: plan.truncated };
  }
  // The whole report again: which memories it looked at depends on all the actions.
  const limit = scanLimitOf(selection.hash);
  const plan = await planAll(ports, reader, workspace, { actions: maintenanceActions, limit });
  requireSamePlan(selection.hash, planHash(ports.hash, workspace, plan, limit), actions);
  return { items: eachOnce(inOrder(actions, plan.items)), truncated: plan.truncated };
}

function inOrder(
  actions: readonly MaintenanceAction[],
  planned: ReadonlyMap<MaintenanceAction, readonly PlannedItem[]>,
): NewItem[] {
  return inTheirOrder(actions).flatMap((action) =>
    (planned.get(action) ?? []).map((item) => todo(action, item)),
  );
}

function todo(action: MaintenanceAction, { memory, reason, survivor }: PlannedItem): NewItem {
  return {
    action,
    memory: memory.id,
    memoryId: memory.memoryId,
    revision: memory.revision,
    survivor: survivor && { id: survivor.id, revision: survivor.revision },
    state: "pending",
    reason,
  };
}

/** Each of the ids with each action: to be done where it is due, and otherwise why not. */
async function chooseNamed(
  ports: SelectPorts,
  reader: Reader,
  workspace: Workspace,
  actions: readonly MaintenanceAction[],
  ids: readonly string[],
): Promise<NewItem[]> {
  const settings = (await reader.settings(workspace)) ?? defaultSettings;
  const memories = new Map(
    (await reader.scanNamed(workspace, ids)).map((memory) => [memory.memoryId, memory] as const),
  );
  const judges = { repair_index: namedProjection };
  const planned = await plannedFor(ports, [...memories.values()], settings, {
    actions,
    now: ports.clock(),
    judges,
  });
  return inTheirOrder(actions).flatMap((action) => {
    const due = new Map(planned.get(action)?.map((item) => [item.memory.memoryId, item] as const));
    return ids.map((id) => {
      const item = due.get(id);
      return item ? todo(action, item) : left(action, id, memories.get(id) ?? null);
    });
  });
}

function left(action: MaintenanceAction, id: string, memory: ScannedMemory | null): NewItem {
  return {
    action,
    memory: memory?.id ?? null,
    memoryId: id,
    revision: memory?.revision ?? null,
    survivor: null,
    state: "skipped",
    reason: memory === null ? "not_found" : "not_due",
  };
}

/** These leave the memory as it is, so that they go with anything else. */
const HARMLESS: readonly MaintenanceAction[] = ["refresh_embeddings", "repair_index"];

/** The first action that changes a memory has it: for another one of the same run it is no longer what was planned. */
function eachOnce(items: readonly NewItem[]): NewItem[] {
  const taken = new Set<string>();
  return items.map((item) => {
    if (item.state !== "pending" || item.memory === null || HARMLESS.includes(item.action)) return item;
    if (taken.has(item.memory)) return { ...item, state: "skipped" as const, reason: "taken" };
    taken.add(item.memory);
    return item;
  });
}
