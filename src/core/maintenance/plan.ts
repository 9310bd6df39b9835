import {
  type MaintenanceAction,
  type MaintenanceReport,
  maintenanceActions,
  scanLimit,
} from "../../contract/maintenance.ts";
import type { Hash } from "../environment.ts";
import { DomainError, invalid } from "../error.ts";
import { fittingStarts } from "../limits/answer-bytes.ts";
import { rfc3339 } from "../memory/present.ts";
import { isReviewDue, verificationOf } from "../memory/review.ts";
import { isLive, statusAt } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";
import type { OnProgress } from "../progress.ts";
import { requireWorkspace, workspaceMembers, workspaceOf } from "../project/workspace.ts";
import type { Workspace } from "../project/workspace-store.ts";
import type { UseCase } from "../use-case.ts";
import { findDuplicates } from "./duplicates.ts";
import type { MaintenanceTransaction, NewItem } from "./maintenance-store.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import { defaultSettings, type Settings } from "./settings.ts";

// Finds the memories that are due for each action, for a report or a run.

/**
 * Reports what each action would do now, and why. Changes nothing. `not_found` for a team that the caller is not a
 * member of.
 */
export const reportMaintenance: UseCase<
  Pick<Ports, "store" | "clock" | "hash" | "pace" | "onProgress">,
  "reportMaintenance"
> = async (ports, caller, input) => {
  const workspace = workspaceOf(caller, input);
  const limit = input.scan_limit;
  return ports.store.transaction(caller, async (transaction) => {
    await requireWorkspace(caller, transaction, workspace);
    const { maintenance } = transaction;
    const { onProgress } = ports;
    const asked = { actions: maintenanceActions, limit, onProgress };
    const plan = await planAll(ports, maintenance, workspace, asked);
    const now = ports.clock();
    return {
      ...workspaceMembers(caller, workspace),
      generated_at: rfc3339(now),
      scan_limit: limit,
      scanned: plan.scanned,
      truncated: plan.truncated,
      plan_hash: planHash(ports.hash, workspace, plan, limit),
      totals: totalsOf(plan),
      actions: actionsOf(plan),
      notes: notesOn(await maintenance.overdueTodos(workspace, now)),
    };
  });
};

function totalsOf({ items }: Plan): MaintenanceReport["totals"] {
  return Object.fromEntries(
    maintenanceActions.map((action) => [action, items.get(action)?.length ?? 0]),
  ) as MaintenanceReport["totals"];
}

/** Each action with the number of its memories, and as many of them as fit into an answer. */
function actionsOf(plan: Plan): MaintenanceReport["actions"] {
  const planned = maintenanceActions.map((action) => plan.items.get(action) ?? []);
  const listed = fittingStarts(planned.map((items) => items.map(plannedItem)));
  return maintenanceActions.map((action, at) => ({
    action,
    matched: planned[at]?.length ?? 0,
    items: listed[at] ?? [],
  }));
}

function plannedItem({ memory, reason, survivor }: PlannedItem) {
  return { id: memory.memoryId, reason, ...(survivor ? { into: survivor.memoryId } : {}) };
}

function notesOn(overdueTodos: number): string[] {
  if (overdueTodos === 0) return [];
  const todos = overdueTodos === 1 ? "1 unfinished todo is" : `${overdueTodos} unfinished todos are`;
  return [`${todos} past the due date. Maintenance leaves them alone.`];
}

/** How a request selects memories. */
export type Selection =
  | { readonly by: "targets"; readonly ids: readonly string[] }
  | { readonly by: "all"; readonly limit: number }
  /** All items of that plan, or only those of the memories in `only`. */
  | { readonly by: "plan"; readonly hash: string; readonly only: readonly string[] | null };

