import { createHash } from "node:crypto";
import { listCache } from "../../core/cache.ts";
import { sortedEntries } from "../../recall/each-member.ts";
import type { OwnerIndex } from "../../recall/index/in-memory/owner-index.ts";
import { figuresOf, Retrieval } from "../../recall/index/in-memory/retrieval.ts";
import { selectSlots } from "../../recall/index/in-memory/scope-filter.ts";
import { createScopeView, type ScopeView } from "../../recall/index/in-memory/scope-view.ts";
import type { IndexFeed } from "../../recall/index/index-document.ts";
import type { IndexSnapshots } from "../../recall/index/index-snapshots.ts";
import { createInt8Dots } from "../../recall/index/int8-dots.ts";
import type { CandidateRequest, RecallIndex } from "../../recall/index/recall-index.ts";
import type { RecallScope } from "../../recall/index/scope.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { type Pace, UNPACED } from "../../recall/work.ts";
import { OwnerCache } from "./owner-cache.ts";

export interface EmbeddedIndexOptions {
  readonly feed: IndexFeed;
  /** Default: none, and every index is built from the feed. */
  readonly snapshots?: IndexSnapshots | null;
  /** Number of passages from which an index is stored. Default: `STORED_FROM`. */
  readonly storedFrom?: number;
  readonly lexicon: Lexicon;
  /** Limit for all owners together. An owner that needs more by itself is reported as `unavailable`. */
  readonly memoryBudgetBytes: number;
  /**
   * How long a request waits for an owner's index that is not in memory yet, in milliseconds, before the owner is
   * reported as `unavailable`. Default: no limit.
   */
  readonly buildWithinMs?: number;
  /** How reading an owner's index yields the CPU to other work. Default: `UNPACED`. */
  readonly paceOf?: (ownerId: string) => Pace;
  readonly log?: (event: string, details: Readonly<Record<string, unknown>>) => void;
}

/** A smaller index is built from the record in less than half a second. */
const STORED_FROM = 5_000;

const ELSEWHERE = "so the database's full-text search answered";

/** A recall index that keeps the indexes of the owners in use in memory. */
export interface EmbeddedIndex extends RecallIndex {
  /**
   * Reads an owner's index before the first request for it. Returns false and reads nothing if the indexes in memory
   * already take over half of the budget: the rest is reserved for requests.
   */
  readAhead(ownerId: string): Promise<boolean>;
  /** See `OwnerCache.store`. */
  store(signal: AbortSignal): Promise<void>;
  /** Aborts the indexes that are being read for the first time, because the service is stopping. */
  close(): void;
}

/**
 * Creates a recall index in memory, without a second server. Every request sees what was committed before it. Requests
 * for an owner whose index is not in memory wait while it is built from the feed.
 */
export function createEmbeddedIndex({
  feed,
  snapshots = null,
  storedFrom = STORED_FROM,
  lexicon,
  memoryBudgetBytes,
  buildWithinMs,
  paceOf = () => UNPACED,
  log,
}: EmbeddedIndexOptions): EmbeddedIndex {
  const views = new ViewCache();
  const retrieval = new Retrieval(lexicon, createInt8Dots());
  const owners = new OwnerCache({
    feed,
    snapshots,
    storedFrom,
    lexicon,
    memoryBudgetBytes,
    buildWithinMs: buildWithinMs ?? null,
    paceOf,
    onDrop(ownerId, reason) {
      views.forget(ownerId);
      log?.("embedded index dropped", { ownerId, reason });
    },
  });
  return {
    candidates(request) {
      const use = async (indexes: ReadonlyMap<string, OwnerIndex>, unbuilt: ReadonlySet<string>) => {
        const unavailable = [...new Set(request.reach.owners)].filter((ownerId) => !indexes.has(ownerId));
        const degraded = [
          ...(unavailable.length > unbuilt.size
            ? [`index: too large for this machine's memory, ${ELSEWHERE}`]
            : []),
          ...(unbuilt.size > 0 ? [`index: still being read into memory, ${ELSEWHERE}`] : []),
        ];
        const view = views.view(indexes, request);
        const { covered, ...found } = await retrieval.candidates(view, figuresOf(view), request);
        const coverage = coverageOf(view, covered, request);
        return { ...found, coverage, engine: "embedded" as const, degraded, unavailable };
      };
      return owners.withIndexes(request.reach.owners, use, { onRead: request.onRead });
    },
    async refresh(ownerIds) {
      await owners.refresh(ownerIds);
      // Older views still reference what the index has removed.
      for (const ownerId of ownerIds) views.forget(ownerId);
    },
    readAhead: (ownerId) => owners.readAhead(ownerId),
    store: (signal) => owners.store(signal),
    close: () => owners.close(),
  };
}

