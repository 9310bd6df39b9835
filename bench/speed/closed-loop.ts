/** What was measured of one contestant: each latency, and how long they took together. */
export interface Timing {
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
}

/** One thing to be done, by the client of that number. */
export type Work = (client: number) => Promise<void>;

/** Does the work `count` times with so many clients, each of which begins its next when the last is done. */
export async function closedLoop(clients: number, count: number, work: Work): Promise<Timing> {
  const latenciesMs: number[] = [];
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (left-- > 0) {
        const from = performance.now();
        await work(client);
        latenciesMs.push(performance.now() - from);
      }
    }),
  );
  return { latenciesMs, elapsedMs: performance.now() - startedAt };
}

/** Several turns as one. */
export function merged(timings: readonly Timing[]): Timing {
  return {
    latenciesMs: timings.flatMap(({ latenciesMs }) => latenciesMs),
    elapsedMs: timings.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  };
}

export function perSecond({ latenciesMs, elapsedMs }: Timing): number {
  return (1000 * latenciesMs.length) / elapsedMs;
}

/** The latency that this share of them does not exceed: .5 is the median. */
export function quantileMs({ latenciesMs }: Timing, share: number): number {
  return quantile(latenciesMs, share);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
