import type { StoredStatus } from "../../memory/memory-record.ts";
import { holdersOfFact } from "../../memory/supersession.ts";
import type { Outcome } from "../maintenance-store.ts";
import { recordTurn, turn } from "./archive.ts";
import { factLockOf, type Step, skipped, sortOut } from "./step.ts";

/** Brings archived memories back to what they were, where no other memory states their fact by now. */
export const unarchive: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const done: Outcome[] = [];
    for (const one of ready) {
      const status = (one.item.formerStatus ?? "active") as StoredStatus;
      const holders = await holdersOfFact(
        context.transaction,
        { ...one.memory, status },
        context.ports.clock(),
      );
      if (holders.length > 0) {
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
