import type { RateCounter } from "../../core/limits/rate-limiter.ts";

const WINDOW_MS = 60_000;
/** About 100 MB of keys. Only strangers from that many networks within a minute come near it. */
const KEYS_MAX = 500_000;

/** Counts in this process: for a database that only one server can have open. */
export function createMemoryCounter(clock: () => number = Date.now, keysMax = KEYS_MAX): RateCounter {
  let startsAt = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();

  function count(key: string): number {
    const hits = (counts.get(key) ?? 0) + 1;
    if (hits === 1 && counts.size >= keysMax) throw new Error("There is no room to count more requesters.");
    counts.set(key, hits);
    return hits;
  }

  return {
    async hit(keys) {
      const now = clock();
      const window = now - (now % WINDOW_MS);
      // A clock that is set back does not reopen an earlier window.
      if (window > startsAt) {
        startsAt = window;
        counts = new Map();
      }
      const endsAt = startsAt + WINDOW_MS;
      return { counts: keys.map(count), endsAt, millisecondsLeft: endsAt - now };
    },
  };
}
