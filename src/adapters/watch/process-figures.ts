/** Memory and CPU use of the process, by figures that all three runtimes have. */
export function processFigures(): {
  readonly name: string;
  readonly help: string;
  readonly value: () => number;
}[] {
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    { name: "start_time_seconds", help: "When this process began, since the epoch", value: () => startedAt },
    {
      name: "resident_memory_bytes",
      help: "Memory of this process, without its database's",
      value: () => process.memoryUsage.rss(),
    },
    {
      name: "heap_used_bytes",
      help: "Memory of the runtime's heap that is in use",
      value: () => process.memoryUsage().heapUsed,
    },
  ];
}

const EVERY_MS = 20;

/**
 * Measures how late a timer goes off, for as long as the answered function is not called. By a timer, since on Deno
 * `monitorEventLoopDelay` shows next to nothing of a block.
 */
export function eventLoopDelay(observe: (seconds: number) => void): () => void {
  let expectedAt = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    observe(Math.max(0, now - expectedAt) / 1000);
    expectedAt = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
