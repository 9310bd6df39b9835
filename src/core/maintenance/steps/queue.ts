import { type Step, sortOut } from "./step.ts";

/** Has memories embedded or projected again, by the outbox. The memories stay as they are. */
export const queue: Step = {
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    const [first] = ready;
    if (!first) return left;
    await context.transaction.maintenance.queue(
      ready.map(({ memory }) => memory.id),
      { operation: first.item.action, run: context.runId },
    );
    return [...left, ...ready.map(({ item }) => ({ place: item.place, state: "changed" }) as const)];
  },
};