/**
 * By owner, the share of the memories in scope that have a comparable vector. It is 1 if the request uses no vectors.
 */
function coverageOf(view: ScopeView, covered: readonly number[], { retrievers }: CandidateRequest) {
  return new Map(
    view.parts.map(({ ownerId, count }, part) => {
      const isWhole = count === 0 || !retrievers.includes("dense");
      return [ownerId, isWhole ? 1 : (covered[part] ?? 0) / count];
    }),
  );
}

/** Limits for all views together. */
const VIEWS_BYTES_MAX = 80 * 1024 * 1024;
const VIEWS_MAX = 64;

/**
 * Estimated size of a view in bytes: two numbers for each slot of the indexes (one of them for its vector), 44 bytes
 * for each position, and the cached frequencies.
 */
function viewBytes({ size, parts, frequencies }: ScopeView): number {
  const slots = parts.reduce((sum, { positionOf }) => sum + 2 * positionOf.length, 0);
  return 1000 + 4 * slots + 44 * size + 40 * frequencies.size;
}

interface CachedView {
  readonly view: ScopeView;
  readonly versions: readonly number[];
  /** The view is valid from this `now` on, and before `validUntil`, when the next memory expires or is live again. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Caches the views of repeated filters until something in them changes or expires. */
class ViewCache {
  #views = new Map<string, CachedView>();

  constructor() {
    listCache("index views", this);
  }

  /** The view of a scope over these indexes, as of now. */
  view(owners: ReadonlyMap<string, OwnerIndex>, scope: RecallScope): ScopeView {
    if (scope.reach.ids !== null) return viewOf(owners, scope).view;
    const key = scopeKey(owners, scope);
    const held = this.#views.get(key);
    this.#views.delete(key);
    const current =
      held !== undefined && isValid(held, owners, scope.filter.now) ? held : viewOf(owners, scope);
    this.#views.set(key, current);
    this.#dropReplaced(owners);
    this.#evict();
    return current.view;
  }

  /** Drops the views that reference an owner's index. */
  forget(ownerId: string): void {
    for (const [key, { view }] of this.#views) {
      if (view.parts.some((part) => part.ownerId === ownerId)) this.#views.delete(key);
    }
  }

  measure() {
    return { entries: this.#views.size, bytes: this.#bytes(), bytesMax: VIEWS_BYTES_MAX };
  }

  /** Drops views over memories that an index has replaced by a copy. They would keep all of the old memories alive. */
  #dropReplaced(owners: ReadonlyMap<string, OwnerIndex>): void {
    for (const [key, { view }] of this.#views) {
      const isReplaced = view.parts.some(({ ownerId, memories }) => {
        const index = owners.get(ownerId);
        return index !== undefined && index.memories !== memories;
      });
      if (isReplaced) this.#views.delete(key);
    }
  }

  #evict(): void {
    let bytes = this.#bytes();
    for (const [key, { view }] of this.#views) {
      if (this.#views.size <= VIEWS_MAX && bytes <= VIEWS_BYTES_MAX) return;
      bytes -= viewBytes(view);
      this.#views.delete(key);
    }
  }

  #bytes(): number {
    let bytes = 0;
    for (const { view } of this.#views.values()) bytes += viewBytes(view);
    return bytes;
  }
}

function viewOf(owners: ReadonlyMap<string, OwnerIndex>, scope: RecallScope): CachedView {
  const selected = [...owners].map(([ownerId, index]) => ({
    ownerId,
    memories: index.memories,
    ...selectSlots(index, scope),
  }));
  return {
    view: createScopeView(selected),
    versions: [...owners.values()].map(({ version }) => version),
    validFrom: Math.max(...selected.map(({ validFrom }) => validFrom)),
    validUntil: Math.min(...selected.map(({ validUntil }) => validUntil)),
  };
}

function isValid(
  { view, versions, validFrom, validUntil }: CachedView,
  owners: ReadonlyMap<string, OwnerIndex>,
  now: number,
): boolean {
  if (now < validFrom || now >= validUntil) return false;
  return [...owners].every(
    ([, index], at) => view.parts[at]?.memories === index.memories && versions[at] === index.version,
  );
}

/** Cache key of everything that decides the scope except `now`, since a view records for which `now` it is valid. */
function scopeKey(owners: ReadonlyMap<string, OwnerIndex>, { filter, reach }: RecallScope): string {
  const { now: _now, ...members } = filter;
  const { ids: _ids, owners: _owners, ...space } = reach;
  const scope = JSON.stringify([[...owners.keys()], ...[members, space].map(sortedEntries)]);
  return createHash("sha256").update(scope).digest("base64");
}
