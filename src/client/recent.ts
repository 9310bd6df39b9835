/** Recent entries by key, kept for half an hour and up to a limit. */
export interface Recent<T> {
  get(key: string): T | null;
  set(key: string, value: T): void;
}

const KEPT_MS = 30 * 60_000;

export function createRecent<T>(max: number): Recent<T> {
  const kept = new Map<string, { value: T; at: number }>();
  return {
    get(key) {
      const found = kept.get(key);
      return found && found.at > Date.now() - KEPT_MS ? found.value : null;
    },
    set(key, value) {
      // Deleted first, so that the entry moves to the end and the first is always the oldest.
      kept.delete(key);
      kept.set(key, { value, at: Date.now() });
      for (const oldest of kept.keys()) {
        if (kept.size <= max) break;
        kept.delete(oldest);
      }
    },
  };
}
