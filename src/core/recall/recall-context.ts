import type { ContextAnswer, RecallContextRequest, RetrievalPlan } from "../../contract/recall.ts";
import { passageAt } from "../../recall/language/passages.ts";
import { WEIGHTS_WITH_LATE } from "../../recall/ranking/late-interaction.ts";
import { WEIGHTS } from "../../recall/ranking/rank.ts";
import { answerStatusOf } from "../../recall/statements/answer-status.ts";
import type { ConflictingPair } from "../../recall/statements/conflicts.ts";
import { conflictsOf } from "../../recall/statements/newest-first.ts";
import { questionOf } from "../../recall/statements/question.ts";
import { inTurns } from "../../recall/work.ts";
import type { Caller } from "../caller.ts";
import {
  CONTEXT_VERSION,
  type ContextCandidate,
  type ContextItem,
  type ContextPack,
  packContext,
} from "../context/pack.ts";
import { shortRef } from "../context/render.ts";
import { allReduced } from "../limits/answer-bytes.ts";
import { boundaryOf } from "../memory/boundary.ts";
import { noteShown, type ShownMemory } from "../memory/junk.ts";
import {
  type MemoryFilter,
  memoryFilter,
  namesKnowledge,
  requireKnowledgeScope,
} from "../memory/memory-filter.ts";
import { countedImportance, type Whose, whoseOf } from "../memory/others-word.ts";
import { present, rfc3339 } from "../memory/present.ts";
import { reviewOf } from "../memory/review.ts";
import { otherSession } from "../memory/session.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import { type Contradicting, type FoundSide, namedConflicts, sideOf } from "./contradicting-hits.ts";
import { NOISE_MAX } from "./left-out-of-pack.ts";
import { noteRecall, outcomeOf } from "./recall-log.ts";
import { COMPARED_MAX, type Hit, type Retrieval, type RetrievePorts, retrieve } from "./retrieve.ts";
import { RETRIEVERS } from "./search.ts";

/** Default number of hits considered per item that fits. */
const HITS_PER_ITEM = 4;
const HITS_MIN = 40;
const HITS_MAX = 1000;

/** Number of hits that a pack considers. */
export function hitsConsidered({
  limit,
  max_items,
}: Pick<RecallContextRequest, "limit" | "max_items">): number {
  return limit ?? Math.min(HITS_MAX, Math.max(HITS_MIN, max_items * HITS_PER_ITEM));
}

/**
 * The most valuable memories for a query that fit both limits, as text for a model and as items. A temporary agent gets
 * the same without plan and judgement. Records what it shows. Throws `knowledge_scope_required` for knowledge without
 * its scope.
 */
export const recallContext: UseCase<
  RetrievePorts & Pick<Ports, "clock" | "newId" | "junk" | "recalls">,
  "recallContext"
> = async (ports, caller, input) => {
  const { answer, shown, now } = await contextFor(ports, caller, input);
  noteShown(ports.junk, caller, shown, answer.context_text);
  noteRecall(ports, caller, {
    operation: "context",
    question: input.query,
    outcome: outcomeOf(answer),
    memories: shown.map(({ memory }) => memory),
    tokens: answer.budget.used_tokens,
    tokensMax: answer.budget.max_tokens,
    projectId: input.project_id ?? null,
    askedAt: now,
  });
  return answer;
};

/** A context answer, with the text it shows of each memory and the hits it was chosen from. */
export interface MadeContext {
  readonly answer: ContextAnswer;
  readonly shown: readonly ShownMemory[];
  /** The hits that the pack considered, in the ranker's order. */
  readonly hits: readonly Hit[];
  readonly pack: ContextPack<ContextCandidate & { readonly hit: Hit }>;
  readonly now: number;
}

