import { uuidv7 } from "uuidv7";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/session-lock.ts";
import { createEmbeddingBacklog } from "../adapters/postgres/recall/embedding-backlog.ts";
import { createIndexGenerations } from "../adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../adapters/postgres/recall/index-source.ts";
import { createOutbox } from "../adapters/postgres/recall/outbox.ts";
import { createProjectionStatus } from "../adapters/postgres/recall/projection-status.ts";
import { DomainError } from "../core/error.ts";
import type { Embedder } from "../core/recall/embedder.ts";
import { IndexUnavailable } from "../core/recall/index-unavailable.ts";
import type { Lexicon } from "../core/recall/lexicon.ts";
import type { Serving } from "../core/recall/serving.ts";
import { type EmbeddingBuild, startEmbeddingBuild } from "../worker/embedding-build.ts";
import type { Worker } from "../worker/loop.ts";
import { startWorker } from "../worker/worker.ts";
import type { Config } from "./config.ts";
import type { ElasticsearchConfig } from "./elasticsearch-settings.ts";
import { openEmbedders } from "./embedders.ts";
import { createRecallEngine } from "./recall-engine.ts";
import type { OpenedEngine } from "./search-engine.ts";

/** Everything that recall is made of, and the work in the background that keeps it so. */
export interface Recall {
  serving(): Serving;
  /** For what is written. */
  readonly embedder: Embedder;
  /** The number of its embedding generation. */
  readonly generation: number;
  /** What recall goes on without: by name, why it does not answer in a few words, or null. */
  outages(): Readonly<Record<string, string | null>>;
  /** Begins the work that writes leave to be done; a server's, and no tool's. */
  start(): void;
  close(): Promise<void>;
}

export interface RecallParts {
  readonly sql: Sql;
  readonly lexicon: Lexicon;
  readonly role: "server" | "tool";
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
}

/** `ConfigError` where what the settings name can never work. What is away does not keep a service from starting. */
export async function openRecall(config: Config, parts: RecallParts): Promise<Recall> {
  const { sql, role, log } = parts;
  // What is away is no fault of ours: a line that says so, and no stack.
  const report = (error: unknown) => {
    if (error instanceof IndexUnavailable) {
      const { message, detail } = error;
      log(`Search engine: ${message}${detail === null ? "" : ` (${detail})`}. What waits is tried again.`);
    } else if (error instanceof DomainError && error.code === "dependency_unavailable") log(error.message);
    else parts.report(error);
  };
  const embedders = await openEmbedders(config.embedding, parts);
  const { embedder, generation } = embedders.current;
  // A tool answers no recall.
  const engine = config.elasticsearch && role === "server" ? await opened(config.elasticsearch, parts) : null;
  let build: EmbeddingBuild | null = null;
  let worker: Worker | null = null;
  const recall = createRecallEngine(config, {
    ...parts,
    embedders,
    engine,
    isBuilt: () => build?.isBuilt() ?? false,
  });
  return {
    serving: recall.serving,
    embedder,
    generation,
    outages: () => (engine === null ? {} : { elasticsearch: recall.outage() }),
    start() {
      const ofOne = <T>(work: () => Promise<T>) =>
        withSessionLock(sql, `embedding build ${generation}`, work);
      const backlog = createEmbeddingBacklog(sql, generation);
      const making = startEmbeddingBuild({ embedder, backlog, withSessionLock: ofOne }, report);
      build = making;
      worker = startWorker(
        {
          outbox: createOutbox(sql, { generation, hasEngine: engine !== null }),
          source: createIndexSource(sql, generation),
          embedder,
          index: recall,
          clock: Date.now,
          status: createProjectionStatus(sql),
          generations: createIndexGenerations(sql),
          search: engine && {
            engine: engine.projection,
            state: engine.state,
            target: { embeddingGeneration: generation, dimension: embedder.generation.dimension },
            newId: uuidv7,
            embeddingsReady: making.isBuilt,
          },
        },
        { report, log },
      );
    },
    async close() {
      await Promise.all([build?.stop(), worker?.stop()]);
      await engine?.close();
    },
  };
}

/** The engine's client is large, and loaded where it is used. */
async function opened(config: ElasticsearchConfig, parts: RecallParts): Promise<OpenedEngine> {
  const { openSearchEngine } = await import("./search-engine.ts");
  return openSearchEngine(config, parts);
}
