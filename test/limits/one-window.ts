const TRIES_MAX = 3;

/**
 * Does the work within one window, in which nothing has been counted yet of what `attempt` makes new. Work that went over
 * into the next window is done again, at the beginning of that one.
 */
export async function inOneWindow<T>(
  attempt: () => Promise<{ readonly resets: readonly (string | null)[]; readonly value: T }>,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { resets, value } = await attempt();
    if (new Set(resets).size === 1) return value;
  }
  throw new Error("The work does not fit into a window.");
}
