import type { MemoryRecord, StoredStatus } from "../../memory/memory-record.ts";
import { isLive } from "../../memory/memory-status.ts";
import type { Outcome } from "../maintenance-store.ts";
import { recordTurn, turn } from "./archive.ts";
import { factLockOf, type Step, type StepContext, skipped, sortOut } from "./step.ts";

/** Brings archived memories back to what they were, where no other memory states their fact by now. */
export const unarchive: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const done: Outcome[] = [];
    for (const one of ready) {
      const status = (one.item.formerStatus ?? "active") as StoredStatus;
      if (await isTaken(context, { ...one.memory, status })) {
        done.push(skipped(one.item, "fact_taken"));
        continue;
      }
      const { updatedAt: at } = await turn(context, one, status, "maintenance_restore");
      await recordTurn(context, one.memory, { at, operation: "unarchive" });
      done.push({ place: one.item.place, state: "changed" });
    }
    return [...left, ...done];
  },
};

async function isTaken({ ports, transaction }: StepContext, back: MemoryRecord): Promise<boolean> {
  const now = ports.clock();
  if (back.semanticKey === null || !isLive(back, now)) return false;
  const { sameKey } = await transaction.existing({ ...back, updatedAt: now }, { dedupe: false });
  return sameKey.some(({ memory }) => memory.id !== back.id);
}
