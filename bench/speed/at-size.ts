import { merged, quantileMs } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { interleave } from "./interleave.ts";
import { type Home, type Running, residentMegabytes, withClients } from "./processes.ts";
import { context, repeating, search, storing } from "./requests.ts";

/** Latencies of one client in milliseconds; medians but for the first search. */
export interface Medians {
  readonly write: number;
  readonly search: number;
  readonly context: number;
  readonly bare: number;
  /** The first search after a start, which builds the owner's index. */
  readonly firstSearch: number;
  readonly megabytes: number;
}

/** What a server that has just been started takes for each, in turns with a bare route. */
export async function measureAt(
  home: Home,
  server: Running,
  corpus: Corpus,
  { stored, seconds }: { stored: { next: number }; seconds: number },
): Promise<Medians> {
  const firstSearch = await timeOne(server, (client) => search(client, corpus, { next: 1 }));
  const floor = await home.floor(corpus);
  const asked = { next: 0 };
  const timings = await withClients(server, 1, (ours) =>
    withClients(floor, 1, async (bare) => {
      await bare[0]?.post("/answers/small", { id: "", status: "stored", version: 1, superseded: [] });
      const reads = await interleave(
        {
          bare: repeating(bare, (client) => client?.get("/answers/small")),
          search: repeating(ours, (client) => search(client, corpus, asked)),
          context: repeating(ours, (client) => context(client, corpus, asked)),
        },
        seconds,
      );
      // Afterwards, since each search would first take the writes into the index.
      return { ...reads, ...(await interleave({ write: storing(ours, corpus, stored) }, seconds / 4)) };
    }),
  );
  await floor.stop();
  const median = (name: keyof typeof timings) => quantileMs(merged(timings[name]), 0.5);
  return {
    firstSearch,
    megabytes: residentMegabytes(server),
    write: median("write"),
    search: median("search"),
    context: median("context"),
    bare: median("bare"),
  };
}

async function timeOne(
  server: Running,
  work: (client: Parameters<typeof search>[0]) => ReturnType<typeof search>,
): Promise<number> {
  return withClients(server, 1, async ([client]) => {
    await client?.get("/healthz");
    const startedAt = performance.now();
    await work(client);
    return performance.now() - startedAt;
  });
}
