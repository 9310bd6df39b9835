import { setTimeout as sleep } from "node:timers/promises";

/** Resolves so many times a second at most. What was late is not made up for. */
export function createPace(perSecond: number): () => Promise<void> {
  let next = performance.now();
  return async () => {
    const at = Math.max(performance.now(), next);
    next = at + 1000 / perSecond;
    await sleep(at - performance.now());
  };
}
