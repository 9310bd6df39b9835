import { setTimeout as sleep } from "node:timers/promises";
import { type OwnNode, ownNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { createRandom } from "../../test/support/random.ts";
import { quantile } from "../speed/closed-loop.ts";
import { Client } from "./client.ts";
import { compare } from "./compare.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { Service } from "./service.ts";

const PASSWORD = "a-password-of-benches";
const PREFIX = "recollect-chaos";
const HEALS_WITHIN_MS = 600_000;

/** See `HELP`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  const node = await ownNode(options.script, PASSWORD);
  const service = await Service.make({
    ELASTICSEARCH_URL: node.url,
    ELASTICSEARCH_USERNAME: "elastic",
    ELASTICSEARCH_PASSWORD: PASSWORD,
    ELASTICSEARCH_INDEX_PREFIX: PREFIX,
  });
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error("Interrupted.")));
  });
  try {
    await Promise.race([run(options, node, service), interrupted]);
  } finally {
    await service.remove();
    await node.remove();
  }
}

async function run(options: Options, node: OwnNode, service: Service): Promise<void> {
  await node.start();
  await service.start();
  const clients = Array.from({ length: options.clients }, (_, n) => {
    const { token } = service.command("keys", "create", "--owner", `chaos-${n}`) as { token: string };
    return new Client(service, token, createRandom(options.seed + n));
  });
  await whole(clients);
  say(`seed ${options.seed}: ${options.minutes} minutes of load by ${clients.length} clients`);
  const residentMb: number[] = [];
  let isOver = false;
  const load = Promise.all(
    clients.map((client, n) =>
      client.run(
        () => isOver,
        () => clients[(n + 1) % clients.length]?.known.at(-1)?.word,
      ),
    ),
  );
  const watch = setInterval(() => residentMb.push(Math.round(service.residentMegabytes())), 10_000);
  await disasters(options.minutes * 60_000, node, service);
  isOver = true;
  await load;
  clearInterval(watch);
  say("the load is over");
  const during = figures(clients);
  const healedAfterMs = await timed(() => whole(clients));
  const compared = await eventually(
    "the index to be as the record",
    async () => {
      const found = await compare(service, node, PREFIX);
      return found.isEqual ? found : undefined;
    },
    { withinMs: HEALS_WITHIN_MS, everyMs: 2000 },
  ).catch(() => compare(service, node, PREFIX));
  await Promise.all(clients.map(checkAll));
  const failures = clients.flatMap(({ tally }) => tally.failures);
  const result = {
    seed: options.seed,
    ...during,
    healedAfterMs,
    ...compared,
    residentMb,
    failures: failures.length,
  };
  process.stdout.write(`${JSON.stringify({ ...result, examples: failures.slice(0, 20) }, null, 2)}\n`);
  if (failures.length > 0 || !compared.isEqual) process.exitCode = 1;
}

/** Elasticsearch is killed three times and away for a while each; after the first the service is killed, once. */
async function disasters(ms: number, node: OwnNode, service: Service): Promise<void> {
  const over = performance.now() + ms;
  const pause = (share: number) => sleep(share * ms);
  for (let kills = 0; kills < 3; kills += 1) {
    await pause(0.12);
    say("Elasticsearch is killed");
    await node.kill();
    await pause(0.08);
    await node.start();
    say("Elasticsearch is back");
    if (kills > 0) continue;
    await pause(0.08);
    say("the service is killed");
    await service.killAndStart();
    say("the service is back");
  }
  await pause(0.12);
  await sleep(Math.max(0, over - performance.now()));
}

/** Until every client's recall runs on Elasticsearch with nothing left out. */
async function whole(clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    await eventually(
      "recall to be whole",
      async () => {
        const { engine, degraded } = await client.plan();
        return (engine === "elasticsearch" && degraded.length === 0) || undefined;
      },
      { withinMs: HEALS_WITHIN_MS, everyMs: 250 },
    );
  }
}

async function checkAll(client: Client): Promise<void> {
  for (const known of client.known) {
    await client.checkFound(known);
    await client.checkRecord(known);
  }
}

function figures(clients: readonly Client[]) {
  const sum = (of: (client: Client) => number) => clients.reduce((total, client) => total + of(client), 0);
  const kinds = [...new Set(clients.flatMap(({ tally }) => Object.keys(tally.requests)))];
  const latencies = kinds.map((kind) => {
    const all = clients.flatMap(({ tally }) => tally.latenciesMs[kind] ?? []);
    const [p50, p99] = [quantile(all, 0.5), quantile(all, 0.99)].map((ms) => Number(ms.toFixed(1)));
    return [kind, { count: sum(({ tally }) => tally.requests[kind] ?? 0), p50, p99 }] as const;
  });
  return {
    requests: Object.fromEntries(latencies),
    memories: sum(({ known }) => known.length),
    underWay: sum(({ tally }) => tally.underWay),
    degradedSearches: sum(({ tally }) => tally.degraded),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt);
}

function say(message: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${message}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
