import { createEmbeddedIndex } from "../adapters/embedded-index/embedded-index.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { createIndexFeed } from "../adapters/postgres/recall/index-feed.ts";
import { createResilientIndex, type ResilientIndex } from "../adapters/resilient-index/resilient-index.ts";
import type { Lexicon } from "../core/recall/lexicon.ts";
import type { RecallIndex } from "../core/recall/recall-index.ts";
import type { Serving } from "../core/recall/serving.ts";
import type { Config } from "./config.ts";
import type { Embedders, NumberedEmbedder } from "./embedders.ts";
import type { OpenedEngine } from "./search-engine.ts";

/** How long a recall that falls back waits for an owner's index to be read into memory. */
const BUILD_WITHIN_MS = 500;

/** What answers queries, whatever of it is there. */
export interface RecallEngine {
  serving(): Serving;
  /** For the worker: nothing that was erased is left in any index after it. */
  refresh: RecallIndex["refresh"];
  /** Why the search engine does not answer now, in a few words; null where it does, or there is none. */
  outage(): string | null;
}

export interface RecallEngineParts {
  readonly sql: Sql;
  readonly lexicon: Lexicon;
  readonly embedders: Embedders;
  /** null: recall by the index in memory alone. */
  readonly engine: OpenedEngine | null;
  /** Whether the vectors of the current embedder are made. */
  readonly isBuilt: () => boolean;
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
}

/** Puts together the indexes of each embedder of the settings, and chooses between them for each query. */
export function createRecallEngine(config: Config, parts: RecallEngineParts): RecallEngine {
  const { embedders, engine, isBuilt } = parts;
  const current = servingBy(config, parts, embedders.current);
  let previous = embedders.previous && servingBy(config, parts, embedders.previous);

  function chosen(): OneServing {
    if (previous === null) return current;
    const searched = engine?.state.current()?.embeddingGeneration;
    if (searched !== current.generation && (searched === previous.generation || !isBuilt())) return previous;
    // It does not come back, and what it holds in memory can go.
    if (isBuilt() && (engine === null || searched === current.generation)) previous = null;
    return current;
  }

  return {
    serving: chosen,
    async refresh(owners) {
      await Promise.all([current.index.refresh(owners), previous?.index.refresh(owners)]);
    },
    outage: () => chosen().outage(),
  };
}

interface OneServing extends Serving {
  outage(): string | null;
}

function servingBy(
  config: Config,
  { sql, lexicon, engine, log, report }: RecallEngineParts,
  { embedder, generation }: NumberedEmbedder,
): OneServing {
  const memory = createEmbeddedIndex({
    feed: createIndexFeed(sql, generation),
    lexicon,
    memoryBudgetBytes: config.indexMemoryBytes,
    ...(engine === null ? {} : { buildWithinMs: BUILD_WITHIN_MS }),
  });
  if (engine === null) return { index: memory, embedder, generation, outage: () => null };
  const index: ResilientIndex = createResilientIndex({
    engine: engine.index,
    fallback: memory,
    notReady: engine.notReady,
    timeoutMs: engine.timeoutMs,
    unavailabilityOf: engine.unavailabilityOf,
    onChange: (why) =>
      log(
        why === null
          ? "Elasticsearch answers recall again."
          : `Elasticsearch does not answer recall: ${why}. The index in memory does meanwhile.`,
      ),
    onFault: report,
  });
  return { index, embedder, generation, outage: index.outage };
}
