import type { RecallFilter } from "../../src/core/recall/recall-index.ts";

/** Everything of one owner that is alive. */
export function recallFilter(given: Partial<RecallFilter> = {}): RecallFilter {
  return {
    owners: ["owner"],
    path: "%",
    bucket: "%",
    memoryTypes: ["%"],
    status: "active",
    scope: null,
    teamId: null,
    projectId: null,
    allowedProjects: null,
    pathPrefix: null,
    allowedBuckets: null,
    includeKnowledge: true,
    session: null,
    ids: null,
    asOf: null,
    now: 1_800_000_000_000,
    ...given,
  };
}
