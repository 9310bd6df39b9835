import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { family, processorMs } from "../work/processor-time.ts";
import { merged, perSecond, quantile, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { fill, settle } from "./fill.ts";
import { outsideSettings } from "./limits.ts";
import { type Home, type Running, withClients } from "./processes.ts";
import { repeating, search } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENTS = 8;
/** The system spreads connections over processes by chance, so they are opened anew for each turn. */
const TURNS = 6;
const WARM_UP = 100;
const SLICE_MIN = 300;

/** Processor time in milliseconds. */
interface ProcessorTime {
  readonly server: number;
  readonly database: number;
  readonly clients: number;
}

/** A turn of a server: how long its searches took, and what they cost. */
interface Turn {
  readonly timing: Timing;
  readonly processor: ProcessorTime;
}

/** A server, and the cores that it may use. */
interface Stand {
  readonly name: string;
  readonly server: Running;
  readonly cores: string;
}

/** The same searches on one core, and on two by one process and by two, in turns, on one database. Linux only. */
export async function measureCores(
  home: Home,
  corpus: Corpus,
  { memories, seconds }: { memories: number; seconds: number },
): Promise<Table> {
  if (availableParallelism() < 2) throw new Error("The machine has one core alone.");
  const database = await home.server();
  await fill(database, corpus, 0, memories);
  await settle(database);
  const outside = await outsideSettings(home);
  const [one, two] = [await home.server(outside), await home.server({ ...outside, PROCESSES: "2" })];
  const stands: readonly Stand[] = [
    { name: "one core", server: one, cores: "0" },
    { name: "two cores, one process", server: one, cores: "0,1" },
    { name: "two cores, two processes", server: two, cores: "0,1" },
  ];
  const asked = { next: 1_000_000 };
  const turnOf = ({ server, cores }: Stand) => {
    for (const pid of family(server.pid)) execFileSync("taskset", ["-acp", cores, String(pid)]);
    return withClients(server, CLIENTS, async (clients): Promise<Turn> => {
      const searches = repeating(clients, (client) => search(client, corpus, asked));
      await searches(WARM_UP);
      const rate = perSecond(await searches(WARM_UP));
      const before = processorOf(server, database);
      const timing = await searches(Math.max(SLICE_MIN, Math.round((rate * seconds) / (3 * TURNS))));
      const after = processorOf(server, database);
      const cost = (part: keyof ProcessorTime) => after[part] - before[part];
      return {
        timing,
        processor: { server: cost("server"), database: cost("database"), clients: cost("clients") },
      };
    });
  };
  const turns: Turn[][] = [];
  // The first reads the indexes into the processes' memory.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const measured: Turn[] = [];
    for (const stand of stands) measured.push(await turnOf(stand));
    if (turn > 0) turns.push(measured);
  }
  return {
    title: `Searches at ${memories} memories of one owner, ${CLIENTS} clients, of which the server may use one core or two`,
    columns: ["", "a second", "beside one core", "p50", "p95", "server", "database", "clients"],
    rows: stands.map(({ name }, at) => rowOf(name, turns, at)),
    remark:
      `Beside one core: median of ${TURNS} turns. Server, database and clients: processor time of a search; the latter two ` +
      `may use each core. Load at the end: ${(loadavg()[0] as number).toFixed(1)}.`,
  };
}

function processorOf(server: Running, database: Running): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return {
    server: processorMs(server.pid),
    // With the process that started it, which is idle.
    database: processorMs(database.pid),
    clients: (user + system) / 1000,
  };
}

function rowOf(name: string, turns: readonly (readonly Turn[])[], at: number): string[] {
  const own = turns.map((turn) => turn[at] as Turn);
  const timing = merged(own.map(({ timing }) => timing));
  const ratios = turns.map(
    (turn) => perSecond((turn[at] as Turn).timing) / perSecond((turn[0] as Turn).timing),
  );
  const total = (part: keyof ProcessorTime) => own.reduce((sum, { processor }) => sum + processor[part], 0);
  return [
    name,
    perSecond(timing).toFixed(0),
    ratio(quantile(ratios, 0.5)),
    milliseconds(quantileMs(timing, 0.5)),
    milliseconds(quantileMs(timing, 0.95)),
    ...(["server", "database", "clients"] as const).map((part) =>
      milliseconds(total(part) / timing.latenciesMs.length),
    ),
  ];
}
