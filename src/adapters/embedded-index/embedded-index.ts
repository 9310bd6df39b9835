import { Retrieval } from "../../core/recall/in-memory/retrieval.ts";
import { figuresOf } from "../../core/recall/in-memory/scope-figures.ts";
import type { ScopeView } from "../../core/recall/in-memory/scope-view.ts";
import { createInt8Dots } from "../../core/recall/int8-dots.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { CandidateRequest, IndexFeed, RecallIndex } from "../../core/recall/recall-index.ts";
import { OwnerCache } from "./owner-cache.ts";
import { ViewCache } from "./view-cache.ts";

export interface EmbeddedIndexOptions {
  readonly feed: IndexFeed;
  readonly lexicon: Lexicon;
  /** For all owners together. An owner that needs more by itself is answered as `unavailable`. */
  readonly memoryBudgetBytes: number;
  /**
   * How long a request waits for an owner's index that is not held yet, before it is answered as `unavailable`: as long
   * as it takes, unless given.
   */
  readonly buildWithinMs?: number;
  readonly log?: (event: string, details: Readonly<Record<string, unknown>>) => void;
}

const ELSEWHERE = "so the database's full-text search answered";

/**
 * A recall index in memory: no second server, every request sees what was committed before it. Requests for
 * an owner that is not held wait while its index is built from the feed.
 */
export function createEmbeddedIndex({
  feed,
  lexicon,
  memoryBudgetBytes,
  buildWithinMs,
  log,
}: EmbeddedIndexOptions): RecallIndex {
  const views = new ViewCache();
  const retrieval = new Retrieval(lexicon, createInt8Dots());
  const owners = new OwnerCache({
    feed,
    lexicon,
    memoryBudgetBytes,
    buildWithinMs: buildWithinMs ?? null,
    onDrop(ownerId, reason) {
      views.forget(ownerId);
      log?.("embedded index dropped", { ownerId, reason });
    },
  });
  return {
    candidates: (request) =>
      owners.withIndexes(request.reach.owners, (indexes, unbuilt) => {
        const unavailable = [...new Set(request.reach.owners)].filter((ownerId) => !indexes.has(ownerId));
        const degraded = [
          ...(unavailable.length > unbuilt.size
            ? [`index: too large for this machine's memory, ${ELSEWHERE}`]
            : []),
          ...(unbuilt.size > 0 ? [`index: still being read into memory, ${ELSEWHERE}`] : []),
        ];
        const view = views.view(indexes, request);
        const { covered, ...found } = retrieval.candidates(view, figuresOf(view), request);
        const coverage = coverageOf(view, covered, request);
        return { ...found, coverage, engine: "embedded", degraded, unavailable };
      }),
    refresh: (ownerIds) => owners.refresh(ownerIds),
  };
}

/** The share of each owner's memories in scope that have a vector to be compared, where vectors are asked for. */
function coverageOf(view: ScopeView, covered: readonly number[], { retrievers }: CandidateRequest) {
  return new Map(
    view.parts.map(({ ownerId, count }, part) => {
      const isWhole = count === 0 || !retrievers.includes("dense");
      return [ownerId, isWhole ? 1 : (covered[part] ?? 0) / count];
    }),
  );
}
