import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { WatchedIndexState } from "./search-index-state.ts";

export interface KeepPorts {
  readonly engine: SearchEngine;
  readonly generations: IndexGenerations;
  readonly state: WatchedIndexState;
}

/**
 * Looks at the indexes once: notes which one serves, forgets those that are gone or were replaced by somebody else's, and
 * drops those that were retired. Answers those that are left.
 */
export async function lookAtIndexes({ engine, generations, state }: KeepPorts): Promise<IndexGeneration[]> {
  for (const name of await generations.forgetRetired()) await engine.drop(name);
  const left: IndexGeneration[] = [];
  for (const index of await generations.live()) {
    if ((await engine.find(index.name)) === index.uuid) left.push(index);
    else if (index.state !== "retired") await generations.forget(index.name);
  }
  const active = left.find((index) => index.state === "active");
  if (active === undefined) state.lost(reasonOf(left));
  else if (active.mappingVersion > engine.mappingVersion) state.lost("the index is of a newer version");
  else state.found({ index: active.name, embeddingGeneration: active.embeddingGeneration });
  return left;
}

function reasonOf(left: readonly IndexGeneration[]): string {
  return left.some((index) => index.state === "building") ? "the index is being built" : "there is no index";
}

/** Whether an index must be built, and whether queries have one meanwhile. */
export interface Need {
  readonly isBuildNeeded: boolean;
  readonly isServed: boolean;
}

/**
 * At the start an index is also replaced where the settings name another embedding model or alias, or where this program
 * writes newer documents. Later only a missing index counts, so that two servers with different settings do not keep
 * replacing each other's.
 */
export function needOf(
  left: readonly IndexGeneration[],
  engine: Pick<SearchEngine, "alias" | "mappingVersion">,
  embeddingGeneration: number,
  isStart: boolean,
): Need {
  const active = left.find((index) => index.state === "active");
  const building = left.find((index) => index.state === "building");
  const isNewer = [active, building].some((index) => (index?.mappingVersion ?? 0) > engine.mappingVersion);
  if (isNewer) return { isBuildNeeded: false, isServed: active !== undefined };
  const isOther =
    active !== undefined &&
    (active.alias !== engine.alias ||
      active.mappingVersion !== engine.mappingVersion ||
      active.embeddingGeneration !== embeddingGeneration);
  return {
    isBuildNeeded: active === undefined || building !== undefined || (isStart && isOther),
    isServed: active !== undefined,
  };
}
