import { merged, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import type { HttpClient } from "./http-client.ts";
import { type Contestant, interleave } from "./interleave.ts";
import { type Running, withClients } from "./processes.ts";
import { inFloor, READS, type Read, repeating } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENT_COUNTS = [1, 8];

/**
 * The reads and their floors in turns: a route that answers the same bytes, one row by its primary key, and for searches
 * SQLite's full text.
 */
function timeReads(
  processes: { server: Running; floor: Running },
  corpus: Corpus,
  ask: { reads: readonly Read[]; size: number; clients: number; seconds: number },
): Promise<Record<string, Timing[]>> {
  const asked = { next: ask.clients * 1_000_000 };
  return withClients(processes.server, ask.clients, (ours) =>
    withClients(processes.floor, ask.clients, async (bare) => {
      const contestants: Record<string, Contestant> = {
        select: inFloor(bare[0], "/selects", (count) => ({ clients: ask.clients, count })),
      };
      if (ask.reads.includes("search"))
        contestants.sqlite = inFloor(bare[0], `/sqlite/${ask.size}`, (count) => ({
          clients: ask.clients,
          count,
        }));
      for (const read of ask.reads) {
        const once = (client: HttpClient | undefined) => READS[read](client, corpus, asked);
        const sample = await once(ours[0]);
        await bare[0]?.post(`/answers/${read}`, JSON.parse(sample?.body.toString() ?? "null"));
        contestants[read] = repeating(ours, once);
        contestants[`bare ${read}`] = repeating(bare, (client) => client?.get(`/answers/${read}`));
      }
      return interleave(contestants, ask.seconds);
    }),
  );
}

/** Searches and contexts at one size, by one client and by several. */
export async function measureReads(
  processes: { server: Running; floor: Running },
  corpus: Corpus,
  ask: { reads: readonly Read[]; size: number; seconds: number },
): Promise<Table> {
  const rows: string[][] = [];
  for (const clients of CLIENT_COUNTS) {
    const seconds = ask.seconds / CLIENT_COUNTS.length;
    const turns = await timeReads(processes, corpus, { ...ask, clients, seconds });
    const timings = Object.fromEntries(Object.entries(turns).map(([name, some]) => [name, merged(some)]));
    for (const [name, timing] of Object.entries(timings)) {
      const p50 = quantileMs(timing, 0.5);
      const read = ask.reads.find((candidate) => candidate === name);
      const against = (other: string) => ratio(p50 / quantileMs(timings[other] as Timing, 0.5));
      rows.push([
        `${name}, ${clients} client${clients > 1 ? "s" : ""}`,
        milliseconds(p50),
        milliseconds(quantileMs(timing, 0.95)),
        ...(read ? [against(`bare ${read}`), against("select")] : ["", ""]),
        read === "search" ? against("sqlite") : "",
      ]);
    }
  }
  return {
    title: `Reads at ${ask.size} memories of one owner`,
    columns: ["", "p50", "p95", "of a bare route", "of one select", "of SQLite's full text"],
    rows,
    remark:
      "bare: an Elysia route that answers the same JSON. select: one row by primary key, same driver and pool. " +
      "sqlite: the same queries, any of their words, in SQLite's full text in process, by words alone.",
  };
}
