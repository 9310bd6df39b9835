import { uuidv7 } from "uuidv7";
import { createEmbeddedIndex, type EmbeddedIndex } from "../adapters/embedded-index/embedded-index.ts";
import { BUILTIN } from "../adapters/embedding/builtin.ts";
import { recentlyActiveOwners } from "../adapters/postgres/access/active-owners.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { createIncarnations } from "../adapters/postgres/database/incarnation.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import { countNearlyFull, nearlyFullLine } from "../adapters/postgres/memory/usage.ts";
import { createEmbeddingBacklog } from "../adapters/postgres/recall/embeddings.ts";
import { createIndexFeed } from "../adapters/postgres/recall/index-feed.ts";
import { createIndexGenerations } from "../adapters/postgres/recall/index-generations.ts";
import { createIndexSnapshots } from "../adapters/postgres/recall/index-snapshots.ts";
import { createIndexSource } from "../adapters/postgres/recall/index-source.ts";
import { createOutbox, createProjectionStatus } from "../adapters/postgres/recall/outbox.ts";
import { mendTransactionIds } from "../adapters/postgres/recall/transaction-ids.ts";
import { createResilientIndex, type ResilientIndex } from "../adapters/resilient-index/resilient-index.ts";
import type { Embedder } from "../core/embedding/embedder.ts";
import { DomainError } from "../core/error.ts";
import type { Incarnations } from "../core/projection/incarnation.ts";
import type { Serving } from "../core/recall/serving.ts";
import { IndexUnavailable } from "../recall/index/index-unavailable.ts";
import type { RecallIndex } from "../recall/index/recall-index.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import type { Pace } from "../recall/work.ts";
import { type EmbeddingBuild, startEmbeddingBuild } from "../worker/embedding-build.ts";
import { startLoop, type Worker } from "../worker/loop.ts";
import type { ModelBuild } from "../worker/model-build.ts";
import { startReadAhead } from "../worker/read-ahead.ts";
import { startRecordKeeper } from "../worker/record-keeper.ts";
import { type ObservedWorker, startWorker } from "../worker/worker.ts";
import { analysisVersion } from "./analysis-version.ts";
import type { Config } from "./config.ts";
import type { ElasticsearchConfig } from "./elasticsearch-settings.ts";
import { type OpenedMultilingual, openMultilingual } from "./multilingual.ts";
import { type Embedders, type NumberedEmbedder, openEmbedders } from "./providers.ts";
import type { OpenedEngine } from "./search-engine.ts";
import { type OpenedTokenModel, openTokenModel } from "./token-model.ts";
import type { Watching } from "./watching.ts";

/** The parts of recall, and the background work that maintains them. */
export interface Recall {
  serving(): Serving;
  /** Embeds what is written. */
  readonly embedder: Embedder;
  /** The number of its embedding generation. */
  readonly generation: number;
  /** Dependencies that recall can work without: by name, why one does not answer, or null. */
  outages(): Readonly<Record<string, string | null>>;
  /** The same for all parts of recall, including the background work. */
  dependencies(): Readonly<Record<string, string | null>>;
  /** Starts the background work that follows writes. For servers only. */
  start(): void;
  close(): Promise<void>;
}

interface RecallParts {
  readonly sql: Sql;
  readonly watching: Pick<Watching, "watchedEmbedder">;
  readonly paceOf: (party: string) => Pace;
  readonly lexicon: Lexicon;
  readonly role: "server" | "tool";
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
}

/**
 * Opens the parts of recall. Rejects with `ConfigError` if the settings can never work. Unavailable dependencies do not
 * prevent the start.
 */
