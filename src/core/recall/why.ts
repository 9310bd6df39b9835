import { joined, type OwnWords, own, quotedField, shownId, word } from "../../contract/own-words.ts";
import {
  type RecallContextRequest,
  recallContextRequest,
  type WhyAnswer,
  type WhyRequest,
} from "../../contract/recall.ts";
import { CANDIDATES_DEFAULT, CANDIDATES_MAX } from "../../recall/index/in-memory/retrieval.ts";
import { KNOWLEDGE } from "../../recall/index/scope.ts";
import { passageAt } from "../../recall/language/passages.ts";
import { isNeighbour, type Proposal, proposalsOf } from "../../recall/ranking/proposals.ts";
import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { requireKnowledgeScope } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import { asItStands } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import { type LeftOut, leftOutBy } from "./left-out-by-filter.ts";
import { leftOutWords, repetitionWords, rounded } from "./left-out-of-pack.ts";
import { contextFor, hitsConsidered } from "./recall-context.ts";
import { type Retrieval, type RetrievePorts, type RetrieveRequest, retrieve } from "./retrieve.ts";
import { explanationOf, searchOf } from "./search.ts";

type WhyPorts = RetrievePorts & Pick<Ports, "clock">;

/** The most hits that the retrievers can propose together, neighbours included. */
const HITS_MAX = 10_000;

/** The facts found about a memory, before they are put into words. */
interface Asked {
  readonly caller: Caller;
  readonly input: WhyRequest;
  readonly memory: MemoryRecord;
  readonly ask: RetrieveRequest;
  readonly found: Retrieval;
}

/** The verdict of one stage of recall on the memory. */
type Verdict = Pick<WhyAnswer, "outcome"> & Partial<WhyAnswer> & { readonly words: readonly OwnWords[] };

/**
 * Explains the place of one memory in a search or, with `max_items` or `max_tokens`, in a context pack; or what
 * excludes it: every filter that does, which retrievers proposed it at which place, the threshold, the limit, the
 * budget, a repetition. Throws `not_found` under the same conditions as reading the memory.
 */
export const recallWhy: UseCase<WhyPorts, "recallWhy"> = async (ports, caller, input) => {
  // Rejects an invalid request before the id is looked up.
  const ask = requestOf(caller, input, ports.clock());
  const seen = await ports.store.find(caller, input.memory_id);
  const isHidden = seen?.memory.status === "soft_deleted" && input.status !== "soft_deleted";
  if (!seen || isHidden) throw notFound();
  const found = await retrieve(ports, caller, ask);
  const memory = asItStands(seen.memory, ask.filter.now);
  const asked: Asked = { caller, input, memory, ask, found };
  const { words, ...verdict } = await verdictOf(ports, asked);
  return {
    ...nothing(asked),
    ...verdict,
    found: verdict.outcome === "found",
    reasons: [...words],
    ...(found.degraded.length > 0 ? { degraded: [...found.degraded] } : {}),
  };
};

function isOfPack({ max_items, max_tokens }: WhyRequest): boolean {
  return max_items != null || max_tokens != null;
}

function requestOf(caller: Caller, input: WhyRequest, now: number): RetrieveRequest {
  const { include_knowledge } = input;
  const isPack = isOfPack(input);
  if (isPack) requirePackable(input);
  if (include_knowledge) requireKnowledgeScope(caller);
  const memory_type = input.memory_type === "auto" ? "%" : input.memory_type;
  const prefer_working = input.prefer_working ?? isPack;
  const ask = searchOf(caller, { ...input, memory_type, prefer_working, threshold: null }, HITS_MAX, now);
  const isNamed = input.bucket === KNOWLEDGE || memory_type === KNOWLEDGE;
  const includeKnowledge = isNamed || (include_knowledge ?? (!isPack && ask.filter.includeKnowledge));
  return { ...ask, filter: { ...ask.filter, includeKnowledge } };
}

/** Rejects members that a context pack does not have. */
function requirePackable({ metadata, candidate_count, retrievers }: WhyRequest): void {
  const others = { metadata, candidate_count, retrievers: retrievers === "hybrid" ? null : retrievers };
  for (const [member, value] of Object.entries(others)) {
    if (value != null)
      throw invalid([member], "does not go with max_items and max_tokens, which ask for a context pack");
  }
}

function nothing({ memory }: Asked): Omit<WhyAnswer, "outcome"> {
  return {
    id: memory.memoryId,
    found: false,
    rank: null,
    score: null,
    passage: null,
    signals: {},
    reasons: [],
    filters: [],
    proposed_by: null,
    superseded_by: memory.supersededBy,
    repetition_of: null,
    pack: null,
  };
}

