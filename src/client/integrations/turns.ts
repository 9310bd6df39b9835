/** Recalled text of turns in progress, so that no step or retry of a turn recalls again. */
export interface Turns {
  /** Returns the result of `recall`, which is called once until the turn ends or ten minutes have passed. */
  once(key: string, recall: () => Promise<string | null>): Promise<string | null>;
  end(key: string): void;
}

const KEPT_MS = 10 * 60_000;
/** Maximum number of concurrent turns. */
const TURNS_MAX = 256;

export function createTurns(): Turns {
  const turns = new Map<string, { recalled: Promise<string | null>; at: number }>();
  return {
    once(key, recall) {
      const known = turns.get(key);
      if (known && known.at > Date.now() - KEPT_MS) return known.recalled;
      const recalled = recall();
      turns.delete(key);
      turns.set(key, { recalled, at: Date.now() });
      // An aborted call leaves no result for the next attempt.
      recalled.catch(() => turns.delete(key));
      const [oldest] = turns.keys();
      if (turns.size > TURNS_MAX && oldest !== undefined) turns.delete(oldest);
      return recalled;
    },
    end: (key) => void turns.delete(key),
  };
}
