import { createHash } from "node:crypto";
import { listCache } from "../../core/cache.ts";
import type { OwnerIndex } from "../../recall/index/in-memory/owner-index.ts";
import { figuresOf, Retrieval } from "../../recall/index/in-memory/retrieval.ts";
import { selectSlots } from "../../recall/index/in-memory/scope-filter.ts";
import { createScopeView, type ScopeView } from "../../recall/index/in-memory/scope-view.ts";
import type { IndexFeed } from "../../recall/index/index-document.ts";
import { createInt8Dots } from "../../recall/index/int8-dots.ts";
import type { CandidateRequest, RecallIndex } from "../../recall/index/recall-index.ts";
import type { RecallScope } from "../../recall/index/scope.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { type Pace, UNPACED } from "../../recall/work.ts";
import { OwnerCache } from "./owner-cache.ts";

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
  /** How an owner's index is read at the side of other work; in one go, unless given. */
  readonly paceOf?: (ownerId: string) => Pace;
  readonly log?: (event: string, details: Readonly<Record<string, unknown>>) => void;
}

const ELSEWHERE = "so the database's full-text search answered";

/** A recall index that holds the owners in use in memory. */
export interface EmbeddedIndex extends RecallIndex {
  /**
   * Reads an owner's index before anybody asks for it. False, and nothing is read, where the indexes that are held take half of
   * what they may: the rest is for those who ask.
   */
  readAhead(ownerId: string): Promise<boolean>;
  /** What is being read for the first time is given up: the service stops. */
  close(): void;
}

/**
 * A recall index in memory: no second server, every request sees what was committed before it. Requests for
 * an owner that is not held wait while its index is built from the feed.
 */
export function createEmbeddedIndex({
  feed,
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
      // A view of before holds on to what the index has let go of.
      for (const ownerId of ownerIds) views.forget(ownerId);
    },
    readAhead: (ownerId) => owners.readAhead(ownerId),
    close: () => owners.close(),
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

/** For all views together. */
const VIEWS_BYTES_MAX = 80 * 1024 * 1024;
const VIEWS_MAX = 64;

/**
 * Two numbers for each slot of the indexes (one of them for its vector), ten for each position, and the frequencies that are
 * remembered.
 */
function viewBytes({ size, parts, frequencies }: ScopeView): number {
  const slots = parts.reduce((sum, { positionOf }) => sum + 2 * positionOf.length, 0);
  return 1000 + 4 * slots + 44 * size + 40 * frequencies.size;
}

interface CachedView {
  readonly view: ScopeView;
  readonly versions: readonly number[];
  /** It holds for a `now` from here on, and before the next memory expires or is live again. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Remembers the views of repeated filters while nothing in them has changed or expired. */
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

  /** Forgets the views that hold on to an owner's index. */
  forget(ownerId: string): void {
    for (const [key, { view }] of this.#views) {
      if (view.parts.some((part) => part.ownerId === ownerId)) this.#views.delete(key);
    }
  }

  measure() {
    return { entries: this.#views.size, bytes: this.#bytes(), bytesMax: VIEWS_BYTES_MAX };
  }

  /** Views of memories that an index has replaced by a copy: they would keep all of them. */
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

/** Of everything that decides the scope but the time of asking, for which a view knows how long it holds. */
function scopeKey(owners: ReadonlyMap<string, OwnerIndex>, { filter, reach }: RecallScope): string {
  const { now: _now, ...members } = filter;
  const { ids: _ids, owners: _owners, ...space } = reach;
  const scope = JSON.stringify([[...owners.keys()], ...[members, space].map(sortedEntries)]);
  return createHash("sha256").update(scope).digest("base64");
}

function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