/** The selection of a request. `validation_failed` if it has none or several. An empty list of ids counts as none. */
export function selectionOf(input: {
  target_ids?: readonly string[] | null | undefined;
  confirm_all_matching: boolean;
  plan_hash?: string | null | undefined;
  only?: readonly string[] | null | undefined;
  scan_limit: number;
}): Selection {
  const selections: Selection[] = [
    ...(input.target_ids?.length ? [{ by: "targets" as const, ids: [...new Set(input.target_ids)] }] : []),
    ...(input.confirm_all_matching ? [{ by: "all" as const, limit: input.scan_limit }] : []),
    ...(input.plan_hash ? [{ by: "plan" as const, hash: input.plan_hash, only: input.only ?? null }] : []),
  ];
  const [first] = selections;
  if (input.only && first?.by !== "plan") throw invalid(["only"], "must come with a plan_hash");
  if (first && selections.length === 1) return first;
  throw invalid([], "must have exactly one of target_ids, confirm_all_matching: true and plan_hash");
}

/** A run's items in order, including those that it skips. */
export interface Chosen {
  readonly items: readonly NewItem[];
  readonly truncated: boolean;
}

type SelectPorts = Pick<Ports, "pace" | "clock" | "hash">;
type Reader = Pick<MaintenanceTransaction, "settings" | "scan" | "scanNamed">;

/** The items of a selection. `plan_changed` if it names a plan that no longer holds. */
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
    return { items: eachOnce(itemsInOrder(actions, plan.items)), truncated: plan.truncated };
  }
  // Plans all actions, as the report did, because they determine together which memories are scanned.
  const limit = scanLimitOf(selection.hash);
  const plan = await planAll(ports, reader, workspace, { actions: maintenanceActions, limit });
  requireSamePlan(selection.hash, planHash(ports.hash, workspace, plan, limit), actions);
  const planned = itemsInOrder(actions, plan.items);
  const items = selection.only === null ? planned : onlyNamed(planned, selection.only);
  return { items: eachOnce(items), truncated: plan.truncated };
}

/** The planned items with these ids. `plan_changed` if the plan lacks one of them. */
function onlyNamed(planned: readonly NewItem[], ids: readonly string[]): NewItem[] {
  const named = new Set(ids);
  const items = planned.filter(({ memoryId }) => named.has(memoryId));
  if (new Set(items.map(({ memoryId }) => memoryId)).size < named.size) throw planChanged();
  return items;
}

function itemsInOrder(
  actions: readonly MaintenanceAction[],
  planned: ReadonlyMap<MaintenanceAction, readonly PlannedItem[]>,
): NewItem[] {
  return inTheirOrder(actions).flatMap((action) =>
    (planned.get(action) ?? []).map((item) => pending(action, item)),
  );
}

function pending(action: MaintenanceAction, { memory, reason, survivor }: PlannedItem): NewItem {
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

/** The maximum number of memories that a report can scan. */
const SCAN_MAX = 5000;

/**
 * An item for each id and action: pending if the memory is due, otherwise skipped with the reason. A duplicate is
 * merged into the survivor that a report would name. If a report would not find it, only another named memory can be
 * its survivor.
 */
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
  const reported = actions.includes("merge_duplicates")
    ? await planAll(ports, reader, workspace, { actions: maintenanceActions, limit: SCAN_MAX })
    : null;
  return inTheirOrder(actions).flatMap((action) => {
    const inReport = action === "merge_duplicates" ? (reported?.items.get(action) ?? []) : [];
    const isMerged = new Set(inReport.map(({ memory }) => memory.id));
    const named = (planned.get(action) ?? []).filter(
      ({ survivor }) => survivor === null || !isMerged.has(survivor.id),
    );
    const due = new Map([...named, ...inReport].map((item) => [item.memory.memoryId, item] as const));
    return ids.map((id) => {
      const item = due.get(id);
      return item ? pending(action, item) : skippedItem(action, id, memories.get(id) ?? null);
    });
  });
}

