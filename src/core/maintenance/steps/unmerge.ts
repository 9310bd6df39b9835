import { idLock } from "../../memory/identity.ts";
import type { MemoryRecord, SeenMemory, StoredStatus } from "../../memory/memory-record.ts";
import { revivedAs } from "../../memory/supersession.ts";
import type { Outcome } from "../maintenance-store.ts";
import { withoutMerged } from "../merged-provenance.ts";
import { bySurvivor, type ReadyItem, type Step, type StepContext, sortOut } from "./step.ts";

/** Makes merged memories what they were, and takes them out of the provenance of the one that stayed. */
export const unmerge: Step = {
  locks: (context, { survivorMemoryId }) =>
    survivorMemoryId === null ? [] : [idLock(context.ownerId, survivorMemoryId)],
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
    { ...revivedAs(status), updatedAt: ports.clock() },
    { operation: "maintenance_restore", keepVersion: true, detail: { run: runId } },
  );
}

/** Whatever the survivor has become: what it says of where it comes from is to be true. */
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
