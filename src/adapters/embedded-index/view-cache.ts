import type { OwnerIndex } from "../../core/recall/in-memory/owner-index.ts";
import { selectSlots } from "../../core/recall/in-memory/scope-filter.ts";
import { createScopeView, type ScopeView } from "../../core/recall/in-memory/scope-view.ts";
import type { RecallScope } from "../../core/recall/recall-index.ts";

/** Positions kept in all views together: about 40 bytes each. */
const POSITIONS_MAX = 2_000_000;
const VIEWS_MAX = 64;

interface CachedView {
  readonly view: ScopeView;
  readonly versions: readonly number[];
  /** It holds for a `now` from here on, and before the next memory expires or is live again. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Remembers the views of repeated filters while nothing in them has changed or expired. */
export class ViewCache {
  #views = new Map<string, CachedView>();
  #positions = 0;

  /** The view of a scope over these indexes, as of now. */
  view(owners: ReadonlyMap<string, OwnerIndex>, scope: RecallScope): ScopeView {
    if (scope.reach.ids !== null) return viewOf(owners, scope).view;
    const key = scopeKey(owners, scope);
    const held = this.#views.get(key);
    this.#drop(key);
    const current =
      held !== undefined && isValid(held, owners, scope.filter.now) ? held : viewOf(owners, scope);
    this.#views.set(key, current);
    this.#positions += current.view.size;
    this.#evict();
    return current.view;
  }

  /** Forgets the views that hold on to an owner's index. */
  forget(ownerId: string): void {
    for (const [key, { view }] of this.#views) {
      if (view.parts.some((part) => part.ownerId === ownerId)) this.#drop(key);
    }
  }

  #evict(): void {
    for (const key of this.#views.keys()) {
      if (this.#views.size <= VIEWS_MAX && this.#positions <= POSITIONS_MAX) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const held = this.#views.get(key);
    if (held === undefined) return;
    this.#views.delete(key);
    this.#positions -= held.view.size;
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

/** Everything that decides the scope but the time of asking, for which a view knows how long it holds. */
function scopeKey(owners: ReadonlyMap<string, OwnerIndex>, { filter, reach }: RecallScope): string {
  const { now: _now, ...members } = filter;
  const { ids: _ids, owners: _owners, ...space } = reach;
  return JSON.stringify([[...owners.keys()], ...[members, space].map(sortedEntries)]);
}

function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
