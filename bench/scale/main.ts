import { type OwnNode, ownNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { say } from "../chaos/say.ts";
import { Service } from "../chaos/service.ts";
import { Corpus } from "../speed/corpus.ts";
import { askersOf, type Question, questionsOf, search } from "./asker.ts";
import { built } from "./build.ts";
import { measureBuilds } from "./builds.ts";
import { fill, sharesOf } from "./fill.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { openRecall } from "./recall.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { compareWithRaw, memoryUnderLoad } from "./searches.ts";
import { measureSizes } from "./sizes.ts";
import { measureWorkers } from "./workers.ts";

const AUTH = { username: "elastic", password: "a-password-of-benches" } as const;

const INDEX = "recollect-scale";

/** See `HELP`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  process.env.ES_HEAP ??= "1g";
  // As in production: tests spare the compiler, which makes searches slower and ratios look better.
  process.env.ES_OPTS ??= "";
  const node = await ownNode(options.script, AUTH.password);
  const { large, workers, builds } = options;
  const recorder =
    large === null && workers === null && builds === null ? await openRecorder(node.url) : null;
  const withEngine = {
    ELASTICSEARCH_URL: recorder?.url ?? node.url,
    ELASTICSEARCH_USERNAME: AUTH.username,
    ELASTICSEARCH_PASSWORD: AUTH.password,
    ELASTICSEARCH_INDEX_PREFIX: INDEX,
    ELASTICSEARCH_SHARDS: String(options.shards),
    // On a busy machine slow searches are to be measured, not the fallback.
    ELASTICSEARCH_TIMEOUT_MS: "10000",
  };
  // Builds are measured in this process, and not beside the service's own.
  const service = await Service.make(builds === null ? withEngine : {});
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error("Interrupted.")));
  });
  try {
    const place = { node: node.url, auth: AUTH };
    const work =
      builds !== null
        ? measureBuilds({ service, node, place }, builds)
        : workers !== null
          ? measureWorkers({ service, node, place, alias: INDEX }, workers)
          : recorder === null
            ? measureSizes(
                { service, node, index: INDEX },
                { large: large as number, small: options.small, searches: options.searches },
              )
            : run(options, node, recorder, service);
    const result = await Promise.race([work, interrupted]);
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await service.remove();
    await recorder?.close();
    await node.remove();
  }
}

async function run(options: Options, node: OwnNode, recorder: Recorder, service: Service) {
  const { memories, owners, seconds, searches } = options;
  const corpus = new Corpus();
  const shares = sharesOf(memories, owners);
  const largest = shares[0]?.count;
  say(`${memories} memories of ${owners} owners, the largest with ${largest}`);
  // The database is made by the service; the node comes later, so that the build begins with everything there.
  await service.start();
  const database = await service.database();
  await fill(database, corpus, shares);
  const askers = askersOf(service, shares);
  say("the node starts, and the index is built");
  await node.start();
  const build = await built(database, memories, say);
  say(`built in ${build.seconds} s`);
  const questions = questionsOf(corpus, askers);
  await answeredInFull(service, questions[0] as Question);
  const recorded = await recorder.record(questions.map((question) => () => search(service, question)));
  const asked = questions.map((question, n) => ({ question, requests: recorded[n] ?? [] }));
  say(`searches are compared for ${seconds} s`);
  const place = { node: node.url, auth: AUTH };
  const recall = await openRecall(place, INDEX);
  const compared = await compareWithRaw({ service, recall, place }, asked, seconds);
  await recall.close();
  say(`the service's memory is watched during ${searches} searches`);
  const memory = await memoryUnderLoad(service, questions, searches);
  return { memories, owners, largest, build, compared, memory };
}

/** The service looks every few seconds whether its index is there. */
async function answeredInFull(service: Service, question: Question): Promise<void> {
  await eventually("recall to be whole", async () => !(await search(service, question)) || undefined, {
    everyMs: 250,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
