import type { RateCounter } from "../../core/limits/rate-limiter.ts";

const WINDOW_MS = 60_000;
/** About 100 MB of keys. Reached only by requests from that many networks within a minute. */
const KEYS_MAX = 500_000;

/** Creates a counter in this process, for a database that only one server can open. */
export function createMemoryCounter(clock: () => number = Date.now, keysMax = KEYS_MAX): RateCounter {
  let startsAt = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();

  function count(key: string): number {
    const hits = (counts.get(key) ?? 0) + 1;
    if (hits === 1 && counts.size >= keysMax) throw new Error("There is no room to count more requesters.");
    counts.set(key, hits);
    return hits;
  }

  function window(): { endsAt: number; millisecondsLeft: number } {
    const now = clock();
    const begins = now - (now % WINDOW_MS);
    // Setting the clock back does not reopen an earlier window.
    if (begins > startsAt) {
      startsAt = begins;
      counts = new Map();
    }
    const endsAt = startsAt + WINDOW_MS;
    return { endsAt, millisecondsLeft: endsAt - now };
  }

  return {
    async hit(keys) {
      const ends = window();
      return { counts: keys.map(count), ...ends };
    },
    async read(keys) {
      const ends = window();
      return { counts: keys.map((key) => counts.get(key) ?? 0), ...ends };
    },
  };
}