export async function openRecall(config: Config, parts: RecallParts): Promise<Recall> {
  const { sql, role, log } = parts;
  // An unavailable dependency is not our fault, so it is logged in one line without a stack.
  const report = (error: unknown) => {
    if (error instanceof IndexUnavailable) {
      const { message, detail } = error;
      log(
        `Search engine: ${message}${detail === null ? "" : ` (${detail})`}. Waiting changes will be retried.`,
      );
    } else if (error instanceof DomainError && error.code === "dependency_unavailable") log(error.message);
    else parts.report(error);
  };
  const incarnations = createIncarnations(sql);
  if (role === "server") await incarnations.current();
  const embedders = await openEmbedders(config.embedding, parts);
  const { embedder, generation } = embedders.current;
  // A tool does not answer recall.
  const engine = config.elasticsearch && role === "server" ? await opened(config.elasticsearch, parts) : null;
  const tokens = config.tokenModel && role === "server" ? await openTokenModel(parts) : null;
  // A provider's model reads many languages itself.
  const isBuiltin = embedder.generation.provider === BUILTIN;
  const multilingual =
    config.multilingualModel && isBuiltin && role === "server" ? openMultilingual(parts) : null;
  let build: EmbeddingBuild | null = null;
  let builds: readonly ModelBuild[] = [];
  let worker: ObservedWorker | null = null;
  let recordKeeper: Worker | null = null;
  let readAhead: Worker | null = null;
  let storer: Worker | null = null;
  const recall = createRecallEngine(config, {
    ...parts,
    incarnations,
    embedders,
    engine,
    tokens,
    multilingual,
    isBuilt: () => build?.isBuilt() ?? false,
  });
  return {
    serving: recall.serving,
    embedder,
    generation,
    outages: () => (engine === null ? {} : { elasticsearch: recall.outage() }),
    dependencies: () => ({
      ...(engine === null ? { index: null } : { elasticsearch: recall.outage() }),
      embedder: embedders.current.isLeftAlone() ? "it keeps failing, and is left alone for now" : null,
      worker: worker?.outage() ?? null,
    }),
    start() {
      recordKeeper = startRecordKeeper(
        {
          incarnations,
          whileMending: (work) => withSessionLock(sql, "transaction ids", work),
          mend: (signal) => mendTransactionIds(sql, signal),
        },
        { report, log },
      );
      // The engine's index is where it was.
      if (engine === null) {
        readAhead = startReadAhead(
          { activeOwners: (limit) => recentlyActiveOwners(sql, limit), readAhead: recall.readAhead },
          report,
        );
        storer = startLoop(recall.store, { pauseMs: INDEX_STORE_PAUSE_MS, startsAtOnce: false, report });
      }
      const ofOne = <T>(work: () => Promise<T>) =>
        withSessionLock(sql, `embedding build ${generation}`, work);
      const backlog = createEmbeddingBacklog(sql, generation);
      const making = startEmbeddingBuild({ embedder, backlog, withSessionLock: ofOne }, report);
      build = making;
      builds = [tokens?.startBuild(report), multilingual?.startBuild(generation, report)].filter(
        (one) => one !== undefined,
      );
      worker = startWorker(
        {
          outbox: createOutbox(sql, { generation, hasEngine: engine !== null }),
          source: createIndexSource(sql, generation),
          embedder,
          index: recall,
          onWritten: (memories) => {
            for (const one of builds) one.notify(memories);
          },
          clock: Date.now,
          status: createProjectionStatus(sql),
          quotaWarning: async () => nearlyFullLine(await countNearlyFull(sql, config.storage)),
          generations: createIndexGenerations(sql),
          search: engine && {
            engine: engine.projection,
            state: engine.state,
            incarnations,
            target: {
              embeddingGeneration: generation,
              dimension: embedder.generation.dimension,
              ...engine.shape,
            },
            newId: uuidv7,
            embeddingsReady: making.isBuilt,
          },
        },
        { report, log },
      );
    },
    async close() {
      // Closed first, so that the build does not wait for a text that is being encoded.
      const isReadAhead = readAhead?.stop();
      recall.close();
      await Promise.all([
        isReadAhead,
        tokens?.close(),
        multilingual?.close(),
        build?.stop(),
        ...builds.map((one) => one.stop()),
        worker?.stop(),
        recordKeeper?.stop(),
        storer?.stop(),
      ]);
      if (storer !== null) await recall.store(AbortSignal.timeout(STORE_AT_STOP_MS)).catch(report);
      await engine?.close();
    },
  };
}

/** The engine's client is large, so it is loaded only if used. */
async function opened(config: ElasticsearchConfig, parts: RecallParts): Promise<OpenedEngine> {
  const { openSearchEngine } = await import("./search-engine.ts");
  return openSearchEngine(config, parts);
}

