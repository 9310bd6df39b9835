import type { z } from "zod";
import type { SearchAnswer, SearchRequest, whyAnswer, whyRequest } from "../../contract/recall.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { memoryFilter } from "../memory/memory-filter.ts";
import { present } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { Retriever } from "./recall-index.ts";
import { type RetrievePorts, type RetrieveRequest, retrieve } from "./retrieve.ts";

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

/** As many hits as retrievers can propose together, neighbours included. */
const WHY_HITS_MAX = 10_000;

/** Where a search puts one memory, and why; or which part of the search keeps it out. `not_found` as for reading it. */
export async function recallWhy(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: z.output<typeof whyRequest>,
): Promise<z.output<typeof whyAnswer>> {
  // Refuses what may not be asked at all, before the id is looked up.
  const ask = searchOf(caller, { ...input, threshold: null }, WHY_HITS_MAX, ports.clock());
  const seen = await ports.store.find(caller, input.memory_id);
  const isHidden = seen?.memory.status === "soft_deleted" && input.status !== "soft_deleted";
  if (!seen || isHidden) throw notFound();
  const { memory } = seen;
  const found = await retrieve(ports, caller, ask);
  const place = found.hits.findIndex((hit) => hit.memory.id === memory.id);
  const hit = found.hits[place];
  if (hit) {
    const isBelow = input.threshold != null && hit.score < input.threshold;
    const reasons = [...reasonsOf(hit.signals), ...(isBelow ? ["− its score is below the threshold"] : [])];
    return {
      id: memory.memoryId,
      found: !isBelow,
      rank: place + 1,
      score: hit.score,
      signals: { ...hit.signals },
      reasons,
    };
  }
  const [matching] = await ports.store.readMatching(caller, [memory.id], ask.filter);
  const why = matching
    ? "no retriever proposed it: other memories match better. A larger candidate_count looks further."
    : `the search's filters leave it out: it is ${memory.status}, of type ${memory.memoryType}, in bucket ${memory.bucket}, at ${memory.path}`;
  return { id: memory.memoryId, found: false, rank: null, score: null, signals: {}, reasons: [why] };
}

/** What each signal says of a hit when it counts for something. */
const REASONS: Readonly<Record<string, string>> = {
  lexical: "its words, or words near them in meaning, match the query",
  dense: "it is close to the query in meaning",
  speaker: "the query names who said it",
  date: "it is of a date the query names",
  time_range: "it is of the time the query is about",
  recency: "it is recent",
  session: "it was said in a session about this",
  update: "it updates an earlier memory",
  answer: "it follows a question like this one",
  time: "it says when, and the query asks when",
  working: "working memories were preferred",
  own_session: "it is of this request's own session",
  superseded: "a later memory says nearly the same",
  question: "it is a question itself",
  full_text: "the database's full-text search found it",
};

/** Below this a signal is not worth a sentence. In the ranker's units. */
const TELLING = 0.05;

/** Why a hit has its place, the strongest reason first; what counts against it too. */
function reasonsOf(signals: Readonly<Record<string, number>>): string[] {
  return Object.entries(signals)
    .filter(([, value]) => Math.abs(value) >= TELLING)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, value]) => `${value > 0 ? "+" : "−"} ${REASONS[name] ?? name}`);
}
