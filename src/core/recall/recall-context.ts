import type { ContextAnswer, RecallContextRequest, RetrievalPlan } from "../../contract/recall.ts";
import type { Caller } from "../caller.ts";
import { answerStatusOf } from "../context/answer-status.ts";
import { CONTEXT_VERSION, type ContextCandidate, packContext } from "../context/pack.ts";
import { isAdopted } from "../memory/adopted.ts";
import { boundaryOf } from "../memory/boundary.ts";
import {
  type MemoryFilter,
  memoryFilter,
  namesKnowledge,
  requireKnowledgeScope,
} from "../memory/memory-filter.ts";
import { present, rfc3339 } from "../memory/present.ts";
import { reviewOf } from "../memory/review.ts";
import { otherSession, sessionRelation } from "../memory/session.ts";
import { statusAt } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";
import { WEIGHTS } from "./rank.ts";
import { type Hit, type Retrieval, type RetrievePorts, retrieve } from "./retrieve.ts";
import { RETRIEVERS } from "./search.ts";

/** Hits considered unless `limit` says otherwise: several for each item that fits. */
const HITS_PER_ITEM = 4;
const HITS_MIN = 40;
const HITS_MAX = 1000;

/**
 * What shares no word with the query and is no closer to it in meaning than chance (a cosine of .2) scores below this:
 * it would only fill the pack. A search shows it all the same, with its score.
 */
const NOISE_MAX = 0.03;

/**
 * The most valuable memories for a query that fit both limits, as text for a model and as items. A temporary agent is
 * answered the same without the plan and the judgement.
 * `knowledge_scope_required` for knowledge without its scope.
 */
export async function recallContext(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: RecallContextRequest,
): Promise<ContextAnswer> {
  const now = ports.clock();
  const filter = contextFilter(caller, input, now);
  const hitsMax = input.limit ?? Math.min(HITS_MAX, Math.max(HITS_MIN, input.max_items * HITS_PER_ITEM));
  const found = await retrieve(ports, caller, {
    query: input.query,
    filter,
    hitsMax,
    scoreMin: input.threshold ?? 0,
    candidateCount: null,
    retrievers: RETRIEVERS.hybrid,
    prefersWorking: input.prefer_working,
    askedAt: input.asked_at ? Date.parse(input.asked_at) : now,
    timeZone: input.time_zone ?? "UTC",
  });
  await ports.pace.pause();
  const candidates = found.hits.map((hit) => candidateOf(caller, hit, now));
  const request = {
    query: input.query,
    candidates: input.threshold == null ? candidates.map(withoutNoise) : candidates,
    maxItems: input.max_items,
    maxTokens: input.max_tokens,
    nowMs: now,
    keepsSuperseded: filter.status !== "active" || filter.asOf !== null,
  };
  const pack = await packContext(request, ports.pace);
  const items = pack.items.map(({ candidate, tokens, isTruncated }) => ({
    ...present(caller, candidate.hit.memory, now),
    score: candidate.hit.score,
    tokens,
    truncated: isTruncated,
  }));
  const core = { query: input.query, budget: pack.budget, items, context_text: pack.contextText };
  if (caller.tokenKind === "agent_temporary") return { version: "1.0", ...core };
  return {
    version: CONTEXT_VERSION,
    ...core,
    retrieval_plan: planOf(input, filter, found, hitsMax),
    answer_status: answerStatusOf(candidates, found.hits[0]?.lexicalShare ?? 0),
    coverage: found.coverage,
    omitted: pack.omitted.map((item) => ({ ...item })),
  };
}

/** Noise is worth nothing, so that the pack leaves it out and counts it as filtered. */
function withoutNoise<C extends ContextCandidate>(candidate: C): C {
  return candidate.relevance < NOISE_MAX ? { ...candidate, relevance: 0 } : candidate;
}

/** Knowledge takes part only where it is asked for, by name or by `include_knowledge`. */
function contextFilter(caller: Caller, input: RecallContextRequest, now: number): MemoryFilter {
  if (input.include_knowledge) requireKnowledgeScope(caller);
  const asked = { ...input, memory_type: input.memory_type === "auto" ? "%" : input.memory_type };
  const filter = memoryFilter(caller, asked, now);
  return { ...filter, includeKnowledge: input.include_knowledge || namesKnowledge(asked) };
}

function candidateOf(caller: Caller, hit: Hit, now: number): ContextCandidate & { hit: Hit } {
  const { memory } = hit;
  const { provenance, metadata } = memory;
  return {
    hit,
    id: memory.memoryId,
    content: memory.content,
    memoryType: memory.memoryType,
    path: memory.path,
    bucket: memory.bucket,
    occurredAtMs: memory.occurredAt ?? memory.createdAt,
    relevance: hit.score,
    importance: memory.importance,
    confidence: memory.confidence,
    authority: typeof metadata.authority === "string" ? metadata.authority : "observation",
    source: memory.source,
    agentName: typeof provenance.agent_name === "string" ? provenance.agent_name : memory.agentId,
    relation: boundaryOf(caller.attribution, memory).relation,
    otherSession: otherSession(caller, memory),
    isOwnSession: sessionRelation(caller, memory) === "own",
    isAdopted: isAdopted(memory),
    semanticKey: memory.semanticKey,
    status: statusAt(memory, now),
    supersededBy: memory.supersededBy,
    review: reviewOf(memory, now),
    vector: hit.vector ? Float32Array.from(hit.vector) : null,
  };
}

function planOf(
  input: RecallContextRequest,
  filter: MemoryFilter,
  found: Retrieval,
  hitsMax: number,
): RetrievalPlan {
  const { timeRange } = found;
  const chosen =
    input.memory_type === "auto" ? "memory_type auto: every type takes part" : "memory_type as asked";
  const working = input.prefer_working ? "; working memories are preferred" : "";
  return {
    engine: found.engine,
    retrievers: [...found.retrievers],
    memory_types: [...filter.memoryTypes],
    time_range: timeRange
      ? { from: rfc3339(timeRange.from), to: rfc3339(timeRange.to), because: timeRange.because }
      : null,
    weights: { ...WEIGHTS },
    candidate_count: hitsMax,
    degraded: [...found.degraded],
    because: chosen + working,
  };
}
