import { merged, quantileMs } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { fill } from "./fill.ts";
import { interleave } from "./interleave.ts";
import { type Home, type Running, residentMegabytes, withClients } from "./processes.ts";
import { context, repeating, search, storing } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

/** What was measured at one size. Latencies are medians, of one client, in milliseconds. */
interface AtSize {
  readonly size: number;
  readonly fillPerSecond: number;
  readonly write: number;
  readonly search: number;
  readonly context: number;
  readonly bare: number;
  readonly megabytes: number;
  /** The first search after a start, which builds the owner's index. */
  readonly firstSearch: number;
}

/** The same operations while one owner's memories grow, on a home of their own. */
export async function measureGrowth(
  home: Home,
  corpus: Corpus,
  sizes: readonly number[],
  seconds: number,
): Promise<Table> {
  const measured: AtSize[] = [];
  const stored = { next: 0 };
  let server = await home.server();
  for (const size of sizes) {
    console.error(`growth: filling up to ${size} memories`);
    const fillPerSecond = await fill(server, corpus, stored.next, size);
    stored.next = Math.max(stored.next, size);
    await server.stop();
    server = await home.server();
    const firstSearch = await timeOne(server, (client) => search(client, corpus, { next: 1 }, size));
    console.error(`growth: measuring at ${size} memories`);
    const medians = await measureAt(home, server, corpus, { size, stored, seconds });
    const megabytes = residentMegabytes(server);
    measured.push({ size, fillPerSecond, firstSearch, megabytes, ...medians });
  }
  await server.stop();
  return tableOf(measured);
}

async function measureAt(
  home: Home,
  server: Running,
  corpus: Corpus,
  { size, stored, seconds }: { size: number; stored: { next: number }; seconds: number },
): Promise<Pick<AtSize, "write" | "search" | "context" | "bare">> {
  const floor = await home.floor();
  const asked = { next: 0 };
  const timings = await withClients(server, 1, (ours) =>
    withClients(floor, 1, async (bare) => {
      await bare[0]?.post("/answers/small", { id: "", status: "stored", version: 1, superseded: [] });
      const reads = await interleave(
        {
          bare: repeating(bare, (client) => client?.get("/answers/small")),
          search: repeating(ours, (client) => search(client, corpus, asked, size)),
          context: repeating(ours, (client) => context(client, corpus, asked, size)),
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

function tableOf(measured: readonly AtSize[]): Table {
  const [first, last] = [measured[0], measured.at(-1)] as [AtSize, AtSize];
  const row = (name: string, of: (at: AtSize) => number, show: (value: number) => string) => [
    name,
    ...measured.map((at) => show(of(at))),
    ratio(of(last) / of(first)),
  ];
  const whole = (value: number) => value.toFixed(0);
  return {
    title: "Growth of one owner's memories, one client",
    columns: ["", ...measured.map(({ size }) => String(size)), `${last.size} : ${first.size}`],
    rows: [
      row("write p50", (at) => at.write, milliseconds),
      row("search p50", (at) => at.search, milliseconds),
      row("context p50", (at) => at.context, milliseconds),
      row("bare route p50 (the machine)", (at) => at.bare, milliseconds),
      row("fill, memories/s", (at) => at.fillPerSecond, whole),
      row("first search after a start", (at) => at.firstSearch, milliseconds),
      row("index build, memories/s", (at) => at.size / (at.firstSearch / 1000), whole),
      row("server's memory, MB", (at) => at.megabytes, whole),
    ],
    remark: "The database's own memory is not counted.",
  };
}
