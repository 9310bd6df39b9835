import { type Medians, measureAt } from "./at-size.ts";
import type { Corpus } from "./corpus.ts";
import { fill, settle } from "./fill.ts";
import { type Home, RUNTIMES, type Runtime } from "./processes.ts";
import { milliseconds, type Table } from "./table.ts";

/** The same operations on the same memories with each runtime after the other, as one owner's memories grow. */
export async function measureRuntimes(
  home: Home,
  corpus: Corpus,
  sizes: readonly number[],
  seconds: number,
): Promise<Table> {
  const measured = new Map<Runtime, Medians[]>(RUNTIMES.map((runtime) => [runtime, []]));
  const stored = { next: 0 };
  for (const size of sizes) {
    console.error(`runtimes: filling up to ${size} memories`);
    const filling = await home.server();
    await fill(filling, corpus, stored.next, size);
    stored.next = Math.max(stored.next, size);
    await settle(filling);
    await filling.stop();
    for (const runtime of RUNTIMES) {
      console.error(`runtimes: ${runtime} at ${size} memories`);
      const server = await home.server({}, runtime);
      measured.get(runtime)?.push(await measureAt(home, server, corpus, { stored, seconds }));
      await server.stop();
    }
  }
  return tableOf(sizes, measured);
}

function tableOf(sizes: readonly number[], measured: ReadonlyMap<Runtime, readonly Medians[]>): Table {
  const names = [
    ["search", "search p50"],
    ["context", "context p50"],
    ["write", "write p50"],
    ["firstSearch", "first search after a start"],
    ["megabytes", "server's memory"],
  ] as const;
  const rows = names.flatMap(([member, name]) =>
    RUNTIMES.map((runtime) => [
      `${name}, ${runtime}`,
      ...(measured.get(runtime) ?? []).map((at) =>
        member === "megabytes" ? `${at.megabytes.toFixed(0)} MB` : milliseconds(at[member]),
      ),
    ]),
  );
  return {
    title: "Three runtimes on the same memories of one owner, one client",
    columns: ["", ...sizes.map(String)],
    rows,
  };
}
