import { setTimeout as sleep } from "node:timers/promises";
import { processorMs } from "../work/processor-time.ts";
import type { Corpus } from "./corpus.ts";
import { type Running, withClients } from "./processes.ts";

const BATCH_ITEMS = 200;
/** So many batches at once keep a small machine busy. */
const CLIENTS = 4;
const TELL_EVERY = 10_000;

/** Stores the memories of these numbers by `POST /v1/memories/batch`; answers how many a second. Nothing to store is no rate. */
export async function fill(server: Running, corpus: Corpus, from: number, to: number): Promise<number> {
  if (to <= from) return Number.NaN;
  const startedAt = performance.now();
  let next = from;
  await withClients(server, CLIENTS, (clients) =>
    Promise.all(
      clients.map(async (client) => {
        while (next < to) {
          const first = next;
          next = Math.min(to, first + BATCH_ITEMS);
          const items = Array.from({ length: next - first }, (_, at) => corpus.memory(first + at));
          const { body } = await client.post("/v1/memories/batch", { items });
          const { stored } = JSON.parse(body.toString()) as { stored: number };
          if (stored !== items.length) throw new Error(`A batch of ${items.length} stored ${stored}.`);
          if (Math.floor(next / TELL_EVERY) > Math.floor(first / TELL_EVERY)) {
            console.error(`  ${next} memories, ${rate(next - from, startedAt).toFixed(0)}/s`);
          }
        }
      }),
    ),
  );
  return rate(to - from, startedAt);
}

const WINDOW_MS = 2000;
/** Share of one core below which a server counts as idle. */
const IDLE_SHARE = 0.15;
/** Longer than the pause that the build of vectors makes after requests, which looks idle. */
const IDLE_WINDOWS = 8;
const WINDOWS_MAX = 300;

/** Waits until the server has made what it makes after a write, such as vectors; ten minutes at most. */
export async function settle({ pid }: Running): Promise<void> {
  console.error("  waiting until the server is idle");
  for (let window = 0, idle = 0; window < WINDOWS_MAX && idle < IDLE_WINDOWS; window += 1) {
    const before = processorMs(pid);
    await sleep(WINDOW_MS);
    idle = processorMs(pid) - before < IDLE_SHARE * WINDOW_MS ? idle + 1 : 0;
  }
}

function rate(count: number, startedAt: number): number {
  return (1000 * count) / (performance.now() - startedAt);
}
