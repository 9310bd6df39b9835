import type { Caller } from "../../caller.ts";
import { DomainError } from "../../error.ts";
import { requireBucket, requireMaintainer } from "../../memory/access.ts";
import { factLocks } from "../../memory/identity.ts";
import type { MemoryRecord, SeenMemory } from "../../memory/memory-record.ts";
import type { LockKey } from "../../memory/memory-store.ts";
import { asItStands } from "../../memory/supersession.ts";
import { requireRoom } from "../../memory/write-rules.ts";
import type { Ports } from "../../ports.ts";
import type { RecordTransaction } from "../../system-of-record.ts";
import type { Outcome, RunItem } from "../maintenance-store.ts";

/** What the items of one batch are done with. */
export interface StepContext {
  readonly ports: Pick<Ports, "clock" | "hash">;
  readonly caller: Caller;
  readonly transaction: RecordTransaction;
  readonly runId: string;
  /** Whose workspace it is. */
  readonly ownerId: string;
}

/** The lock of the fact that an item's memory states. */
export function factLockOf({ ownerId }: StepContext, { semanticKey }: RunItem): LockKey[] {
  return factLocks([{ ownerId, semanticKey }]);
}

/** How the items of one action are done, or taken back. */
export interface Step {
  /** What must be locked before any row is. */
  locks?(context: StepContext, item: RunItem): readonly LockKey[];
  /** The items' memories are locked; answers what became of each item. */
  perform(
    context: StepContext,
    items: readonly RunItem[],
    locked: ReadonlyMap<string, SeenMemory>,
  ): Promise<Outcome[]>;
}

/** An item that is still as it should be, with its memory. */
export interface ReadyItem {
  readonly item: RunItem;
  readonly memory: MemoryRecord;
}

/**
 * Tells the items that can be done from those that are left, by the rules of a single change: seen, unchanged since, in a
 * bucket and a team that the caller may change, with room for it.
 */
export async function sortOut(
  context: StepContext,
  items: readonly RunItem[],
  locked: ReadonlyMap<string, SeenMemory>,
): Promise<{ ready: ReadyItem[]; left: Outcome[] }> {
  const ready: ReadyItem[] = [];
  const left: Outcome[] = [];
  for (const item of items) {
    const seen = locked.get(item.memory);
    const taken = ready.map(({ memory }) => memory);
    const why = await whyLeft(context, item, seen, taken);
    if (seen && why === null) ready.push({ item, memory: asItStands(seen.memory, context.ports.clock()) });
    else left.push(skipped(item, why ?? "not_found"));
  }
  return { ready, left };
}

async function whyLeft(
  { caller, transaction }: StepContext,
  item: RunItem,
  seen: SeenMemory | undefined,
  taken: readonly MemoryRecord[],
): Promise<string | null> {
  if (!seen) return "not_found";
  const { memory, role } = seen;
  if (memory.revision !== item.revision) return "changed";
  return refusalOf(async () => {
    requireMaintainer(role);
    requireBucket(caller, memory.bucket);
    await requireRoom(caller, transaction, { memories: 0, growth: [...taken, memory] });
  });
}

/** The code of the refusal, or null. */
async function refusalOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

export function skipped({ place }: RunItem, reason: string): Outcome {
  return { place, state: "skipped", reason };
}

/** Items by the memory that theirs go into. */
export function bySurvivor(ready: readonly ReadyItem[]): Map<string | null, ReadyItem[]> {
  const groups = new Map<string | null, ReadyItem[]>();
  for (const one of ready) groups.set(one.item.survivor, [...(groups.get(one.item.survivor) ?? []), one]);
  return groups;
}
