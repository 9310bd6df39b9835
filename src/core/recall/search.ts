import type { SearchAnswer, SearchRequest } from "../../contract/recall.ts";
import type { Caller } from "../caller.ts";
import { memoryFilter } from "../memory/memory-filter.ts";
import { present } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { reasonsOf } from "./reasons.ts";
import type { Retriever } from "./recall-index.ts";
import { retrieve } from "./retrieve.ts";
import type { RetrievePorts, RetrieveRequest } from "./retrieve-request.ts";

export const RETRIEVERS: Readonly<Record<SearchRequest["retrievers"], readonly Retriever[]>> = {
  hybrid: ["lexical", "dense"],
  lexical: ["lexical"],
  dense: ["dense"],
};

/**
 * The best matches, ordered by the ranker. It finds what the owner has just written.
 * `knowledge_scope_required` where knowledge is asked for by name without its scope.
 */
export async function searchMemories(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: SearchRequest,
): Promise<SearchAnswer> {
  const now = ports.clock();
  const found = await retrieve(ports, caller, searchOf(caller, input, input.limit, now));
  const results = found.hits.map((hit) => {
    const item = { ...present(caller, hit.memory, now), score: hit.score };
    if (!input.explain) return item;
    return {
      ...item,
      explanation: {
        rank_score: hit.rankScore,
        signals: { ...hit.signals },
        reasons: reasonsOf(hit.signals),
      },
    };
  });
  const degraded = found.degraded.length > 0 ? { degraded: [...found.degraded] } : {};
  return { results, coverage: found.coverage, ...degraded };
}

/** A search request as the retrieval sees it. */
export function searchOf(
  caller: Caller,
  input: Omit<SearchRequest, "limit" | "explain">,
  hitsMax: number,
  now: number,
): RetrieveRequest {
  return {
    query: input.query,
    filter: memoryFilter(caller, input, now),
    hitsMax,
    scoreMin: input.threshold ?? 0,
    candidateCount: input.candidate_count ?? null,
    retrievers: RETRIEVERS[input.retrievers],
    prefersWorking: input.prefer_working,
    askedAt: input.asked_at ? Date.parse(input.asked_at) : now,
    timeZone: input.time_zone ?? "UTC",
  };
}
