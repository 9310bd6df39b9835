import { type OwnNode, ownNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { createRandom } from "../../test/support/random.ts";
import { checkAll } from "./check.ts";
import { Client } from "./client.ts";
import { type Comparison, compare } from "./compare.ts";
import { disasters } from "./disasters.ts";
import { figures } from "./figures.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { createPace } from "./pace.ts";
import { HEALS_WITHIN_MS, recovered } from "./recovery.ts";
import { say } from "./say.ts";
import { Service } from "./service.ts";

const PASSWORD = "a-password-of-benches";
const PREFIX = "recollect-chaos";

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
  await recovered(clients);
  say(`seed ${options.seed}: ${options.minutes} minutes of load by ${clients.length} clients`);
  const residentMb: number[] = [];
  const watch = setInterval(() => residentMb.push(Math.round(service.residentMegabytes())), 10_000);
  const seen = await underLoad(clients, options.rate, () =>
    disasters(options.minutes * 60_000, node, service, clients),
  );
  clearInterval(watch);
  say("the load is over");
  const during = figures(clients);
  const healed = await recovered(clients);
  const equal = await timed(() => equality(service, node));
  say("index and record are compared");
  const checked = await timed(() => checkAll(clients));
  const failures = clients.flatMap(({ tally }) => tally.failures);
  const result = {
    seed: options.seed,
    disasters: seen,
    ...during,
    healedAfterMs: healed.fallbackMs,
    equalAfterMs: equal.ms,
    ...equal.value,
    checkedInMs: checked.ms,
    residentMb,
    failures: failures.length,
    examples: failures.slice(0, 20),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  if (failures.length > 0 || !equal.value.isEqual) process.exitCode = 1;
}

/** Does the work while every client goes on with its own, up to `rate` times a second in all. */
async function underLoad<T>(clients: readonly Client[], rate: number, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const running = clients.map((client, n) =>
    client.run(
      () => isOver,
      createPace(rate / clients.length),
      () => clients[(n + 1) % clients.length]?.known.at(-1)?.word,
    ),
  );
  // A client that gives up ends the run.
  const load = Promise.all(running);
  const result = await Promise.race([
    work(),
    load.then(() => Promise.reject(new Error("The load has ended."))),
  ]);
  isOver = true;
  await load;
  return result;
}

/** The last comparison, where they do not become equal in time. */
async function equality(service: Service, node: OwnNode): Promise<Comparison> {
  return eventually(
    "the index to be as the record",
    async () => {
      const found = await compare(service, node, PREFIX);
      return found.isEqual ? found : undefined;
    },
    { withinMs: HEALS_WITHIN_MS, everyMs: 2000 },
  ).catch(() => compare(service, node, PREFIX));
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: Math.round(performance.now() - startedAt), value };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
