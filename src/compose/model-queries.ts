/** Bounds the time and number of a model's queries, and knows when the last was asked. */
export interface ModelQueries {
  /** Rejects with an error of `failed` if the model does not answer in time, or has too many queries already. */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /** Counts as a query, though the model need not answer. */
  note(): void;
  /** By `performance.now()`; −Infinity before the first. */
  askedAt(): number;
}

/** How long a query waits for a model before continuing without it: several times what a busy model takes. */
const WITHIN_MS = 300;
/** With more, the last would time out and delay later ones. */
const WAITING_MAX = 16;

export function createModelQueries(failed: (message: string) => Error): ModelQueries {
  let askedAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;

  /** Counts as running until the model has finished, even if no one waits any more. */
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= WAITING_MAX) throw failed("Too many queries are waiting for the model.");
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  }

  const note = () => {
    askedAt = performance.now();
  };
  return {
    note,
    async ask(work) {
      note();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(failed("The model did not answer in time.")), WITHIN_MS);
      });
      try {
        return await Promise.race([counted(work), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    askedAt: () => askedAt,
  };
}
