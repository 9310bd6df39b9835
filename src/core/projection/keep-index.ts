import type { BuildTarget } from "./build-index.ts";
import type { Incarnations } from "./incarnation.ts";
import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { FoundIndex, SearchEngine } from "./search-engine.ts";
import type { WatchedIndexState } from "./search-index-state.ts";

export interface KeepPorts {
  readonly engine: SearchEngine;
  readonly generations: IndexGenerations;
  readonly incarnations: Incarnations;
  readonly state: WatchedIndexState;
}

/**
 * How far an index can be trusted to describe the present record. `whole`: it was made of this one. `outlived`: of the one
 * before a replica took over, which may lack the last changes in the index; it is searched until another is built.
 * `unknown`: an earlier version made it and noted nothing, so it is compared before it is searched.
 */
export type LiveIndex = IndexGeneration & { readonly trust: "whole" | "outlived" | "unknown" };

/**
 * Looks at the indexes once: notes which one serves, forgets those that are gone, were replaced by somebody else's or are of
 * a record that was since restored from a backup, and drops those that were retired. Answers those that are left.
 */
export async function lookAtIndexes({
  engine,
  generations,
  incarnations,
  state,
}: KeepPorts): Promise<LiveIndex[]> {
  for (const name of await generations.forgetRetired()) await engine.drop(name);
  const left: LiveIndex[] = [];
  let isOfAnother = false;
  for (const index of await generations.live()) {
    const found = await engine.find(index.name);
    const isThere = found !== null && found.uuid === index.uuid;
    const trust = isThere ? await trustIn(found, incarnations) : null;
    if (trust !== null) left.push({ ...index, trust });
    // One of another history is written no more either: it would keep what it has of a higher revision.
    else if (index.state !== "retired" || isThere) await generations.forget(index.name);
    isOfAnother ||= isThere && trust === null;
  }
  const active = left.find((index) => index.state === "active");
  if (active === undefined) state.lost(isOfAnother ? "the record was restored" : reasonOf(left));
  else if (active.mappingVersion > engine.mappingVersion) state.lost("the index is of a newer version");
  else if (active.trust === "unknown") state.lost("the index is being compared with the record");
  else
    state.found({
      index: active.name,
      embeddingGeneration: active.embeddingGeneration,
      spread: active.spread,
    });
  return left;
}

/** null: none at all. */
async function trustIn({ of }: FoundIndex, incarnations: Incarnations): Promise<LiveIndex["trust"] | null> {
  if (of === null) return "unknown";
  let now = await incarnations.current();
  // The index has seen the record further on than it is, so that it was put back.
  if (of.incarnation === now.id) now = await incarnations.current(of.log);
  if (of.incarnation === now.id) return "whole";
  return now.reason === "promoted" && of.incarnation === now.parent ? "outlived" : null;
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
 * At the start an index is also replaced where the settings name another embedding model, alias or number of shards, or where this program
 * writes newer documents. Later only a missing index counts, so that two servers with different settings do not keep
 * replacing each other's.
 */
export function needOf(
  left: readonly (IndexGeneration & Partial<Pick<LiveIndex, "trust">>)[],
  engine: Pick<SearchEngine, "alias" | "mappingVersion">,
  { embeddingGeneration, shards }: Pick<BuildTarget, "embeddingGeneration" | "shards">,
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
      active.embeddingGeneration !== embeddingGeneration ||
      (shards !== null && active.shards !== shards));
  return {
    isBuildNeeded:
      active === undefined || building !== undefined || active.trust === "outlived" || (isStart && isOther),
    isServed: active !== undefined,
  };
}
