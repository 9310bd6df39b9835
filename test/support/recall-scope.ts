import { everyLiveMemory, type MemoryFilter } from "../../src/core/memory/memory-filter.ts";
import type { Reach, RecallScope } from "../../src/recall/index/scope.ts";

/** Members of a filter and of a reach, side by side: no name is in both. */
export type ScopeMembers = Partial<MemoryFilter & Reach>;

/** Everything of one owner that is alive, but for the members that are given. */
export function recallScope(given: ScopeMembers = {}): RecallScope {
  const { owners = ["owner"], ids = null, pathPrefix = null, buckets = null, projects = null } = given;
  const { owners: _o, ids: _i, pathPrefix: _p, buckets: _b, projects: _j, ...members } = given;
  return {
    filter: { ...everyLiveMemory(1_800_000_000_000), ...members },
    reach: { owners, ids, pathPrefix, buckets, projects },
  };
}
