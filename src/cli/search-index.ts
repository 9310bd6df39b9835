import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { createIncarnations } from "../adapters/postgres/database/incarnation.ts";
import { createIndexGenerations } from "../adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../adapters/postgres/recall/index-source.ts";
import { createOutbox } from "../adapters/postgres/recall/outbox.ts";
import type { ElasticsearchConfig } from "../compose/elasticsearch-settings.ts";
import { type BuildPorts, type BuildTarget, buildIndex } from "../core/projection/build-index.ts";
import { type Comparison, compareIndex, IndexAhead } from "../core/projection/compare-index.ts";
import type { IndexGeneration } from "../core/projection/index-generations.ts";
import type { Outbox } from "../core/projection/outbox.ts";
import { reembed } from "../core/projection/reembed.ts";
import { CommandFailure } from "./failure.ts";
import { settings, type Tools, withTools } from "./open.ts";
import { jsonOption } from "./options.ts";
import { count, createProgress, figure, interruptible, print, printJson, say } from "./terminal.ts";

export function addReembed(program: Command): void {
  program
    .command("reembed")
    .description("Embed every memory that has no vector of the current embedding model")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A running server does this by itself; this is for doing it beforehand or by hand: another embedding model, a restored
database, an embedding provider that was away. It may be stopped and run again.

With a search engine whose index has the vectors of another model it then builds the next index and puts it in place
(see recollect reindex). Until then queries go on with the old one.

With --json it prints {embedded, remaining, index}: the index that was built, or null. The exit status is 1 where it was
stopped before the end.

Examples:
  recollect reembed
  recollect reembed --json`,
    )
    .action(async ({ json }) => interruptible((signal) => embedAll(signal, json === true)));
}

export function addReindex(program: Command): void {
  program
    .command("reindex")
    .description("Build the search engine's index anew from the record")
    .option("--verify", "Compare the index with the record and put right what differs")
    .addOption(
      new Option("--shards <number>", "Divide the new index into so many shards, 1 to 1024")
        .argParser(shardsOf)
        .conflicts("verify"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
It works beside running servers: recall goes on with the old index until the new one is complete, and what is written
meanwhile goes to both. It may be stopped; the next run, or a running server, goes on where it was. A server does this by
itself where the index is gone, of an older version, or of the record before it was restored from a backup.

--shards changes the number of shards while the service goes on: the new index has so many, and the old one answers until it
is complete. Without it the new one has as many as ELASTICSEARCH_SHARDS says, or else as many as the old one. Owners of more
than ELASTICSEARCH_MEMORIES_PER_SHARD memories are then spread over several of them.

--verify counts and compares memories and their revisions, and sends again what is missing or outdated. Both try once more
what the engine or the embedder had refused and was set aside.

With --json it prints {index, memories, shards, spread}, spread being the number of owners on several shards, or with --verify {index, missing, outdated, foreign, refused}: memories that the index
lacked, had in an older state, had and should not, and that the engine refuses. The exit status is 1 where it was stopped
before the end, or where the engine refuses memories.

Examples:
  recollect reindex
  recollect reindex --shards 3
  recollect reindex --verify --json`,
    )
    .action(async (options) => {
      const asJson = options.json === true;
      await interruptible((signal) =>
        withIndexTools((tools) =>
          options.verify === true
            ? verify(tools, signal, asJson)
            : buildAnew(tools, signal, { asJson, shards: options.shards }),
        ),
      );
    });
}

const STOPPED = "Stopped before the end: run it again to go on.";

async function embedAll(signal: AbortSignal, asJson: boolean): Promise<void> {
  const { embedded, remaining } = await withTools((tools) => embedHere(tools, signal));
  const index = settings().elasticsearch === null || signal.aborted ? null : await buildNext(signal);
  if (asJson) printJson({ embedded, remaining, index });
  else {
    print(`Embedded ${count(embedded, "memory", "memories")}; ${remaining} without a vector.`);
    if (index !== null) print(`The index ${index} serves now.`);
  }
  if (signal.aborted) throw new CommandFailure(STOPPED);
}

async function embedHere(tools: Tools, signal: AbortSignal) {
  const progress = createProgress();
  try {
    return await reembed(tools, {
      signal,
      onProgress: (done, of) => progress.show(done, ofMemories(done, of)),
    });
  } finally {
    progress.end();
  }
}

const ofMemories = (done: number, of: number) => `${figure(done)} of ${count(of, "memory", "memories")}`;

/** The name of the next index, where the active one has other vectors. */
function buildNext(signal: AbortSignal): Promise<string | null> {
  return withIndexTools(async (tools) => {
    const active = await activeOf(tools.ports);
    if (active === null || active.embeddingGeneration === tools.target.embeddingGeneration) return null;
    return (await rebuild(tools, signal))?.name ?? null;
  });
}

function shardsOf(value: string): number {
  const shards = Number(value);
  if (Number.isInteger(shards) && shards >= 1 && shards <= 1024) return shards;
  throw new InvalidArgumentError("a whole number from 1 to 1024 is needed.");
}

