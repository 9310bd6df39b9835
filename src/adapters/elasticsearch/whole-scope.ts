import { figuresOf } from "../../core/recall/in-memory/scope-figures.ts";
import { createScopeView } from "../../core/recall/in-memory/scope-view.ts";
import type { Found, ScopeSearch } from "./found.ts";
import { memorySearch } from "./memory-searches.ts";
import { Pool } from "./pool.ts";

/** A scope of so many memories is read as a whole: no more than a search brings of a larger one. */
export const WHOLE_SCOPE_MAX = 400;
/** What may have come since they were counted. */
const MARGIN = 100;

/** Answers from all memories in scope, exactly as the index in memory does. */
export async function searchWholeScope(options: ScopeSearch): Promise<Found> {
  const { request, owners, scope, tail, lexicon, retrieval, search } = options;
  const { terms, pieces } = request.query;
  const pool = new Pool(owners, [
    ...pieces,
    ...terms.flatMap(({ piece }) => [...lexicon.near(piece).pieces]),
  ]);
  for (const memory of tail) pool.addTail(memory);
  for (const { hits } of await search([memorySearch(scope, WHOLE_SCOPE_MAX + MARGIN)]))
    for (const hit of hits) pool.addHit(hit);
  const view = createScopeView(pool.selections());
  const { covered, ...candidates } = retrieval.candidates(view, figuresOf(view), request);
  return {
    ...candidates,
    owners: new Map(
      view.parts.map(({ ownerId, count }, part) => [ownerId, { count, embedded: covered[part] ?? 0 }]),
    ),
  };
}
