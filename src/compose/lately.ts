/** The longest wait of a read of the metrics for a due value. After that it shows the last one. */
const WITHIN_MS = 1000;

/**
 * An answer that is asked for again once it is older than `everyMs`, at most once at a time; with how old it is. null where
 * there was none yet. Never rejects: while nobody answers, the last answer grows old.
 */
export function lately<T>(
  ask: () => Promise<T>,
  everyMs: number,
): () => Promise<{ readonly figures: T; readonly ageSeconds: number } | null> {
  let last: { readonly figures: T; readonly at: number } | null = null;
  let asking: Promise<void> | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > everyMs) {
      asking ??= ask()
        .then((figures) => {
          last = { figures, at: performance.now() };
        })
        .catch(() => {})
        .finally(() => {
          asking = null;
        });
      await inTime(asking);
    }
    const known = last as { readonly figures: T; readonly at: number } | null;
    return known && { figures: known.figures, ageSeconds: (performance.now() - known.at) / 1000 };
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