/** Builds the context answer. Records nothing as shown: the caller may not show it at all. */
export async function contextFor(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: RecallContextRequest,
): Promise<MadeContext> {
  const now = ports.clock();
  const filter = contextFilter(caller, input, now);
  const hitsMax = hitsConsidered(input);
  const found = await retrieve(ports, caller, {
    query: input.query,
    filter,
    hitsMax,
    comparedMax: Math.max(COMPARED_MAX, hitsMax),
    scoreMin: input.threshold ?? 0,
    candidateCount: null,
    retrievers: RETRIEVERS.hybrid,
    prefersWorking: input.prefer_working,
    askedAt: input.asked_at ? Date.parse(input.asked_at) : now,
    timeZone: input.time_zone ?? "UTC",
  });
  await ports.pace.pause();
  const whose = await whoseOf(
    ports.store,
    caller,
    found.hits.map(({ memory }) => memory),
  );
  const isOfOneTeam = filter.teamId !== null || caller.space.teamId !== null;
  const hits = found.hits.map((hit) => ({
    ...candidateOf(caller, hit, { now, isOfOneTeam, ...whose(hit.memory) }),
    hit,
  }));
  const candidates = input.threshold == null ? hits.map(withoutNoise) : hits;
  const contradicting = amongCandidates(candidates, found.contradicting);
  const request = {
    query: input.query,
    conflicts: contradicting.conflicts,
    candidates,
    maxItems: input.max_items,
    maxTokens: input.max_tokens,
    nowMs: now,
    isCompact: input.format === "compact",
    keepsSuperseded: filter.status !== "active" || filter.asOf !== null,
  };
  const pack = await ports.watch.stage("pack", () => inTurns(packContext(request), ports.pace));
  const contentOf = ({ candidate, shown, isTruncated }: (typeof pack.items)[number]) =>
    isTruncated && !input.full ? shown : candidate.content;
  const shown = pack.items.map((item) => ({
    memory: item.candidate.hit.memory,
    texts: [item.shown, contentOf(item)],
  }));
  const whole = pack.items.map((item, at) => ({
    ...packedItem(caller, item, { now, content: contentOf(item) }),
    passage: passageAt(item.candidate.content, item.candidate.passage),
    score: item.candidate.hit.score,
    ...(request.isCompact && { ref: shortRef(at + 1) }),
  }));
  const items = allReduced(whole, (item, at) =>
    reducedItem({ ...item, content: pack.items[at]?.shown ?? "" }),
  );
  const core = { query: input.query, budget: pack.budget, items, context_text: pack.contextText };
  const made = { shown, hits: found.hits, pack, now };
  if (caller.tokenKind === "agent_temporary") return { answer: { version: "1.0", ...core }, ...made };
  const answer: ContextAnswer = {
    version: CONTEXT_VERSION,
    ...core,
    retrieval_plan: planOf(input, filter, found, hitsMax),
    answer_status: answerStatusOf({
      question: questionOf(input.query),
      memories: candidates,
      shown: pack.items.map(({ candidate, shown }) => ({ memory: candidate, text: shown })),
      contradictions: contradicting,
      coverage: coverageOf(found.hits),
    }),
    conflicts: namedConflicts(contradicting.conflicts),
    coverage: found.coverage,
    omitted: pack.omitted.map((item) => ({ ...item })),
  };
  return { answer, ...made };
}

/**
 * The contradictions among the pack's candidates. A candidate that contradicts a hit beyond the limit is not named, but
 * counts as unsettled.
 */
function amongCandidates<C extends Candidate>(candidates: readonly C[], { pairs, unsure }: Contradicting) {
  const byMemory = new Map(candidates.map((candidate) => [candidate.memory, candidate]));
  const candidateIn = ({ memory }: FoundSide) => byMemory.get(memory);
  const named: ConflictingPair<C>[] = [];
  const unsettled = new Set([...unsure].flatMap((side) => candidateIn(side) ?? []));
  for (const { sides, reason } of pairs) {
    const [one, other] = [candidateIn(sides[0]), candidateIn(sides[1])];
    if (one && other) named.push({ sides: [one, other], reason });
    else for (const side of [one, other]) if (side) unsettled.add(side);
  }
  return { pairs: named, unsure: unsettled, conflicts: conflictsOf(named) };
}

/** Sets the value of noise to zero, so that the pack drops it and counts it as filtered. */
function withoutNoise<C extends ContextCandidate>(candidate: C): C {
  const { relevance, judgedRelevance = relevance } = candidate;
  return judgedRelevance < NOISE_MAX ? { ...candidate, relevance: 0, judgedRelevance: 0 } : candidate;
}

