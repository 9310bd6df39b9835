import type { RecallFilter } from "../../core/recall/recall-index.ts";
import type { OwnerIndex } from "./owner-index.ts";
import { createScopeView, type ScopeView } from "./scope-view.ts";

/** Positions kept in all views together: about 40 bytes each. */
const POSITIONS_MAX = 2_000_000;
const VIEWS_MAX = 64;

interface CachedView {
  readonly view: ScopeView;
  readonly versions: readonly number[];
}

/** Remembers the views of repeated filters while nothing in them has changed or expired. */
export class ViewCache {
  #views = new Map<string, CachedView>();
  #positions = 0;

  /** The view of a filter over these indexes, as of now. */
  view(owners: ReadonlyMap<string, OwnerIndex>, filter: RecallFilter): ScopeView {
    if (filter.ids !== null) return createScopeView(owners, filter);
    const key = filterKey(owners, filter);
    const held = this.#views.get(key);
    this.#drop(key);
    const view =
      held !== undefined && isValid(held, owners, filter.now) ? held.view : createScopeView(owners, filter);
    this.#views.set(key, { view, versions: [...owners.values()].map(({ version }) => version) });
    this.#positions += view.size;
    this.#evict();
    return view;
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

function isValid(
  { view, versions }: CachedView,
  owners: ReadonlyMap<string, OwnerIndex>,
  now: number,
): boolean {
  if (now < view.validFrom || now >= view.validUntil) return false;
  return [...owners].every(
    ([, index], at) => view.parts[at]?.index === index && versions[at] === index.version,
  );
}

/** Everything that decides the scope but the time of asking, for which a view knows how long it holds. */
function filterKey(owners: ReadonlyMap<string, OwnerIndex>, filter: RecallFilter): string {
  const { now: _now, ids: _ids, owners: _owners, ...rest } = filter;
  return JSON.stringify([[...owners.keys()], Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
