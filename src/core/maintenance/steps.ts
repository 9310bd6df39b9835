import type { MaintenanceAction } from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import { mayChange, requireBucket, requireMaintainer } from "../memory/access.ts";
import { factLocks, idLock, rehashed } from "../memory/identity.ts";
import {
  type MemoryChange,
  type MemoryRecord,
  nextVersion,
  type SeenMemory,
  type StoredStatus,
} from "../memory/memory-record.ts";
import type { LockKey } from "../memory/memory-store.ts";
import { rfc3339 } from "../memory/present.ts";
import { withServiceMembers } from "../memory/service-members.ts";
import { asItStands, holdersOfFact, isLive, NOT_SUPERSEDED, succeededBy } from "../memory/supersession.ts";
import { requireRoom } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import { recordUnchangedState } from "../project/item.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { Direction, Outcome, RunItem } from "./maintenance-store.ts";

// Implements how each action changes memories, and how it is undone.

/** The context of a step, which handles one batch of a run. */
interface StepContext {
  readonly ports: Pick<Ports, "clock" | "hash">;
  readonly caller: Caller;
  readonly transaction: RecordTransaction;
  readonly runId: string;
  readonly ownerId: string;
}

/** The lock on the fact that an item's memory states. */
function factLockOf({ ownerId }: StepContext, { semanticKey }: RunItem): LockKey[] {
  return factLocks([{ ownerId, semanticKey }]);
}

/** The lock on the public id of an item's survivor. */
function survivorLockOf({ ownerId }: StepContext, { survivorMemoryId }: RunItem): LockKey[] {
  return survivorMemoryId === null ? [] : [idLock(ownerId, survivorMemoryId)];
}

/** Does or undoes the items of one action. */
interface Step {
  /** The locks to take before any row is locked. */
  locks?(context: StepContext, item: RunItem): readonly LockKey[];
  /** Called with the items' memories locked. Returns the outcome of each item. */
  perform(
    context: StepContext,
    items: readonly RunItem[],
    locked: ReadonlyMap<string, SeenMemory>,
  ): Promise<Outcome[]>;
}

/** An item whose memory is unchanged since planning, with that memory. */
interface ReadyItem {
  readonly item: RunItem;
  readonly memory: MemoryRecord;
}

/**
 * Separates the items that can be done from those that are skipped. The same rules apply as for a single change: the
 * memory is visible and unchanged, its bucket and team may be changed by the caller, and there is room.
 */
async function sortOut(
  context: StepContext,
  items: readonly RunItem[],
  locked: ReadonlyMap<string, SeenMemory>,
  keepsVersions = true,
): Promise<{ ready: ReadyItem[]; left: Outcome[] }> {
  const ready: ReadyItem[] = [];
  const left: Outcome[] = [];
  for (const item of items) {
    const seen = locked.get(item.memory);
    const growth = keepsVersions ? ready.map(({ memory }) => memory) : null;
    const why = await whyLeft(context, item, seen, growth);
    if (seen && why === null) ready.push({ item, memory: asItStands(seen.memory, context.ports.clock()) });
    else left.push(skipped(item, why ?? "not_found"));
  }
  return { ready, left };
}

async function whyLeft(
  { caller, transaction }: StepContext,
  item: RunItem,
  seen: SeenMemory | undefined,
  growth: readonly MemoryRecord[] | null,
): Promise<string | null> {
  if (!seen) return "not_found";
  const { memory, role } = seen;
  if (memory.revision !== item.revision) return "changed";
  return errorCodeOf(async () => {
    requireMaintainer(role);
    requireBucket(caller, memory.bucket);
    if (growth === null) return;
    const by = { ownerId: memory.ownerId, memories: 0, growth: [...growth, memory] };
    await requireRoom(caller, transaction, by);
  });
}

/** The code of the error that the check throws, or null. */
async function errorCodeOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

function skipped({ place }: RunItem, reason: string): Outcome {
  return { place, state: "skipped", reason };
}

/** Groups items by their survivor. */
function bySurvivor(ready: readonly ReadyItem[]): Map<string | null, ReadyItem[]> {
  const groups = new Map<string | null, ReadyItem[]>();
  for (const one of ready) groups.set(one.item.survivor, [...(groups.get(one.item.survivor) ?? []), one]);
  return groups;
}

