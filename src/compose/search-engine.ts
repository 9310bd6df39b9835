import type { Client } from "@elastic/elasticsearch";
import {
  createElasticsearchClient,
  inspectEngine,
  unavailabilityOf,
  unsupported,
} from "../adapters/elasticsearch/client.ts";
import { createElasticsearchIndex } from "../adapters/elasticsearch/elasticsearch-index.ts";
import { writeAlias } from "../adapters/elasticsearch/mapping.ts";
import { createSearchEngine } from "../adapters/elasticsearch/search-engine.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { databaseIdentity } from "../adapters/postgres/database/service-secret.ts";
import { generationDimensions } from "../adapters/postgres/recall/embeddings.ts";
import { createIndexTail } from "../adapters/postgres/recall/index-feed.ts";
import { PROBE_PATIENCE } from "../adapters/resilient-index/resilient-index.ts";
import type { SearchEngine } from "../core/projection/search-engine.ts";
import { createSearchIndexState, type WatchedIndexState } from "../core/projection/search-index-state.ts";
import type { Unavailability } from "../recall/index/index-unavailable.ts";
import type { RecallIndex } from "../recall/index/recall-index.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import type { ElasticsearchConfig } from "./elasticsearch-settings.ts";
import { ConfigError, certificatesIn } from "./setting-kinds.ts";

/** How long the start waits for the engine to identify itself. */
const START_WITHIN_MS = 5000;
/** How often an unavailable engine is checked again. */
const ASK_EVERY_MS = 5000;

/** The search engine, as recall and the worker use it. */
export interface OpenedEngine {
  readonly index: RecallIndex;
  readonly state: WatchedIndexState;
  /** The projection that the worker writes to. */
  readonly projection: SearchEngine;
  /** How its indexes are divided. */
  readonly shape: Pick<ElasticsearchConfig, "shards" | "memoriesPerShard">;
  /** How long to wait for an answer. */
  readonly timeoutMs: number;
  /** Why it cannot be used now, in a few words; null: it can. */
  notReady(): string | null;
  /** Returns why the engine is unavailable, or null if the error is not the engine's. */
  readonly unavailabilityOf: (error: unknown) => Unavailability | null;
  close(): Promise<void>;
}

interface EngineParts {
  readonly sql: Sql;
  readonly lexicon: Lexicon;
  readonly log: (message: string) => void;
}

/**
 * Connects to the engine and creates the parts that use it. Rejects with `ConfigError` if the server that answers can
 * never be used.
 */
export async function openSearchEngine(
  config: ElasticsearchConfig,
  { sql, lexicon, log }: EngineParts,
): Promise<OpenedEngine> {
  const { client, objection, close } = await connectToEngine(config, log);
  const state = createSearchIndexState(() => performance.now());
  const tail = createIndexTail(sql);
  const dimensions = await generationDimensions(sql);
  const index = createElasticsearchIndex({
    client,
    lexicon,
    tail,
    searched() {
      const serving = state.current();
      const dimension = serving && dimensions.get(serving.embeddingGeneration);
      // Uses the index's alias, not its name: an empty index created in its place would have the name but not the
      // alias.
      return serving && dimension ? { ...serving, index: writeAlias(serving.index), dimension } : null;
    },
  });
  return {
    index: {
      candidates: (request, signal) =>
        index.candidates(request, signal).catch((error) => {
          // The index was removed: do not use it before it has been checked.
          if (unavailabilityOf(error) === "building") state.suspect();
          throw error;
        }),
      refresh: index.refresh,
    },
    state,
    projection: await createProjection(client, config, { sql, lexicon }),
    shape: { shards: config.shards, memoriesPerShard: config.memoriesPerShard },
    timeoutMs: config.timeoutMs,
    notReady: () => objection() ?? state.reason(),
    unavailabilityOf,
    close,
  };
}

/** Creates the engine's projection, for writing. */
export async function createProjection(
  client: Client,
  config: ElasticsearchConfig,
  { sql, lexicon }: Omit<EngineParts, "log">,
): Promise<SearchEngine> {
  return createSearchEngine({
    client,
    lexicon,
    alias: config.indexPrefix,
    replicas: config.replicas,
    // Two databases may share an engine. This identifies the indexes of each.
    database: await databaseIdentity(sql),
  });
}

/** A connection to the search engine, and what is known about the server. */
export interface EngineConnection {
  readonly client: Client;
  /** Why it must not be used, in a few words; null if it may be used. */
  objection(): string | null;
  close(): Promise<void>;
}

/** Creates a client from the settings, without a request. Rejects with `ConfigError` if a file is unreadable. */
export async function clientFor(config: ElasticsearchConfig): Promise<Client> {
  return createElasticsearchClient({
    nodes: config.nodes,
    auth: config.auth,
    ca: config.caFile === null ? null : certificatesIn(config.caFile, "ELASTICSEARCH_CA_FILE"),
    // Recalls wait less: the index with the fallback ends them sooner.
    requestTimeoutMs: config.timeoutMs * PROBE_PATIENCE,
  });
}

/**
 * Connects to the search engine. If it is unavailable or refuses the credentials, this is logged and retried while the
 * service runs without it. Rejects with `ConfigError` if the server that answers can never be used.
 */
export async function connectToEngine(
  config: ElasticsearchConfig,
  log: (message: string) => void,
): Promise<EngineConnection> {
  const client = await clientFor(config);
  let objection: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(withinMs: number): Promise<void> {
    const found = await inspectEngine(client, withinMs);
    if (found.kind === "supported") {
      objection = null;
      return;
    }
    const why = found.kind === "unsupported" ? unsupported(found.found) : found.why;
    if (why !== objection) log(`Elasticsearch: ${why}. Recall works without it.`);
    objection = why;
    timer = setTimeout(() => void ask(config.timeoutMs), ASK_EVERY_MS);
    timer.unref?.();
  }

  const found = await inspectEngine(client, START_WITHIN_MS);
  if (found.kind === "unsupported") {
    await client.close();
    throw new ConfigError(`ELASTICSEARCH_URL: ${unsupported(found.found)}.`);
  }
  if (found.kind === "unavailable") await ask(config.timeoutMs);
  return {
    client,
    objection: () => objection,
    async close() {
      clearTimeout(timer);
      await client.close();
    },
  };
}
