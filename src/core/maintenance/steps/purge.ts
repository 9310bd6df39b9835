import { factLockOf, type Step, sortOut } from "./step.ts";

/** Erases what was soft-deleted, as a hard delete does, with a receipt for the batch. */
export const purge: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
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