function skippedItem(action: MaintenanceAction, id: string, memory: ScannedMemory | null): NewItem {
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

/** Actions that do not change the memory, so that they combine with any other action. */
const HARMLESS: readonly MaintenanceAction[] = ["refresh_embeddings", "repair_index"];

/** Keeps only the first action that changes a memory: for any later one, the memory would no longer be as planned. */
function eachOnce(items: readonly NewItem[]): NewItem[] {
  const taken = new Set<string>();
  return items.map((item) => {
    if (item.state !== "pending" || item.memory === null || HARMLESS.includes(item.action)) return item;
    if (taken.has(item.memory)) return { ...item, state: "skipped" as const, reason: "taken" };
    taken.add(item.memory);
    return item;
  });
}

const DAY_MS = 86_400_000;

/** Returns why a memory is due for an action, or null if it is not due. */
type Judge = (memory: ScannedMemory, settings: Settings, now: number) => string | null;

/** Due if the memory has expired while its stored status is still live. */
const expiry: Judge = (memory, _, now) =>
  memory.workspaceItem === null && memory.expiresAt !== null && statusAt(memory, now) === "expired"
    ? `expired ${day(memory.expiresAt)}`
    : null;

/**
 * Due if the memory was neither changed nor verified for long, or its review is due; for a todo or decision, if it was
 * finished or superseded long ago.
 */
const staleness: Judge = (memory, settings, now) => {
  if (memory.workspaceItem !== null) return retention(memory, settings, now);
  if (!isLive(memory, now)) return null;
  const review = instantOf(memory.reviewAfter);
  const verified = verificationOf(instantOf(memory.lastVerifiedAt), memory.lastVerifiedBy, now);
  if (review !== null && review > now) return null;
  if (review !== null && isReviewDue(review, verified, now)) return `review due since ${day(review)}`;
  // A memory about the future is not stale, however long ago it was written.
  if ((instantOf(memory.dueAt) ?? now) > now) return null;
  const keptUp = Math.max(memory.updatedAt, verified ?? Number.NEGATIVE_INFINITY);
  return now - keptUp >= settings.staleAfterDays * DAY_MS
    ? `neither changed nor verified since ${day(keptUp)}`
    : null;
};

const retention: Judge = ({ workspaceItem, status, endedAt }, { completedRetentionDays }, now) => {
  if (endedAt === null || status === "archived" || now - endedAt < completedRetentionDays * DAY_MS)
    return null;
  return workspaceItem === "todo" ? `finished ${day(endedAt)}` : `superseded ${day(endedAt)}`;
};

/** Due if the memory was soft-deleted long enough ago. */
const purge: Judge = ({ status, updatedAt }, settings, now) =>
  status === "soft_deleted" && now - updatedAt >= settings.purgeDeletedAfterDays * DAY_MS
    ? `soft-deleted ${day(updatedAt)}`
    : null;

/** Due if the memory has no current vector and none is queued. */
const missingEmbedding: Judge = (memory) =>
  isIndexed(memory) && !memory.isEmbedded && !memory.isQueued
    ? "no vector of the present embedding generation"
    : null;

/** Due if the memory's projection has failed, so that the index may be stale. */
const doubtfulProjection: Judge = (memory) =>
  isIndexed(memory) && memory.isStuck ? "its projection has failed and waits for a retry" : null;

/** A memory that the caller names is projected again even without a sign of failure. */
const namedProjection: Judge = (memory) => (isIndexed(memory) ? "named" : null);

function isIndexed({ status }: ScannedMemory): boolean {
  return status !== "redacted" && status !== "soft_deleted";
}

/** A metadata member as an instant; null if it is missing or invalid. */
function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

function day(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

interface PlannedItem {
  readonly memory: ScannedMemory;
  /** Why it is due, for people. */
  readonly reason: string;
  /** The memory that it is merged into; null for other actions. */
  readonly survivor: ScannedMemory | null;
}

interface Plan {
  readonly settings: Settings;
  readonly items: ReadonlyMap<MaintenanceAction, readonly PlannedItem[]>;
  readonly scanned: number;
  readonly truncated: boolean;
}

type PlanPorts = Pick<Ports, "pace" | "clock">;

interface Planning {
  readonly actions: readonly MaintenanceAction[];
  readonly limit: number;
  /** Only for a report. A run reports the progress of its items instead. */
  readonly onProgress?: OnProgress | undefined;
}

/** Plans the actions over at most `limit` memories that the reader sees, those most likely to be due first. */
async function planAll(
  ports: PlanPorts,
  reader: Pick<MaintenanceTransaction, "settings" | "scan">,
  workspace: Workspace,
  { actions, limit, onProgress }: Planning,
): Promise<Plan> {
  const settings = (await reader.settings(workspace)) ?? defaultSettings;
  const now = ports.clock();
  const found = await reader.scan(workspace, {
    actions,
    now,
    staleBefore: now - settings.staleAfterDays * DAY_MS,
    endedBefore: now - settings.completedRetentionDays * DAY_MS,
    deletedBefore: now - settings.purgeDeletedAfterDays * DAY_MS,
    limit,
  });
  const items = await plannedFor(ports, found.slice(0, limit), settings, { actions, now, onProgress });
  return { settings, items, scanned: Math.min(found.length, limit), truncated: found.length > limit };
}

const JUDGES: Readonly<Record<Exclude<MaintenanceAction, "merge_duplicates">, Judge>> = {
  expire_overdue: expiry,
  archive_stale: staleness,
  purge_deleted: purge,
  refresh_embeddings: missingEmbedding,
  repair_index: doubtfulProjection,
};

interface PlannedFor extends Pick<Planning, "actions" | "onProgress"> {
  readonly now: number;
  readonly judges?: Judges;
}

/** The memories that are due for each action, in the order in which they were stored. */
async function plannedFor(
  ports: Pick<Ports, "pace">,
  memories: readonly ScannedMemory[],
  settings: Settings,
  { actions, now, judges = {}, onProgress }: PlannedFor,
): Promise<Map<MaintenanceAction, PlannedItem[]>> {
  const ordered = memories.toSorted((a, b) => a.seq - b.seq);
  const planned = new Map<MaintenanceAction, PlannedItem[]>();
  for (const action of inTheirOrder(actions)) {
    if (action === "merge_duplicates") {
      planned.set(action, await plannedMerges(ports, ordered, settings, { now, onProgress }));
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

type Judges = Partial<typeof JUDGES>;

/** The actions in the order in which a run does them. */
export function inTheirOrder(actions: readonly MaintenanceAction[]): MaintenanceAction[] {
  return maintenanceActions.filter((action) => actions.includes(action));
}

async function plannedMerges(
  { pace }: Pick<Ports, "pace">,
  memories: readonly ScannedMemory[],
  { duplicateSimilarity }: Settings,
  { now, onProgress }: Pick<PlannedFor, "now" | "onProgress">,
): Promise<PlannedItem[]> {
  const how = { similarityMin: duplicateSimilarity, now, pace, onProgress };
  const found = await findDuplicates(memories, how);
  return found
    .map(({ memory, survivor, cosine }) => ({
      memory,
      reason:
        cosine === null
          ? "has the same text as a better memory"
          : `repeats a better memory (cosine ${cosine.toFixed(2)})`,
      survivor,
    }))
    .sort((a, b) => a.memory.seq - b.memory.seq);
}

/**
 * Half of a SHA-256: enough against accidental collisions. Forging one gains nothing, since the plan is computed again
 * and compared.
 */
const DIGEST_CHARACTERS = 32;

/** The settings that affect each action. */
const PARAMETERS: Readonly<Record<MaintenanceAction, readonly (keyof Settings)[]>> = {
  expire_overdue: [],
  archive_stale: ["staleAfterDays", "completedRetentionDays"],
  merge_duplicates: ["duplicateSimilarity"],
  purge_deleted: ["purgeDeletedAfterDays"],
  refresh_embeddings: [],
  repair_index: [],
};

/**
 * The plan as a string: its scan limit, then for each action a digest of exactly what it would do. A single action of a
 * reported plan can therefore be executed, and stays valid if only other actions have changed.
 */
function planHash(hash: Hash, workspace: Workspace, plan: Plan, limit: number): string {
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

/** The scan limit of a reported plan. `plan_changed` if the text is not a plan hash. */
function scanLimitOf(reported: string): number {
  const [, limit] = /^(\d{1,4})(?:\.[0-9a-f]{32}){6}$/.exec(reported) ?? [];
  const valid = scanLimit.safeParse(Number(limit));
  if (!valid.success) throw planChanged();
  return valid.data;
}

/** Rejects with `plan_changed` if one of the actions would do anything other than was reported. */
function requireSamePlan(reported: string, now: string, actions: readonly MaintenanceAction[]): void {
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
    "What maintenance would do has changed since that report. Ask for a new report and apply that one.",
  );
}