/** The verdict of the first stage that excludes it; otherwise how it was found. */
async function verdictOf(ports: WhyPorts, asked: Asked): Promise<Verdict> {
  const { caller, input, memory, ask, found } = asked;
  const at = found.hits.findIndex((hit) => hit.memory.id === memory.id);
  const hit = found.hits[at];
  if (hit === undefined) {
    const { memories } = await ports.store.readMatching(caller, [memory.id], ask.filter);
    return memories.length === 0 ? filtered(asked) : notProposed(ports, asked);
  }
  const rank = at + 1;
  const { signals, reasons } = explanationOf(hit);
  const ranked = {
    rank,
    score: hit.score,
    passage: passageAt(hit.memory.content, hit.passage),
    signals,
    proposed_by: proposedBy(asked),
  };
  const words = [...proposalWords(asked), ...reasons];
  if (input.threshold != null && hit.score < input.threshold) {
    const below = own`− its score of ${rounded(hit.score)} is below the threshold of ${input.threshold}`;
    return { ...ranked, outcome: "below_threshold", words: [...words, below] };
  }
  const limit = isOfPack(input) ? hitsConsidered(contextRequestOf(input)) : input.limit;
  if (limit != null && !(await isWithin(ports, asked, limit))) {
    const ends = isOfPack(input) ? own`the pack considers the first` : own`the limit is`;
    const beyond = own`− it is in place ${rank} of all, and ${ends} ${limit}`;
    return { ...ranked, outcome: "beyond_limit", words: [...words, beyond] };
  }
  if (!isOfPack(input)) return { ...ranked, outcome: "found", words };
  const packed = await packVerdict(ports, asked, hit.judgedRelevance);
  return { ...ranked, ...packed, words: [...words, ...packed.words] };
}

/**
 * Repeats the search with its own limit and threshold: it then reads no more than necessary, and drops hits below the
 * threshold.
 */
async function isWithin(ports: WhyPorts, asked: Asked, limit: number): Promise<boolean> {
  const { caller, input, memory, ask } = asked;
  const scoreMin = input.threshold ?? 0;
  const { hits } = await retrieve(ports, caller, { ...ask, hitsMax: limit, scoreMin });
  return hits.some((hit) => hit.memory.id === memory.id);
}

// Filters.

function filtered({ memory, ask }: Asked): Verdict {
  const { asOf } = ask.filter;
  const filters = leftOutBy(memory, ask.filter);
  if (filters.length === 0 && asOf !== null)
    filters.push({ filter: "as_of", asked: rfc3339(asOf), has: null });
  const words = filters.map((one) => filterWords(one, memory));
  const { supersededBy } = memory;
  if (supersededBy !== null) words.push(own`− it is superseded by ${shownId(supersededBy)}`);
  return { outcome: "filtered", filters, words };
}

const VALUE_LENGTH_MAX = 128;

function filterWords({ filter, asked, has }: LeftOut, { expiresAt }: MemoryRecord): OwnWords {
  const quoted = (value: string | null) => quotedField(value, VALUE_LENGTH_MAX) ?? own`nothing`;
  const name = quoted(filter);
  switch (filter) {
    case "as_of":
      return has === null
        ? own`− the filter ${name} leaves it out: it was not live at ${quoted(asked)}, or its version of that time has been deleted`
        : own`− the filter ${name} leaves it out: it was stored at ${quoted(has)}, after ${quoted(asked)}`;
    case "include_knowledge":
      return own`− knowledge is left out: include_knowledge is not set, or the credential may not read knowledge`;
    default: {
      const since =
        filter === "status" && has === "expired" && expiresAt !== null
          ? own`, since ${quoted(rfc3339(expiresAt))}`
          : own``;
      const isBelow = filter === "path" && has?.startsWith(`${asked}/`) === true;
      const wider = isBelow ? own` (${quoted(`${asked}%`)} finds what is below it as well)` : own``;
      return own`− the filter ${name} leaves it out: it asks for ${quoted(asked)}, and the memory has ${quoted(has)}${since}${wider}`;
    }
  }
}

// Retrievers.

function countOf({ candidate_count }: WhyRequest): number {
  return candidate_count ?? CANDIDATES_DEFAULT;
}

function proposalOf({ input, memory, found }: Asked, count = countOf(input)): Proposal | undefined {
  return proposalsOf(found.query, found.proposed, count).get(memory.id);
}

/** Whether the index holds its owner, so that its retrievers can propose it. */
function isIndexed({ memory, found }: Asked): boolean {
  return !found.proposed.unavailable.includes(memory.ownerId);
}

function proposedBy(asked: Asked): WhyAnswer["proposed_by"] {
  const proposal = proposalOf(asked) ?? null;
  return {
    words: proposal?.words ?? null,
    vector: proposal?.vector ?? null,
    exact: proposal?.exact ?? null,
    newest: proposal?.isNewest ?? false,
    neighbour: proposal !== null && isNeighbour(proposal),
    full_text: !isIndexed(asked),
  };
}

