import { type Medians, measureAt } from "./at-size.ts";
import type { Corpus } from "./corpus.ts";
import { fill, settle } from "./fill.ts";
import type { Home } from "./processes.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

/** What was measured at one size. */
interface AtSize extends Medians {
  readonly size: number;
  readonly fillPerSecond: number;
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
    await settle(server);
    await server.stop();
    server = await home.server();
    console.error(`growth: measuring at ${size} memories`);
    measured.push({
      size,
      fillPerSecond,
      ...(await measureAt(home, server, corpus, { stored, seconds })),
    });
  }
  await server.stop();
  return tableOf(measured);
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
