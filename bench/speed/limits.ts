import { dirname } from "node:path";
import { quantile } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import type { HttpClient } from "./http-client.ts";
import { type Home, type Running, withClients } from "./processes.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENT_COUNTS = [1, 16];
/** Far more than a run can ask. */
const ENOUGH = "1000000";
const ON = {
  RATE_LIMIT_ENABLED: "true",
  RATE_LIMIT_DATA_PLANE: ENOUGH,
  RATE_LIMIT_WRITES: ENOUGH,
  RATE_LIMIT_READS: ENOUGH,
};

const NAMES = ["off", "process", "database"] as const;
type Name = (typeof NAMES)[number];
const WARM_UP_MS = 2000;

type Work = (client: HttpClient | undefined) => Promise<unknown> | undefined;

/**
 * What counting requests costs: the same requests to servers on one database that do not count, count in their own
 * process, and count in the database.
 */
export async function measureLimits(home: Home, corpus: Corpus, ask: number): Promise<Table> {
  const inProcess = await home.server(ON);
  const outside = await outsideSettings(home);
  const servers = {
    off: await home.server(outside),
    process: inProcess,
    database: await home.server({ ...outside, ...ON }),
  };
  const stored = await withClients(servers.off, 1, async ([client]) =>
    JSON.parse(String((await client?.post("/v1/memories", corpus.memory(0)))?.body)),
  );
  let next = 1;
  const works: Readonly<Record<string, Work>> = {
    "read one memory": (client) => client?.get(`/v1/memories/${stored.id}`),
    "store one memory": (client) => client?.post("/v1/memories", corpus.memory(next++)),
  };
  const rows: string[][] = [];
  for (const [name, work] of Object.entries(works)) {
    for (const clients of CLIENT_COUNTS) {
      const seconds = ask / (CLIENT_COUNTS.length * Object.keys(works).length);
      const timings = await inTurns(servers, clients, work, seconds);
      const off = quantile(timings.off, 0.5);
      rows.push([
        `${name}, ${clients} client${clients > 1 ? "s" : ""}`,
        milliseconds(off),
        ratio(quantile(timings.process, 0.5) / off),
        ratio(quantile(timings.database, 0.5) / off),
      ]);
    }
  }
  return {
    title: "Rate limits",
    columns: ["", "off: p50", "in process", "in database"],
    rows,
    remark: "Median latency in terms of that with the limits off: 1.00 costs nothing.",
  };
}

/**
 * The latencies of each server. A client asks them one after the other with each request, so that what else the machine
 * does hits all alike; the first requests are not counted.
 */
async function inTurns(
  servers: Readonly<Record<Name, Running>>,
  clients: number,
  work: Work,
  seconds: number,
): Promise<Record<Name, number[]>> {
  const latencies: Record<Name, number[]> = { off: [], process: [], database: [] };
  const countFrom = performance.now() + WARM_UP_MS;
  const until = countFrom + seconds * 1000;
  await withClients(servers.off, clients, (off) =>
    withClients(servers.process, clients, (process) =>
      withClients(servers.database, clients, async (database) => {
        const of = { off, process, database };
        await Promise.all(
          off.map(async (_, client) => {
            for (let turn = client; performance.now() < until; turn += 1) {
              const name = NAMES[turn % NAMES.length] as Name;
              const from = performance.now();
              await work(of[name][client]);
              if (from >= countFrom) latencies[name].push(performance.now() - from);
            }
          }),
        );
      }),
    ),
  );
  return latencies;
}

/** How a further server reaches the database of the home's first: what a URL cannot name is in these. */
export async function outsideSettings(home: Home): Promise<Record<string, string>> {
  const { path, database, username } = await home.database();
  return {
    DATABASE_URL: `postgres:///${database}`,
    PGHOST: dirname(path),
    PGPORT: /\.(\d+)$/.exec(path)?.[1] ?? "5432",
    PGUSER: username,
  };
}