/** How often the indexes in memory that have changed are stored, for the next start. */
const INDEX_STORE_PAUSE_MS = 60_000;
/** At a stop, no more indexes are stored after this time. Storing a large one takes seconds. */
const STORE_AT_STOP_MS = 3_000;

/** How long a recall that falls back waits for an owner's index to be read into memory. */
const BUILD_WITHIN_MS = 500;

/** Answers queries with the parts that are available. */
interface RecallEngine {
  serving(): Serving;
  /** For the worker. Afterwards no index contains erased data. */
  refresh: RecallIndex["refresh"];
  /** See `EmbeddedIndex`. */
  readAhead(ownerId: string): Promise<boolean>;
  store(signal: AbortSignal): Promise<void>;
  close(): void;
  /** Why the search engine is unavailable, in a few words; null if it is available, or there is none. */
  outage(): string | null;
}

interface RecallEngineParts extends Omit<RecallParts, "role"> {
  readonly incarnations: Incarnations;
  readonly embedders: Embedders;
  /** null: recall uses only the index in memory. */
  readonly engine: OpenedEngine | null;
  readonly tokens: OpenedTokenModel | null;
  readonly multilingual: OpenedMultilingual | null;
  /** Whether the vectors of the current embedder are made. */
  readonly isBuilt: () => boolean;
}

/** Combines the indexes of the settings' embedders, and chooses between them for each query. */
function createRecallEngine(config: Config, parts: RecallEngineParts): RecallEngine {
  const { embedders, engine, isBuilt } = parts;
  const current = servingBy(config, parts, embedders.current);
  let previous = embedders.previous && servingBy(config, parts, embedders.previous);

  function chosen(): OneServing {
    if (previous === null) return current;
    const searched = engine?.state.current()?.embeddingGeneration;
    if (searched !== current.generation && (searched === previous.generation || !isBuilt())) return previous;
    // The previous embedder is no longer needed, so its memory can be freed.
    if (isBuilt() && (engine === null || searched === current.generation)) previous = null;
    return current;
  }

  return {
    serving: chosen,
    async refresh(owners) {
      await Promise.all([current.index.refresh(owners), previous?.index.refresh(owners)]);
      parts.lexicon.forgetWords();
    },
    readAhead: (ownerId) => chosen().memory.readAhead(ownerId),
    store: (signal) => chosen().memory.store(signal),
    close() {
      current.memory.close();
      previous?.memory.close();
    },
    outage: () => chosen().outage(),
  };
}

interface OneServing extends Serving {
  readonly memory: EmbeddedIndex;
  outage(): string | null;
}

function servingBy(
  config: Config,
  { sql, incarnations, lexicon, engine, tokens, multilingual, paceOf, log, report }: RecallEngineParts,
  { embedder, generation }: NumberedEmbedder,
): OneServing {
  const memory = createEmbeddedIndex({
    feed: createIndexFeed(sql, generation, incarnations),
    // With an engine, indexes in memory are rare.
    snapshots:
      engine === null
        ? createIndexSnapshots(sql, { generation, incarnations, analysis: analysisVersion })
        : null,
    lexicon,
    memoryBudgetBytes: config.indexMemoryBytes,
    paceOf,
    ...(engine === null ? {} : { buildWithinMs: BUILD_WITHIN_MS }),
  });
  const isBuiltin = embedder.generation.provider === BUILTIN;
  const by = {
    embedder,
    generation,
    memory,
    tokens: tokens?.model ?? null,
    multilingual: isBuiltin ? (multilingual?.model ?? null) : null,
  };
  if (engine === null) return { ...by, index: memory, outage: () => null };
  const index: ResilientIndex = createResilientIndex({
    engine: engine.index,
    fallback: memory,
    notReady: engine.notReady,
    timeoutMs: engine.timeoutMs,
    unavailabilityOf: engine.unavailabilityOf,
    onChange: (why) =>
      log(
        why === null
          ? "Elasticsearch is answering recall again."
          : `Elasticsearch is not answering recall: ${why}. The index in memory answers instead.`,
      ),
    onFault: report,
  });
  return { ...by, index, outage: index.outage };
}