async function buildAnew(
  tools: IndexTools,
  signal: AbortSignal,
  { asJson, shards = tools.target.shards ?? undefined }: { asJson: boolean; shards: number | undefined },
): Promise<void> {
  const { target } = tools;
  if (target.shards !== null && shards !== target.shards)
    say(
      `ELASTICSEARCH_SHARDS is ${target.shards}: change it as well, or the next start builds an index of that.`,
    );
  await tools.outbox.retrySetAside();
  const index = await rebuild({ ...tools, target: { ...target, shards: shards ?? null } }, signal);
  if (index === null) throw new CommandFailure(`${STOPPED} A running server goes on by itself.`);
  const { name, scanned, spread } = index;
  if (asJson) printJson({ index: name, memories: scanned, shards: index.shards, spread: spread.size });
  else
    print(
      `The index ${name} serves now, with ${count(scanned, "memory", "memories")} on ${count(index.shards ?? 1, "shard", "shards")}; ${count(spread.size, "owner", "owners")} on several of them.`,
    );
}

async function verify(tools: IndexTools, signal: AbortSignal, asJson: boolean): Promise<void> {
  await tools.outbox.retrySetAside();
  const index = await activeOf(tools.ports);
  if (index === null) throw new CommandFailure("There is no index yet: recollect reindex builds one.");
  const { missing, outdated, foreign, refused } = await compared(tools.ports, index, signal);
  if (asJson) printJson({ index: index.name, missing, outdated, foreign, refused });
  else if (missing + outdated + foreign > 0)
    print(
      `Put right: ${count(missing, "memory", "memories")} missing, ${outdated} outdated, ${foreign} that should not be there; ${refused} refused by the engine.`,
    );
  else if (!signal.aborted) print("The index holds what the record does.");
  if (signal.aborted) throw new CommandFailure(STOPPED);
  if (refused > 0) throw new CommandFailure();
}

async function compared(ports: BuildPorts, index: IndexGeneration, signal: AbortSignal): Promise<Comparison> {
  try {
    return await compareIndex(ports, index, { signal });
  } catch (error) {
    if (!(error instanceof IndexAhead)) throw error;
    throw new CommandFailure(
      "The index is ahead of the record, as it is after a restore from a backup: recollect reindex builds a new one.",
    );
  }
}

/** What commands need to make and check indexes of the search engine. */
interface IndexTools {
  readonly ports: BuildPorts;
  readonly target: BuildTarget;
  readonly outbox: Outbox;
}

/** Runs the work on the search engine of the settings, beside running servers. `CommandFailure` where there is none. */
async function withIndexTools<T>(work: (tools: IndexTools) => Promise<T>): Promise<T> {
  const config = settings();
  const { elasticsearch } = config;
  if (elasticsearch === null)
    throw new CommandFailure(
      "There is no search engine: ELASTICSEARCH_URL is not set. Without one there is nothing to rebuild: the index in memory is read from the record whenever it is needed.",
    );
  const { openService } = await import("../compose/service.ts");
  const service = await openService(config, { role: "tool", log: say, report: () => {} });
  try {
    return await onEngine(elasticsearch, service, work);
  } finally {
    await service.close();
  }
}

type Service = Awaited<ReturnType<typeof import("../compose/service.ts").openService>>;

async function onEngine<T>(
  config: ElasticsearchConfig,
  { sql, generation, ports }: Service,
  work: (tools: IndexTools) => Promise<T>,
): Promise<T> {
  const { connectToEngine, createProjection } = await import("../compose/search-engine.ts");
  const connection = await connectToEngine(config, say);
  try {
    const objection = connection.objection();
    if (objection !== null) throw new CommandFailure(`Elasticsearch cannot be used: ${objection}.`);
    const { embedder, lexicon, clock, newId } = ports;
    return await work({
      ports: {
        source: createIndexSource(sql, generation),
        engine: await createProjection(connection.client, config, { sql, lexicon }),
        generations: createIndexGenerations(sql),
        incarnations: createIncarnations(sql),
        clock,
        newId,
      },
      target: {
        embeddingGeneration: generation,
        dimension: embedder.generation.dimension,
        shards: config.shards,
        memoriesPerShard: config.memoriesPerShard,
      },
      outbox: createOutbox(sql, { generation, hasEngine: true }),
    });
  } finally {
    await connection.close();
  }
}

const LOOK_EVERY_MS = 1000;

/** Builds an index and puts it in place, or waits for the one that another process builds. null: it was stopped. */
async function rebuild({ ports, target }: IndexTools, signal: AbortSignal): Promise<IndexGeneration | null> {
  const { generations } = ports;
  const before = await activeOf(ports);
  const progress = createProgress();
  const onProgress = (done: number, of: number) => progress.show(done, ofMemories(done, of));
  try {
    while (!signal.aborted) {
      const done = await generations.whileBuilding(() => buildIndex(ports, target, { signal, onProgress }));
      const active = await activeOf(ports);
      if (done === true || (done === null && active !== null && active.name !== before?.name)) return active;
      const other = (await generations.live()).find(({ state }) => state === "building");
      if (other) onProgress(other.scanned, Math.max(other.total, other.scanned));
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
    return null;
  } finally {
    progress.end();
  }
}

async function activeOf({ generations }: Pick<BuildPorts, "generations">): Promise<IndexGeneration | null> {
  return (await generations.live()).find(({ state }) => state === "active") ?? null;
}