/**
 * Archives memories, todos and decisions: they disappear from recall and lists, and keep their text. For a todo or
 * decision, only its memory is archived; its state stays the same and gets a line in the audit trail.
 */
const archive: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    // Pipelined: the connection executes the statements in order without a round trip for each.
    const done = await Promise.all(
      ready.map(async (one): Promise<Outcome> => {
        const as = { operation: one.item.action, inTrail: "archive" };
        const { revision } = await changeStatus(context, one, "archived", as);
        return { place: one.item.place, state: "changed", revision, formerStatus: one.memory.status };
      }),
    );
    return [...left, ...done];
  },
};

/**
 * Changes a memory's status as an update by its caller would, keeping the former state as a version. A todo or decision
 * keeps its own status and gets a line in its audit trail.
 */
async function changeStatus(
  { ports, caller, transaction, runId }: StepContext,
  { item, memory }: ReadyItem,
  status: StoredStatus,
  as: { readonly operation: string; readonly inTrail: string },
): Promise<MemoryRecord> {
  const change: MemoryChange = {
    status,
    version: nextVersion(memory.version),
    updatedAt: ports.clock(),
  };
  // A memory without a hash is never deduplicated, whatever its status.
  const hashed = memory.dedupeHash === null ? change : rehashed(ports.hash, memory, change);
  const changed = await transaction.change(memory, hashed, {
    operation: as.operation,
    keepVersion: true,
    reason: item.reason,
    detail: { run: runId },
  });
  if (memory.workspaceItem !== null) {
    const line = { at: changed.updatedAt, operation: as.inTrail, note: `maintenance run ${runId}` };
    await recordUnchangedState(caller, transaction, memory, line);
  }
  return changed;
}

/** Restores archived memories to their former status, unless another memory states their fact by now. */
const unarchive: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const done: Outcome[] = [];
    for (const one of ready) {
      const status = (one.item.formerStatus ?? "active") as StoredStatus;
      const back = { ...one.memory, status };
      if ((await holdersOfFact(context.transaction, back, context.ports.clock())).length > 0) {
        done.push(skipped(one.item, "fact_taken"));
        continue;
      }
      await changeStatus(context, one, status, { operation: "maintenance_restore", inTrail: "unarchive" });
      done.push({ place: one.item.place, state: "changed" });
    }
    return [...left, ...done];
  },
};

/**
 * Supersedes duplicates by their survivor and adds them to its provenance. If the survivor is no longer as planned, its
 * duplicates are skipped.
 */
const merge: Step = {
  locks: survivorLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const done: Outcome[] = [];
    for (const [survivorId, group] of bySurvivor(ready)) {
      const survivor = survivorId === null ? undefined : locked.get(survivorId);
      if (survivor && isAsPlanned(context, survivor, group[0]?.item)) {
        done.push(...(await collapse(context, survivor.memory, group)));
      } else {
        done.push(...group.map(({ item }) => skipped(item, "survivor_changed")));
      }
    }
    return [...left, ...done];
  },
};

function isAsPlanned(
  { ports, caller }: StepContext,
  survivor: SeenMemory,
  item: RunItem | undefined,
): boolean {
  const { memory } = survivor;
  return (
    memory.revision === item?.survivorRevision && mayChange(caller, survivor) && isLive(memory, ports.clock())
  );
}

async function collapse(
  { ports, transaction, runId }: StepContext,
  survivor: MemoryRecord,
  group: readonly ReadyItem[],
): Promise<Outcome[]> {
  const now = ports.clock();
  const gone = succeededBy(survivor.memoryId, now);
  const detail = { run: runId, into: survivor.id };
  const done = await Promise.all(
    group.map(async ({ item, memory }): Promise<Outcome> => {
      const { revision } = await transaction.change(
        memory,
        { ...gone, updatedAt: now },
        { operation: "merge_duplicates", keepVersion: true, reason: item.reason, detail },
      );
      return { place: item.place, state: "changed", revision, formerStatus: memory.status };
    }),
  );
  const merged = group.map(({ memory }) => memory);
  // Without an audit line: those of the merged memories name the survivor.
  await transaction.change(
    survivor,
    { provenance: withMerged(survivor.provenance, merged), updatedAt: now },
    { operation: "merge_duplicates", keepVersion: false, detail: null },
  );
  return done;
}

