import { type MaintenanceAction, maintenanceActions } from "../../contract/maintenance.ts";
import type { Ports } from "../ports.ts";
import type { Workspace } from "../project/workspace-store.ts";
import * as due from "./due.ts";
import { findDuplicates } from "./duplicates.ts";
import type { MaintenanceTransaction } from "./maintenance-store.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import { defaultSettings, type Settings } from "./settings.ts";

export interface PlannedItem {
  readonly memory: ScannedMemory;
  /** For people: why it is due. */
  readonly reason: string;
  /** What it goes into, where it is merged. */
  readonly survivor: ScannedMemory | null;
}

/** What each of the actions would do now. */
export interface Plan {
  readonly settings: Settings;
  readonly items: ReadonlyMap<MaintenanceAction, readonly PlannedItem[]>;
  readonly scanned: number;
  readonly truncated: boolean;
}

export type PlanPorts = Pick<Ports, "breathe" | "clock">;
type Reader = Pick<MaintenanceTransaction, "settings" | "scan">;

/** Plans over what is likeliest to be due, at most `limit` memories of those that the reader sees. */
export async function planAll(
  ports: PlanPorts,
  reader: Reader,
  workspace: Workspace,
  { actions, limit }: { actions: readonly MaintenanceAction[]; limit: number },
): Promise<Plan> {
  const settings = (await reader.settings(workspace)) ?? defaultSettings;
  const now = ports.clock();
  const found = await reader.scan(workspace, {
    actions,
    now,
    staleBefore: now - settings.staleAfterDays * due.DAY_MS,
    endedBefore: now - settings.completedRetentionDays * due.DAY_MS,
    deletedBefore: now - settings.purgeDeletedAfterDays * due.DAY_MS,
    limit,
  });
  const items = await plannedFor(ports, found.slice(0, limit), settings, { actions, now });
  return { settings, items, scanned: Math.min(found.length, limit), truncated: found.length > limit };
}

const JUDGES: Readonly<Record<Exclude<MaintenanceAction, "merge_duplicates">, due.Judge>> = {
  expire_overdue: due.expiry,
  archive_stale: due.staleness,
  purge_deleted: due.purge,
  refresh_embeddings: due.missingEmbedding,
  repair_index: due.doubtfulProjection,
};

/** Which of these memories are due for which of the actions, each in order of storing. */
export async function plannedFor(
  ports: Pick<Ports, "breathe">,
  memories: readonly ScannedMemory[],
  settings: Settings,
  { actions, now, judges = {} }: { actions: readonly MaintenanceAction[]; now: number; judges?: Judges },
): Promise<Map<MaintenanceAction, PlannedItem[]>> {
  const ordered = memories.toSorted((a, b) => a.seq - b.seq);
  const planned = new Map<MaintenanceAction, PlannedItem[]>();
  for (const action of inTheirOrder(actions)) {
    if (action === "merge_duplicates") {
      planned.set(action, await merges(ports, ordered, settings, now));
      continue;
    }
    const judge = judges[action] ?? JUDGES[action];
    const items = ordered.flatMap((memory) => {
      const reason = judge(memory, settings, now);
      return reason === null ? [] : [{ memory, reason, survivor: null }];
    });
    planned.set(action, items);
  }
  return planned;
}

export type Judges = Partial<typeof JUDGES>;

/** The order in which a run does them. */
export function inTheirOrder(actions: readonly MaintenanceAction[]): MaintenanceAction[] {
  return maintenanceActions.filter((action) => actions.includes(action));
}

async function merges(
  { breathe }: Pick<Ports, "breathe">,
  memories: readonly ScannedMemory[],
  { duplicateSimilarity }: Settings,
  now: number,
): Promise<PlannedItem[]> {
  const found = await findDuplicates(memories, { similarityMin: duplicateSimilarity, now, breathe });
  return found
    .map(({ memory, survivor, cosine }) => ({
      memory,
      reason: `says what a better one says (cosine ${cosine.toFixed(2)})`,
      survivor,
    }))
    .sort((a, b) => a.memory.seq - b.memory.seq);
}
