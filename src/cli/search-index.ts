import { setTimeout as sleep } from "node:timers/promises";
import { createEmbeddingBacklog } from "../adapters/postgres/recall/embedding-backlog.ts";
import { createIndexGenerations } from "../adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../adapters/postgres/recall/index-source.ts";
import { createOutbox } from "../adapters/postgres/recall/outbox.ts";
import type { ElasticsearchConfig } from "../compose/elasticsearch-settings.ts";
import type { Embedder } from "../core/embedding/embedder.ts";
import { type BuildPorts, type BuildTarget, buildIndex } from "../core/projection/build-index.ts";
import type { IndexGeneration } from "../core/projection/index-generations.ts";
import type { Outbox } from "../core/projection/outbox.ts";
import type { EmbeddingBacklog } from "../core/projection/reembed.ts";
import { CommandFailure } from "./failure.ts";
import { settings } from "./open.ts";
import { count, createProgress, figure, say } from "./terminal.ts";

/** What commands need to make and check indexes of the search engine. */
export interface IndexTools {
  readonly ports: BuildPorts;
  readonly target: BuildTarget;
  readonly outbox: Outbox;
  readonly backlog: EmbeddingBacklog;
  readonly embedder: Embedder;
}

/** Runs the work on the search engine of the settings, beside running servers. `CommandFailure` where there is none. */
export async function withIndexTools<T>(work: (tools: IndexTools) => Promise<T>): Promise<T> {
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
        clock,
        newId,
      },
      target: { embeddingGeneration: generation, dimension: embedder.generation.dimension },
      outbox: createOutbox(sql, { generation, hasEngine: true }),
      backlog: createEmbeddingBacklog(sql, generation),
      embedder,
    });
  } finally {
    await connection.close();
  }
}

const LOOK_EVERY_MS = 1000;

/** Builds an index and puts it in place, or waits for the one that another process builds. null: it was stopped. */
export async function rebuild(
  { ports, target }: IndexTools,
  signal: AbortSignal,
): Promise<IndexGeneration | null> {
  const { generations } = ports;
  const before = await activeOf(ports);
  const progress = createProgress();
  const onProgress = (done: number, of: number) =>
    progress.show(
      (seconds) =>
        `${figure(done)} of ${count(of, "memory", "memories")}, ${figure(Math.round(done / seconds))}/s`,
    );
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

export async function activeOf({
  generations,
}: Pick<BuildPorts, "generations">): Promise<IndexGeneration | null> {
  return (await generations.live()).find(({ state }) => state === "active") ?? null;
}
