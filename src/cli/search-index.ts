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
import { requireDatabase, settings, type Tools, withTools } from "./open.ts";
import { jsonOption } from "./options.ts";
import { count, createProgress, figure, interruptible, print, printJson, say } from "./terminal.ts";

export function addReembed(program: Command): void {
  program
    .command("reembed")
    .description("Embed every memory that has no vector from the current model")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A running server does this by itself. Use this command to do it in advance or by
hand: after a change of model, after restoring a database, or when an embedding
provider was unavailable. It can be stopped and run again.

If the search engine's index has vectors from another model, the command then
builds a new index and switches to it (see recollect reindex). Until then
queries use the old one.

With --json it prints {embedded, remaining, index}: the index that was built, or
null. The exit status is 1 if it was stopped before the end.

Examples:
  recollect reembed
  recollect reembed --json`,
    )
    .action(async ({ json }) => interruptible((signal) => embedAll(signal, json === true)));
}

export function addReindex(program: Command): void {
  program
    .command("reindex")
    .description("Rebuild the search engine's index from the record")
    .option("--verify", "Compare the index with the record and correct the differences")
    .addOption(
      new Option("--shards <number>", "The number of shards of the new index, 1 to 1024")
        .argParser(shardsOf)
        .conflicts("verify"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
This can run beside servers: recall uses the old index until the new one is
complete, and writes in the meantime go to both. It can be stopped; the next
run, or a running server, continues where it stopped. A server rebuilds the
index by itself if it is missing, of an older version, or belongs to the record
before a restore.

--shards changes the number of shards while the service keeps running. Without
it the new index has as many as ELASTICSEARCH_SHARDS says, or as many as the old
one. Owners with more than ELASTICSEARCH_MEMORIES_PER_SHARD memories are spread
over several shards.

--verify compares memories and their revisions, and sends again what is missing
or outdated. Both modes retry what the engine or the embedder had refused.

With --json it prints {index, memories, shards, spread}, where spread is the
number of owners on several shards; with --verify {index, missing, outdated,
foreign, refused}: memories that the index lacked, had in an older state, should
not have had, and that the engine refuses. The exit status is 1 if it was
stopped before the end, or if the engine refuses memories.

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

const STOPPED = "Stopped before the end. Run the command again to continue.";

async function embedAll(signal: AbortSignal, asJson: boolean): Promise<void> {
  const { embedded, remaining } = await withTools((tools) => embedHere(tools, signal));
  const index = settings().elasticsearch === null || signal.aborted ? null : await buildNext(signal);
  if (asJson) printJson({ embedded, remaining, index });
  else {
    print(`Embedded ${count(embedded, "memory", "memories")}; ${remaining} without a vector.`);
    if (index !== null) print(`The index ${index} is now in use.`);
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

/**
 * Builds the next index if the active one has vectors of another generation. Returns its name, or null if none was
 * built.
 */
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
  throw new InvalidArgumentError("Give a whole number from 1 to 1024.");
}

async function buildAnew(
  tools: IndexTools,
  signal: AbortSignal,
  { asJson, shards = tools.target.shards ?? undefined }: { asJson: boolean; shards: number | undefined },
): Promise<void> {
  const { target } = tools;
  if (target.shards !== null && shards !== target.shards)
    say(
      `ELASTICSEARCH_SHARDS is ${target.shards}. Change it too, or the next start rebuilds the index with that many shards.`,
    );
  await tools.outbox.retrySetAside();
  const index = await rebuild({ ...tools, target: { ...target, shards: shards ?? null } }, signal);
  if (index === null) throw new CommandFailure(`${STOPPED} A running server continues by itself.`);
  const { name, scanned, spread } = index;
  if (asJson) printJson({ index: name, memories: scanned, shards: index.shards, spread: spread.size });
  else
    print(
      `The index ${name} is now in use, with ${count(scanned, "memory", "memories")} on ${count(index.shards ?? 1, "shard", "shards")}; ${count(spread.size, "owner", "owners")} on several of them.`,
    );
}

async function verify(tools: IndexTools, signal: AbortSignal, asJson: boolean): Promise<void> {
  await tools.outbox.retrySetAside();
  const index = await activeOf(tools.ports);
  if (index === null) throw new CommandFailure("There is no index yet. Build one with recollect reindex.");
  const { missing, outdated, foreign, refused } = await compared(tools.ports, index, signal);
  if (asJson) printJson({ index: index.name, missing, outdated, foreign, refused });
  else if (missing + outdated + foreign > 0)
    print(
      `Corrected: ${count(missing, "memory", "memories")} missing, ${outdated} outdated, ${foreign} that should not be there; ${refused} refused by the engine.`,
    );
  else if (!signal.aborted) print("The index matches the record.");
  if (signal.aborted) throw new CommandFailure(STOPPED);
  if (refused > 0) throw new CommandFailure();
}

async function compared(ports: BuildPorts, index: IndexGeneration, signal: AbortSignal): Promise<Comparison> {
  try {
    return await compareIndex(ports, index, { signal });
  } catch (error) {
    if (!(error instanceof IndexAhead)) throw error;
    throw new CommandFailure(
      "The index is ahead of the record, as after restoring a backup. Rebuild it with recollect reindex.",
    );
  }
}

/** Dependencies of the commands that build and check indexes of the search engine. */
interface IndexTools {
  readonly ports: BuildPorts;
  readonly target: BuildTarget;
  readonly outbox: Outbox;
}

/**
 * Runs the work on the configured search engine, while servers may be running. `CommandFailure` if none is configured.
 */
async function withIndexTools<T>(work: (tools: IndexTools) => Promise<T>): Promise<T> {
  const config = settings();
  const { elasticsearch } = config;
  if (elasticsearch === null)
    throw new CommandFailure(
      "There is no search engine, because ELASTICSEARCH_URL is not set. Nothing needs rebuilding: the index in memory is read from the record whenever it is needed.",
    );
  requireDatabase(config);
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

/** Builds and activates an index, or waits for one that another process is building. null if stopped. */
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
