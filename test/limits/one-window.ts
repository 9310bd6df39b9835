import { setTimeout as sleep } from "node:timers/promises";

const MINUTE_MS = 60_000;
/** What the work of a test may take. */
const ROOM_MS = 20_000;
const TRIES_MAX = 3;

/**
 * Does the work within one window, in which nothing has been counted yet of what `attempt` makes new: waits for the
 * next where little is left of this one, and does it again where it went over into another all the same.
 */
export async function inOneWindow<T>(
  attempt: () => Promise<{ readonly resets: readonly (string | null)[]; readonly value: T }>,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const left = MINUTE_MS - (Date.now() % MINUTE_MS);
    if (left < ROOM_MS) await sleep(left + 100);
    const { resets, value } = await attempt();
    if (new Set(resets).size === 1) return value;
  }
  throw new Error("The work does not fit into a window.");
}
