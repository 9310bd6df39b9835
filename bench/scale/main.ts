import { Client } from "@elastic/elasticsearch";
import { type OwnNode, ownNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { Service } from "../chaos/service.ts";
import { quantile } from "../speed/closed-loop.ts";
import { Corpus } from "../speed/corpus.ts";
import { fill, type Share, sharesOf } from "./fill.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { type Asked, openRecorder, type Recorder, replay } from "./raw.ts";

const PASSWORD = "a-password-of-benches";
const BUILT_WITHIN_MS = 3_600_000;
/** Owners that ask: of every size. */
const ASKERS = 12;
const QUESTIONS = 40;
const WARM_UP = 30;
const RESIDENT_EVERY = 250;

interface Asker {
  readonly share: Share;
  readonly key: string;
}

/** See `HELP`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  process.env.ES_HEAP ??= "1g";
  const node = await ownNode(options.script, PASSWORD);
  const recorder = await openRecorder(node.url);
  const service = await Service.make({
    ELASTICSEARCH_URL: recorder.url,
    ELASTICSEARCH_USERNAME: "elastic",
    ELASTICSEARCH_PASSWORD: PASSWORD,
    ELASTICSEARCH_INDEX_PREFIX: "recollect-scale",
  });
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error("Interrupted.")));
  });
  try {
    await Promise.race([run(options, node, recorder, service), interrupted]);
  } finally {
    await service.remove();
    await recorder.close();
    await node.remove();
  }
}

async function run(options: Options, node: OwnNode, recorder: Recorder, service: Service): Promise<void> {
  const corpus = new Corpus();
  const shares = sharesOf(options.memories, options.owners);
  say(`${options.memories} memories of ${options.owners} owners, the largest with ${shares[0]?.count}`);
  // The database is made by the service; the node comes later, so that the build begins with everything there.
  await service.start();
  await fill(await service.database(), corpus, shares);
  const askers = Array.from({ length: ASKERS }, (_, n): Asker => {
    const share = shares[Math.floor((n * (shares.length - 1)) / (ASKERS - 1))] as Share;
    const { token } = service.command("keys", "create", "--owner", share.name) as { token: string };
    return { share, key: token };
  });
  say("the node starts, and the index is built");
  await node.start();
  const startedAt = performance.now();
  await eventually("the index to be built", () => isWhole(service, askers[0] as Asker), {
    withinMs: BUILT_WITHIN_MS,
    everyMs: 250,
  });
  const buildSeconds = (performance.now() - startedAt) / 1000;
  say(`built in ${buildSeconds.toFixed(1)} s`);
  const searches = await measure(options, recorder, service, corpus, askers);
  const built = {
    memories: options.memories,
    buildSeconds,
    perSecond: Math.round(options.memories / buildSeconds),
  };
  process.stdout.write(`${JSON.stringify({ ...built, largest: shares[0]?.count, ...searches }, null, 2)}\n`);
}

/** The service and the raw client in turns, on the same questions; the recorder stands before both. */
async function measure(
  { seconds }: Options,
  recorder: Recorder,
  service: Service,
  corpus: Corpus,
  askers: readonly Asker[],
) {
  const client = new Client({
    node: recorder.url,
    auth: { username: "elastic", password: PASSWORD },
    maxRetries: 0,
  });
  const questions = askers.flatMap((asker, n) =>
    Array.from({ length: QUESTIONS }, (_, at) => ({
      asker,
      query: queryOf(corpus, asker.share, n * QUESTIONS + at),
    })),
  );
  const asked: Asked[] = [];
  for (const { asker, query } of questions)
    asked.push(await recorder.during(() => search(service, asker, query)));
  const [ofService, ofRaw, residentMb]: [number[], number[], number[]] = [[], [], []];
  let degraded = 0;
  const until = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < until; n += 1) {
    const at = n % questions.length;
    const { asker, query } = questions[at] as (typeof questions)[number];
    const raw = await timed(() => replay(client, asked[at] as Asked));
    let isDegraded = false;
    const own = await timed(async () => {
      isDegraded = await search(service, asker, query);
    });
    if (isDegraded) degraded += 1;
    if (n >= WARM_UP) {
      ofRaw.push(raw);
      ofService.push(own);
    }
    if (n % RESIDENT_EVERY === 0) residentMb.push(Math.round(service.residentMegabytes()));
  }
  await client.close();
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(ofService, share) / quantile(ofRaw, share)) as [
    number,
    number,
  ];
  return {
    searches: ofService.length,
    requestsPerSearch: asked.reduce((sum, requests) => sum + requests.length, 0) / asked.length,
    degraded,
    rawMs: figures(ofRaw),
    serviceMs: figures(ofService),
    ratio: { p50: Number(p50.toFixed(2)), p99: Number(p99.toFixed(2)) },
    residentMb,
  };
}

/** Some words of one of the owner's memories, in their order. */
function queryOf(corpus: Corpus, { first, count }: Share, number: number): string {
  const words = corpus
    .memory(first + ((number * 7919) % count))
    .content.toLowerCase()
    .match(/[a-z]+/g) as string[];
  const from = number % Math.max(1, words.length - 8);
  return words.slice(from, from + 4 + (number % 5)).join(" ");
}

/** Whether the search was degraded. */
async function search(service: Service, { key }: Asker, query: string): Promise<boolean> {
  const path = `/v1/memories/search?query=${encodeURIComponent(query)}`;
  const response = await fetch(service.url + path, { headers: { "x-api-key": key } });
  if (response.status !== 200)
    throw new Error(`A search answered ${response.status}: ${await response.text()}`);
  return "degraded" in ((await response.json()) as object);
}

async function isWhole(service: Service, { key }: Asker): Promise<true | undefined> {
  const response = await fetch(`${service.url}/v1/recall/context`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ query: "anything" }),
  });
  const { retrieval_plan: plan } = (await response.json()) as {
    retrieval_plan: { engine: string; degraded: string[] };
  };
  return (plan.engine === "elasticsearch" && plan.degraded.length === 0) || undefined;
}

function figures(latencies: readonly number[]) {
  const [p50, p99] = [0.5, 0.99].map((share) => Number(quantile(latencies, share).toFixed(2)));
  return { p50, p99 };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function say(message: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${message}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
