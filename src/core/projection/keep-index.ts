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
 * An index, and how far it can be trusted to match the present database. `whole`: it was built from the present
 * incarnation. `outlived`: it was built from the incarnation before a replica took over. The replica may lack the last
 * changes in the index, which is searched until another is built. `unknown`: an earlier version created it without
 * recording its source, so it is compared before it is searched.
 */
export type LiveIndex = IndexGeneration & { readonly trust: "whole" | "outlived" | "unknown" };

/**
 * Checks the indexes once. Records which one serves queries; forgets indexes that no longer exist, were replaced from
 * outside, or belong to a database that has since been restored from a backup; drops retired ones. Returns the
 * remaining indexes.
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
    // An index of another history must not be written any more, since it would keep its higher revisions.
    else if (index.state !== "retired" || isThere) await generations.forget(index.name);
    isOfAnother ||= isThere && trust === null;
  }
  const active = left.find((index) => index.state === "active");
  if (active === undefined) state.lost(isOfAnother ? "the record was restored" : reasonOf(left));
  else if (active.mappingVersion > engine.mappingVersion)
    state.lost("the index was built by a newer version");
  else if (active.trust === "unknown") state.lost("the index is being compared with the record");
  else
    state.found({
      index: active.name,
      embeddingGeneration: active.embeddingGeneration,
      spread: active.spread,
    });
  return left;
}

/** How far an index can be trusted; null: not at all. */
async function trustIn({ of }: FoundIndex, incarnations: Incarnations): Promise<LiveIndex["trust"] | null> {
  if (of === null) return "unknown";
  let now = await incarnations.current();
  // Checks whether the database's log is behind the position recorded in the index: then the database was reset.
  if (of.incarnation === now.id) now = await incarnations.current(of.log);
  if (of.incarnation === now.id) return "whole";
  return now.reason === "promoted" && of.incarnation === now.parent ? "outlived" : null;
}

function reasonOf(left: readonly IndexGeneration[]): string {
  return left.some((index) => index.state === "building") ? "the index is being built" : "there is no index";
}

/** Whether an index must be built, and whether queries can use one meanwhile. */
export interface Need {
  readonly isBuildNeeded: boolean;
  readonly isServed: boolean;
}

/**
 * Decides whether an index must be built. At startup, an index is also replaced if the settings name another embedding
 * model, alias or number of shards, or if this program writes newer documents. Later, only a missing index is built, so
 * that two servers with different settings do not keep replacing each other's indexes.
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
