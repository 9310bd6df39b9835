import { loadavg } from "node:os";
import { processorMs } from "../work/processor-time.ts";
import { merged, perSecond, quantile, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { fill, settle } from "./fill.ts";
import { outsideSettings } from "./limits.ts";
import { type Home, type Running, withClients } from "./processes.ts";
import { repeating, search } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENTS = 8;
/** The system spreads connections over processes by chance, so they are opened anew for each turn. */
const TURNS = 12;
const WARM_UP = 40;
const SLICE_MIN = 40;

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

/** The same searches by one process and by two in turns, on one database. */
export async function measureCores(
  home: Home,
  corpus: Corpus,
  { memories, seconds }: { memories: number; seconds: number },
): Promise<Table> {
  const database = await home.server();
  await fill(database, corpus, 0, memories);
  await settle(database);
  const outside = await outsideSettings(home);
  const one = await home.server(outside);
  const two = await home.server({ ...outside, PROCESSES: "2" });
  const asked = { next: 1_000_000 };
  const turnOf = (server: Running) =>
    withClients(server, CLIENTS, async (clients): Promise<Turn> => {
      const searches = repeating(clients, (client) => search(client, corpus, asked));
      await searches(WARM_UP);
      const rate = perSecond(await searches(WARM_UP));
      const before = processorOf(server, database);
      const timing = await searches(Math.max(SLICE_MIN, Math.round((rate * seconds) / (2 * TURNS))));
      const after = processorOf(server, database);
      const cost = (part: keyof ProcessorTime) => after[part] - before[part];
      return {
        timing,
        processor: { server: cost("server"), database: cost("database"), clients: cost("clients") },
      };
    });
  const turns: { readonly one: Turn; readonly two: Turn }[] = [];
  // The first reads the indexes into the processes' memory.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const measured = { one: await turnOf(one), two: await turnOf(two) };
    if (turn > 0) turns.push(measured);
  }
  const ratios = turns.map(({ one, two }) => perSecond(two.timing) / perSecond(one.timing));
  return {
    title: `Searches at ${memories} memories of one owner, ${CLIENTS} clients, by one process and by two`,
    columns: ["", "a second", "p50", "p95", "server", "database", "clients", "cores used"],
    rows: [
      rowOf(
        "one process",
        turns.map(({ one }) => one),
      ),
      rowOf(
        "two processes",
        turns.map(({ two }) => two),
      ),
    ],
    remark:
      `Two processes answer ${ratio(quantile(ratios, 0.5))} times as many searches (median of ${TURNS} turns, ` +
      `${ratio(Math.min(...ratios))} to ${ratio(Math.max(...ratios))}). Server, database and clients: processor time of a search. ` +
      `Load at the end: ${(loadavg()[0] as number).toFixed(1)}.`,
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

function rowOf(name: string, turns: readonly Turn[]): string[] {
  const timing = merged(turns.map((turn) => turn.timing));
  const total = (part: keyof ProcessorTime) => turns.reduce((sum, { processor }) => sum + processor[part], 0);
  const parts = [total("server"), total("database"), total("clients")];
  return [
    name,
    perSecond(timing).toFixed(0),
    milliseconds(quantileMs(timing, 0.5)),
    milliseconds(quantileMs(timing, 0.95)),
    ...parts.map((part) => milliseconds(part / timing.latenciesMs.length)),
    ratio(parts.reduce((sum, part) => sum + part, 0) / timing.elapsedMs),
  ];
}
