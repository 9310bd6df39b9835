import { mayChange } from "../../memory/access.ts";
import { idLock } from "../../memory/identity.ts";
import type { MemoryRecord, SeenMemory } from "../../memory/memory-record.ts";
import { isLive, succeededBy } from "../../memory/supersession.ts";
import type { Outcome, RunItem } from "../maintenance-store.ts";
import { withMerged } from "../merged-provenance.ts";
import { bySurvivor, type ReadyItem, type Step, type StepContext, skipped, sortOut } from "./step.ts";

/**
 * Lets duplicates be superseded by the memory that stays, which keeps the provenance of all. Where that one is no longer
 * what was planned, its duplicates stay too.
 */
export const merge: Step = {
  locks: (context, { survivorMemoryId }) =>
    survivorMemoryId === null ? [] : [idLock(context.ownerId, survivorMemoryId)],
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
  // The lines of those that go tell of it.
  await transaction.change(
    survivor,
    { provenance: withMerged(survivor.provenance, merged), updatedAt: now },
    { operation: "merge_duplicates", keepVersion: false, detail: null },
  );
  return done;
}