function proposalWords(asked: Asked): OwnWords[] {
  const { found, memory } = asked;
  if (!isIndexed(asked)) return [own`+ ${FULL_TEXT} found it`];
  const proposal = proposalOf(asked);
  if (proposal === undefined) return [];
  const { words, vector, exact, isNewest } = proposal;
  const ways = joined([
    words !== null && own`by its words in place ${words}`,
    vector !== null && own`by its vector in place ${vector}`,
    exact !== null && own`by what the query quotes or identifies in place ${exact}`,
    isNewest && own`as one of the newest`,
    isNeighbour(proposal) && own`as a neighbour of one in its session`,
  ]);
  const passages = found.proposed.candidates.filter(({ id }) => id === memory.id);
  const isCompared = passages.some(({ cosine }) => cosine !== null) || !found.retrievers.includes("dense");
  return [own`+ proposed ${ways}`, ...(isCompared ? [] : [found.isEmbedded ? NO_VECTOR : NO_QUERY_VECTOR])];
}

const FULL_TEXT = own`the database's full-text search, since the index does not hold its owner,`;
const NO_VECTOR = own`− its vector took no part: it has none yet, or one that a caller chose for what others are shown too`;
const NO_QUERY_VECTOR = own`− its vector took no part: the query has none to compare it with`;

/** It passes the filters. A search with more candidates shows at which place it would be. */
async function notProposed(ports: WhyPorts, asked: Asked): Promise<Verdict> {
  const { memory } = asked;
  if (!isIndexed(asked)) {
    const words = [
      own`− ${FULL_TEXT} did not find it: it shares no word with the query, or others share more`,
    ];
    return { outcome: "not_proposed", words };
  }
  const count = countOf(asked.input);
  const isFurther = count < CANDIDATES_MAX;
  const found = isFurther
    ? await retrieve(ports, asked.caller, { ...asked.ask, candidateCount: CANDIDATES_MAX })
    : asked.found;
  const proposal = proposalOf({ ...asked, found }, CANDIDATES_MAX);
  const others = [...proposalsOf(found.query, found.proposed, CANDIDATES_MAX).values()];
  const place = (by: "words" | "vector", at: number | null | undefined) => {
    if (at != null)
      return own`− by its ${word(by)} it is in place ${at}, and the first ${count} are considered`;
    // If fewer than the maximum have a place, this memory has none at all instead of a later one.
    const isAmongAll = others.filter((one) => one[by] !== null).length < CANDIDATES_MAX;
    if (!isAmongAll) return own`− by its ${word(by)} it is not among the first ${CANDIDATES_MAX}`;
    if (by === "words") return own`− none of its words matches the query`;
    return found.isEmbedded ? NO_VECTOR : NO_QUERY_VECTOR;
  };
  const isWithinReach = isFurther && (proposal?.words ?? proposal?.vector ?? null) !== null;
  const isPlain = found.retrievers.length === 1;
  const neighbours =
    memory.sessionId === null || isPlain ? own`` : own`, and it is no neighbour of a memory that was`;
  const words = [
    own`− no retriever proposed it${neighbours}${isWithinReach ? own`: a larger candidate_count looks further` : own``}`,
    ...(found.retrievers.includes("lexical") ? [place("words", proposal?.words)] : []),
    ...(found.retrievers.includes("dense") ? [place("vector", proposal?.vector)] : []),
  ];
  return { outcome: "not_proposed", words };
}

// The pack.

function contextRequestOf(input: WhyRequest): RecallContextRequest {
  const {
    memory_id: _id,
    metadata: _metadata,
    candidate_count: _count,
    retrievers: _retrievers,
    max_items,
    max_tokens,
    prefer_working,
    include_knowledge,
    ...shared
  } = input;
  const given = { max_items, max_tokens, prefer_working, include_knowledge };
  const named = Object.entries(given).filter(([, value]) => value != null);
  return recallContextRequest.parse({ ...shared, ...Object.fromEntries(named) });
}

/** How the pack treats a hit that it considers. */
async function packVerdict(ports: WhyPorts, asked: Asked, score: number): Promise<Verdict> {
  const { caller, input, memory } = asked;
  // Explaining shows no content to the user, so nothing is recorded as shown.
  const { answer } = await contextFor(ports, caller, contextRequestOf(input));
  const at = answer.items.findIndex(({ id }) => id === memory.memoryId);
  const item = answer.items[at];
  if (item !== undefined) {
    const { tokens, truncated } = item;
    const shown = truncated ? own`an excerpt of it` : own`all of it`;
    return {
      outcome: "found",
      pack: { place: at + 1, tokens, truncated },
      words: [own`+ the pack has ${shown} in place ${at + 1}, for ${tokens} tokens`],
    };
  }
  const omitted = "omitted" in answer ? answer.omitted.find(({ id }) => id === memory.memoryId) : undefined;
  const left = {
    outcome: "omitted",
    pack: { place: null, tokens: omitted?.tokens ?? null, truncated: false },
  } as const;
  const repeated = omitted?.repeats;
  if (repeated !== undefined) {
    const words = [repetitionWords(repeated)];
    return { ...left, repetition_of: repeated, words };
  }
  const { confidence } = memory;
  const weighed = { score, confidence, threshold: input.threshold ?? null, reason: omitted?.reason ?? null };
  return { ...left, words: [leftOutWords(answer, weighed)] };
}
