import { createInt8Dots } from "../../core/recall/int8-dots.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { IndexFeed, RecallIndex } from "../../core/recall/recall-index.ts";
import { OwnerCache } from "./owner-cache.ts";
import { Retrieval } from "./retrieval.ts";
import { ViewCache } from "./view-cache.ts";

export interface EmbeddedIndexOptions {
  readonly feed: IndexFeed;
  readonly lexicon: Lexicon;
  /** For all owners together. An owner that needs more by itself is answered as `unavailable`. */
  readonly memoryBudgetBytes: number;
  readonly log?: (event: string, details: Readonly<Record<string, unknown>>) => void;
}

/**
 * A recall index in memory: no second server, every request sees what was committed before it. Requests for
 * an owner that is not held wait while its index is built from the feed.
 */
export function createEmbeddedIndex({
  feed,
  lexicon,
  memoryBudgetBytes,
  log,
}: EmbeddedIndexOptions): RecallIndex {
  const views = new ViewCache();
  const retrieval = new Retrieval(lexicon, createInt8Dots());
  const owners = new OwnerCache({
    feed,
    lexicon,
    memoryBudgetBytes,
    onDrop(ownerId, reason) {
      views.forget(ownerId);
      log?.("embedded index dropped", { ownerId, reason });
    },
  });
  return {
    candidates: (request) =>
      owners.withIndexes(request.filter.owners, (indexes) => {
        const unavailable = [...new Set(request.filter.owners)].filter((ownerId) => !indexes.has(ownerId));
        return { ...retrieval.candidates(views.view(indexes, request.filter), request), unavailable };
      }),
    refresh: (ownerIds) => owners.refresh(ownerIds),
  };
}