/**
 * The share of the query's weight that the most relevant memory covers, wherever a reranker or preference has moved it.
 */
function coverageOf(hits: readonly Hit[]): number {
  const best = Math.max(...hits.map(({ score }) => score));
  return Math.max(0, ...hits.filter(({ score }) => score === best).map(({ lexicalShare }) => lexicalShare));
}

/** Knowledge is included only if requested, by name or by `include_knowledge`. */
function contextFilter(caller: Caller, input: RecallContextRequest, now: number): MemoryFilter {
  if (input.include_knowledge) requireKnowledgeScope(caller);
  const asked = { ...input, memory_type: input.memory_type === "auto" ? "%" : input.memory_type };
  const filter = memoryFilter(caller, asked, now);
  return { ...filter, includeKnowledge: input.include_knowledge || namesKnowledge(asked) };
}

/** A memory of a pack, as answers present it. */
export function packedItem(
  caller: Caller,
  { candidate, tokens, isTruncated }: ContextItem<Candidate>,
  { now, content }: { now: number; content: string },
) {
  return {
    ...present(caller, candidate.memory, now),
    content,
    tokens,
    truncated: isTruncated,
    team_name: candidate.team,
    claimed_by: candidate.isOthers ? (candidate.claimant ?? A_MEMBER) : null,
  };
}

/** The item without the members that may be long. */
export function reducedItem<I extends object>(item: I) {
  return { ...item, metadata: {}, provenance: {}, reduced: true as const };
}

/** A memory as weighed by a pack. */
export interface Candidate extends ContextCandidate, FoundSide {
  readonly team: Whose["team"];
  readonly isOthers: boolean;
  readonly claimant: Whose["claimant"];
}

/** Name of a member who has left. */
const A_MEMBER = "another member";

export function candidateOf(
  caller: Caller,
  hit: Pick<Hit, "memory" | "passage" | "score" | "judgedRelevance">,
  { now, isOfOneTeam, team, isOthers, claimant }: Whose & { now: number; isOfOneTeam: boolean },
): Candidate {
  const { memory } = hit;
  const { provenance, metadata } = memory;
  const side = sideOf(caller, hit, now);
  return {
    ...side,
    team,
    isOthers,
    claimant,
    claimedAuthority: typeof metadata.authority === "string" ? metadata.authority : side.authority,
    passage: hit.passage,
    memoryType: memory.memoryType,
    path: memory.path,
    bucket: memory.bucket,
    judgedRelevance: hit.judgedRelevance,
    // A request for a single team accepts its members' weights: no memory of the reader's own competes with them.
    importance: countedImportance(memory.importance, isOthers && !isOfOneTeam),
    source: memory.source,
    agentName: typeof provenance.agent_name === "string" ? provenance.agent_name : memory.agentId,
    relation: boundaryOf(caller.attribution, memory).relation,
    otherSession: otherSession(caller, memory),
    review: reviewOf(memory, now),
    dueAt: memory.dueAt,
  };
}

/** null for an open end. */
function bound(instant: number): string | null {
  return Number.isFinite(instant) ? rfc3339(instant) : null;
}

function planOf(
  input: RecallContextRequest,
  filter: MemoryFilter,
  found: Retrieval,
  hitsMax: number,
): RetrievalPlan {
  const { timeRange } = found;
  const chosen =
    input.memory_type === "auto" ? "memory_type auto: all types are included" : "memory_type as requested";
  const working = input.prefer_working ? "; working memories are preferred" : "";
  const judged = found.isReranked ? "; a reranker has judged the first hits" : "";
  return {
    engine: found.engine,
    retrievers: [...found.retrievers],
    memory_types: [...filter.memoryTypes],
    time_range: timeRange
      ? { from: bound(timeRange.from), to: bound(timeRange.to), because: timeRange.because }
      : null,
    weights: { ...(found.isLate ? WEIGHTS_WITH_LATE : WEIGHTS) },
    candidate_count: hitsMax,
    degraded: [...found.degraded],
    because: chosen + working + judged,
  };
}