/** Restores merged memories to their former status, and removes them from the survivor's provenance. */
const unmerge: Step = {
  locks: survivorLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const done: Outcome[] = [];
    for (const [survivorId, group] of bySurvivor(ready)) {
      await Promise.all(group.map((one) => revive(context, one)));
      done.push(...group.map(({ item }) => ({ place: item.place, state: "changed" }) as const));
      const survivor = survivorId === null ? undefined : locked.get(survivorId);
      const memories = group.map(({ memory }) => memory);
      if (survivor) await forget(context, survivor, memories);
    }
    return [...left, ...done];
  },
};

async function revive(
  { ports, transaction, runId }: StepContext,
  { item, memory }: ReadyItem,
): Promise<void> {
  const status = (item.formerStatus ?? "active") as StoredStatus;
  await transaction.change(
    memory,
    { status, ...NOT_SUPERSEDED, updatedAt: ports.clock() },
    { operation: "maintenance_restore", keepVersion: true, detail: { run: runId } },
  );
}

/**
 * Removes the revived memories from the survivor's provenance, whatever the survivor's state, so that the provenance
 * stays correct.
 */
async function forget(
  { ports, transaction }: StepContext,
  { memory }: SeenMemory,
  revived: readonly MemoryRecord[],
): Promise<void> {
  const provenance = withoutMerged(memory.provenance, revived);
  if (provenance === memory.provenance) return;
  await transaction.change(
    memory,
    { provenance, updatedAt: ports.clock() },
    { operation: "maintenance_restore", keepVersion: false, detail: null },
  );
}

type Members = Readonly<Record<string, unknown>>;
type Merged = Members & { readonly id: string };

/**
 * The provenance keeps only the latest entries, as many as fit. The merged memories keep their own provenance in full.
 */
const KEPT_MAX = 100;

/**
 * The survivor's provenance with an entry for each merged memory, and for the memories that had been merged into those.
 */
function withMerged(provenance: Members, memories: readonly MemoryRecord[]): Members {
  const added = memories.flatMap((memory) => [...mergedIn(memory.provenance), entryOf(memory)]);
  const kept = [...mergedIn(provenance), ...added].slice(-KEPT_MAX);
  return kept.length === 0 ? provenance : withServiceMembers("provenance", provenance, { merged_from: kept });
}

/** The provenance without the entries of these memories; the same object if it has none of them. */
function withoutMerged(provenance: Members, memories: readonly MemoryRecord[]): Members {
  const gone = new Set(
    memories.flatMap((memory) => [memory.memoryId, ...mergedIn(memory.provenance).map(({ id }) => id)]),
  );
  const before = mergedIn(provenance);
  const kept = before.filter(({ id }) => !gone.has(id));
  if (kept.length === before.length) return provenance;
  const { merged_from: _, ...others } = provenance;
  return kept.length === 0 ? others : { ...others, merged_from: kept };
}

/**
 * The entry of a merged memory. It contains nothing that the author wrote, so that erasing the memory leaves nothing
 * behind.
 */
function entryOf({ memoryId, createdAt, agentId }: MemoryRecord): Merged {
  return { id: memoryId, at: rfc3339(createdAt), agent_id: agentId };
}

function mergedIn({ merged_from: merged }: Members): Merged[] {
  return Array.isArray(merged) ? merged.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Merged {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}

/** Erases soft-deleted memories as a hard delete does, with one receipt for the batch. */
const purge: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked, false);
    if (ready.length === 0) return left;
    const receipt = await context.transaction.erase(
      ready.map(({ memory }) => memory),
      {
        mode: "hard_delete",
        at: context.ports.clock(),
        replacement: null,
        detail: { run: context.runId },
      },
    );
    const done = ready.map(
      ({ item }) => ({ place: item.place, state: "changed", receipt: receipt.id }) as const,
    );
    return [...left, ...done];
  },
};

/** Queues memories in the outbox to be embedded or projected again, without changing them. */
const queue: Step = {
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked, false);
    const [first] = ready;
    if (!first) return left;
    await context.transaction.maintenance.queue(
      context.ownerId,
      ready.map(({ memory }) => memory.id),
      { operation: first.item.action, run: context.runId },
    );
    return [...left, ...ready.map(({ item }) => ({ place: item.place, state: "changed" }) as const)];
  },
};

/** The step of each action, and of its undo if it has one. */
export const STEPS: Readonly<Record<Direction, Readonly<Partial<Record<MaintenanceAction, Step>>>>> = {
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
