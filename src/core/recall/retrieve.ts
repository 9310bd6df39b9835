import { borneOut, ExactRanking } from "../../recall/index/exactness.ts";
import { isKeyOf } from "../../recall/index/index-document.ts";
import type { TokenVectors } from "../../recall/index/packed-tokens.ts";
import { analyseQuery, type QueryAnalysis } from "../../recall/index/query.ts";
import type { QueryEmbedding } from "../../recall/index/query-embedding.ts";
import type {
  CandidateRequest,
  CandidateSet,
  Engine,
  RecallIndex,
  Retriever,
} from "../../recall/index/recall-index.ts";
import type { Reach } from "../../recall/index/scope.ts";
import type { TokenModel } from "../../recall/index/token-model.ts";
import { rankLate } from "../../recall/ranking/late-interaction.ts";
import { type Rankable, type RankedHit, rank, relevance } from "../../recall/ranking/rank.ts";
import type { Caller } from "../caller.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { MemoryFilter } from "../memory/memory-filter.ts";
import { needsIds } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import {
  type Contradicting,
  contradictingHits,
  NO_CONTRADICTIONS,
  newestHitsFirst,
} from "./contradicting-hits.ts";
import { passageWith } from "./exact-passage.ts";
import { fullTextCandidates, together } from "./full-text.ts";
import { OWN_SESSION, preferences } from "./preferences.ts";
import { readMemories } from "./read-memories.ts";
import { hitsToJudge, reranked } from "./rerank.ts";
import { type TimeRange, timeRangeOf } from "./time-range.ts";

export type RetrievePorts = Pick<
  Ports,
  "store" | "serving" | "reranker" | "lexicon" | "pace" | "watch" | "onProgress"
>;

/** What to recall, whoever asks: search, context and why. */
export interface RetrieveRequest {
  readonly query: string;
  readonly filter: MemoryFilter;
  readonly hitsMax: number;
  /** Of the best so many are looked through for what contradicts itself, beyond `hitsMax` too. */
  readonly comparedMax: number;
  /** The least absolute relevance. */
  readonly scoreMin: number;
  /** Candidates of each retriever; the index's own number unless given. */
  readonly candidateCount: number | null;
  readonly retrievers: readonly Retriever[];
  readonly prefersWorking: boolean;
  /** When and where it is asked, for words like "last week". */
  readonly askedAt: number;
  readonly timeZone: string;
}

/** A memory that was found and that the caller may read. */
export interface Hit {
  readonly memory: MemoryRecord;
  /** Which passage of its content matches best, from 0; null where it has one only, or where that is not known. */
  readonly passage: number | null;
  /** Absolute relevance, 0..1. */
  readonly score: number;
  /**
   * What a pack weighs it by, 0..1: its score, or with the token model the same of its match too, and as much of a reranker's
   * judgement where there is one.
   */
  readonly judgedRelevance: number;
  /** How much of the query's weight the memory's words match, 0..1. */
  readonly lexicalShare: number;
  /** See `RankedHit`. */
  readonly hasWords: boolean;
  /** What the hits are ordered by. */
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
  readonly vector: Int8Array | null;
}

export interface Retrieval {
  readonly hits: readonly Hit[];
  /** Of the hits, and of the best beyond `hitsMax`; none where one retriever's order was asked for. */
  readonly contradicting: Contradicting;
  readonly query: QueryAnalysis;
  /** What the index proposed, as it was ranked. */
  readonly proposed: CandidateSet;
  /** Whether the query has vectors to compare with. */
  readonly isEmbedded: boolean;
  /** Whether a reranker has judged the first hits. */
  readonly isReranked: boolean;
  /** What answered: an index, or the record's full-text search where the index holds no owner that was asked for. */
  readonly engine: Engine | "full text";
  readonly coverage: number;
  /** What could not take part, in words; empty where all did. */
  readonly degraded: readonly string[];
  readonly retrievers: readonly Retriever[];
  /** Whether memories were compared with the query piece by piece, by a model. */
  readonly isLate: boolean;
  readonly timeRange: TimeRange | null;
}

/**
 * Candidates from the index, ranked, then read again from the record under the caller's own predicate: what it may
 * not see, or what no longer matches, is dropped and the next in rank takes its place.
 */
export async function retrieve(
  ports: RetrievePorts,
  caller: Caller,
  ask: RetrieveRequest,
): Promise<Retrieval> {
  const { watch } = ports;
  const query = analyseQuery(ask.query, ports.lexicon);
  const { index, embedder, generation, tokens } = ports.serving();
  // The model works in a thread of its own, while the index is asked.
  const encoding = encoded(ports, tokens, query, ask);
  // Whose memories it may see is not asked first, but told with the reading at the end.
  const [embedding, presumed] = await Promise.all([
    embedded(ports, embedder, query, ask),
    watch.stage("reach", async () =>
      reachOf(ports, caller, ask.filter, await ports.store.presumedOwners(caller)),
    ),
  ]);
  const search = { query, index, generation, embedding: embedding.made, encoding };
  let found = await ranked(ports, caller, ask, { ...search, reach: presumed });
  if (!isSame(found.owners, presumed.visible)) {
    // Somebody has joined a team or left one: what words are worth was counted over the wrong memories.
    const reach = await reachOf(ports, caller, ask.filter, found.owners);
    found = await ranked(ports, caller, ask, { ...search, reach });
  }
  const { set, late, timeRange, hits: read } = found;
  const judged = await (ports.reranker === null
    ? reranked(ports, caller, ask, read)
    : watch.stage("rerank", () => reranked(ports, caller, ask, read)));
  const contradicting = await watch.stage("contradictions", () =>
    contradictingIn(ports, caller, ask, judged.hits),
  );
  const degraded = [...embedding.degraded, ...found.degraded, ...late.degraded, ...judged.degraded];
  const [engine, coverage] = [engineOf(set), coverageOf(set)];
  watch.recalled({ ownerId: caller.owner.id, engine, coverage, isDegraded: degraded.length > 0 });
  return {
    hits: newestHitsFirst(judged.hits, contradicting).slice(0, ask.hitsMax),
    contradicting,
    query,
    proposed: set,
    isEmbedded: embedding.made !== null,
    isReranked: judged.isReranked,
    engine,
    coverage,
    degraded,
    retrievers: set.retrievers,
    isLate: late.made !== null,
    timeRange,
  };
}

/** What a search is made of before it is known where. */
interface Search {
  readonly query: QueryAnalysis;
  readonly index: RecallIndex;
  readonly generation: number;
  readonly embedding: QueryEmbedding | null;
  readonly encoding: ReturnType<typeof encoded>;
  readonly reach: Reach;
}

/** The best of what is in reach, as the record has it, and the owners that the caller sees when that is read. */
async function ranked(
  ports: RetrievePorts,
  caller: Caller,
  ask: RetrieveRequest,
  { query, index, generation, embedding, encoding, reach }: Search,
) {
  const { pace, watch, onProgress } = ports;
  const request: CandidateRequest & Pick<RetrieveRequest, "filter"> = {
    query,
    filter: ask.filter,
    reach,
    embedding,
    embeddingGeneration: generation,
    retrievers: ask.retrievers,
    pace,
    ...(onProgress && { onRead: (done: number) => onProgress({ done, total: null }) }),
    ...(ask.candidateCount === null ? {} : { candidateCount: ask.candidateCount }),
  };
  const set = await watch.stage("index", () => index.candidates(request));
  const timeRange = timeRangeOf(query.text, ask.askedAt, ask.timeZone);
  const { set: found, degraded } = await withFullText(ports, caller, ask, request, set);
  await pace.pause();
  const byWords = await watch.stage("rank", () => rank(query, found, caller.owner.id));
  await pace.pause();
  const late = await encoding;
  const { made } = late;
  const inOrder =
    made === null ? byWords : await watch.stage("token_model", () => rankLate(made, byWords, pace));
  const wide = { ...ask, hitsMax: hitsToJudge(ports, ask) };
  const read = await watch.stage("read", () =>
    readHits(ports, caller, wide, { query, ranked: inOrder, set: found, timeRange }),
  );
  return { ...read, set, degraded: [...set.degraded, ...degraded], late, timeRange };
}

function isSame(owners: readonly string[], others: readonly string[]): boolean {
  const all = new Set(owners);
  return owners.length === others.length && others.every((owner) => all.has(owner));
}

/** The query's vectors; a query goes on without them while the embedder is away. */
async function embedded(
  { watch }: Pick<RetrievePorts, "watch">,
  embedder: Pick<Embedder, "query">,
  query: QueryAnalysis,
  ask: Pick<RetrieveRequest, "retrievers">,
): Promise<{ made: QueryEmbedding | null; degraded: string[] }> {
  if (!ask.retrievers.includes("dense")) return { made: null, degraded: [] };
  try {
    const asked = () => embedder.query(query.text, query.sentences);
    return { made: await watch.stage("embed_query", asked), degraded: [] };
  } catch {
    return { made: null, degraded: ["embedder: it did not answer, so only words were searched"] };
  }
}

/** The query by the token model; a query goes on without while the model does not answer. Never rejects. */
async function encoded(
  { watch }: Pick<RetrievePorts, "watch">,
  tokens: TokenModel | null,
  query: QueryAnalysis,
  { retrievers }: Pick<RetrieveRequest, "retrievers">,
): Promise<{ made: { model: TokenModel; query: TokenVectors } | null; degraded: string[] }> {
  if (tokens === null || retrievers.length === 1) return { made: null, degraded: [] };
  try {
    return {
      made: { model: tokens, query: await watch.stage("token_model", () => tokens.query(query.text)) },
      degraded: [],
    };
  } catch {
    return {
      made: null,
      degraded: ["token model: it did not answer, so words and vectors decide the order"],
    };
  }
}

/**
 * What the caller can see where these owners are visible to it, as far as an index knows it, and the ids that only the
 * record can find for the filter.
 */
async function reachOf(
  { store }: Pick<RetrievePorts, "store">,
  caller: Caller,
  filter: MemoryFilter,
  visible: readonly string[],
): Promise<Reach & { readonly visible: readonly string[] }> {
  const { teamId: _, ...space } = caller.space;
  const { onlooker } = caller;
  // What another owner's onlooker may not see must not even count in what words are worth: an index knows one reach only.
  const isForeign = onlooker !== undefined && onlooker.owner.id !== caller.owner.id;
  const ids = isForeign || needsIds(filter) ? await store.matchingIds(caller, filter) : null;
  return {
    ...space,
    visible,
    owners: filter.teamId === null ? visible : visible.filter((owner) => owner === filter.teamId),
    ids: ids === null ? null : new Set(ids),
  };
}

interface Ranked {
  readonly query: QueryAnalysis;
  readonly ranked: readonly RankedHit[];
  readonly set: Rankable;
  readonly timeRange: TimeRange | null;
}

/** Where the query names something, what the index proposed may turn out not to have it: so many are looked at for others. */
const CHECKED_MAX = 400;
/** Read a little more than asked for, so that preferences can reorder and few reads are needed. */
const READ_MIN = 40;
/** What a search compares of the best, whatever its limit: what is read anyway. */
export const COMPARED_MAX = READ_MIN;

/** At least as many as are asked for, best first, with the owners that the caller sees when they are read. */
async function readHits(
  ports: Pick<RetrievePorts, "store" | "pace">,
  caller: Caller,
  ask: RetrieveRequest,
  { query, ranked, set, timeRange }: Ranked,
): Promise<{ hits: Hit[]; owners: readonly string[] }> {
  const exact = exactReader(query, set.statistics);
  const wanted = ownSessionFirst(
    caller,
    ask,
    set,
    ranked.filter((hit) => hit.score >= ask.scoreMin),
  );
  const pageSize = Math.max(ask.hitsMax * 2, READ_MIN);
  const hits: Hit[] = [];
  const isEnough = (at: number) => {
    const least = hits.sort(byRankScore)[ask.hitsMax - 1];
    if (least === undefined || query.exact.length === 0 || at >= CHECKED_MAX) return least !== undefined;
    return rankScoreOf((wanted[at] as RankedHit).signals) <= least.rankScore;
  };
  let owners: readonly string[] | null = null;
  // Where nothing was proposed it is asked as well: for the owners.
  for (let at = 0; owners === null || (at < wanted.length && !isEnough(at)); at += pageSize) {
    const page = wanted.slice(at, at + pageSize);
    const { memories, owners: seen } = await readMemories(
      ports,
      caller,
      ask.filter,
      page.map(({ id }) => id),
    );
    owners ??= seen;
    for (const proposed of page) {
      const memory = memories.get(proposed.id);
      if (!memory) continue;
      const hit = exact.borneOut(proposed, memory);
      const turn = ports.pace.pause();
      if (turn !== undefined) await turn;
      if (hit.score < ask.scoreMin) continue;
      const preferred =
        ask.retrievers.length > 1
          ? preferences(caller, memory, { prefersWorking: ask.prefersWorking, timeRange })
          : {};
      const signals = { ...hit.signals, ...preferred };
      const rankScore = rankScoreOf(signals);
      const { score, lexicalShare, hasWords } = hit;
      // A passage's vector does not say what a whole memory is the same as.
      const vector = hit.passage === null ? hit.vector : null;
      // The index knows the present text, and a past one may have been divided in another way.
      const passage = ask.filter.asOf === null ? hit.passage : null;
      const judgedRelevance = relevanceJudged(hit);
      hits.push({
        memory,
        passage,
        score,
        judgedRelevance,
        lexicalShare,
        hasWords,
        rankScore,
        signals,
        vector,
      });
    }
  }
  const best: Hit[] = [];
  for (const hit of hits.sort(byRankScore).slice(0, Math.max(ask.hitsMax, ask.comparedMax))) {
    best.push({ ...hit, passage: exact.passageOf(hit) });
    const turn = ports.pace.pause();
    if (turn !== undefined) await turn;
  }
  return { hits: best, owners };
}

function relevanceJudged({ score, lexicalShare, cosine, tokenMatch }: RankedHit): number {
  return tokenMatch === null ? score : relevance(lexicalShare, cosine, tokenMatch);
}

async function contradictingIn(
  { pace }: Pick<RetrievePorts, "pace">,
  caller: Caller,
  { query, filter, retrievers, comparedMax }: RetrieveRequest,
  hits: readonly Hit[],
): Promise<Contradicting> {
  if (retrievers.length === 1) return NO_CONTRADICTIONS;
  return contradictingHits(caller, query, hits.slice(0, comparedMax), { now: filter.now, pace });
}

const byRankScore = (a: Hit, b: Hit) => b.rankScore - a.rankScore;

/** How an index proposes a hit by what the query names, put right by the memory's own words. */
function exactReader(query: QueryAnalysis, statistics: CandidateSet["statistics"]) {
  const ranking = query.exact.length === 0 ? null : new ExactRanking(query, statistics);
  const worth = (matches: readonly number[]) => {
    const { exact = 0, named = 0 } = ranking?.order(matches) ?? {};
    return exact + named;
  };
  return {
    borneOut(hit: RankedHit, { content, semanticKey, logicPath, path }: MemoryRecord): RankedHit {
      if (ranking === null || hit.exact === null || hit.exact.matches.every((match) => match === 0))
        return hit;
      const text = `${content}\n${semanticKey ?? ""}\n${logicPath ?? ""}\n${path}`;
      const matches = borneOut(query.exact, hit.exact.matches, text);
      const lexicalShare = ranking.share(hit.exact, matches);
      return {
        ...hit,
        lexicalShare,
        score: relevance(lexicalShare, hit.cosine),
        signals: { ...hit.signals, ...ranking.order(matches) },
      };
    },
    passageOf({ memory, passage: proposed, signals }: Pick<Hit, "memory" | "passage" | "signals">) {
      const { exact = 0, named = 0 } = signals;
      if (proposed === null || exact + named === 0) return proposed;
      const phrases = query.exact.map(({ text }) => text);
      return passageWith(memory.content, phrases, { proposed, worth });
    },
  };
}

/**
 * Moves what is in the request's own session forward by as much as that is preferred, before pages are cut: however many
 * of other sessions rank a little above it, it is read. The preference itself is judged by what is read.
 */
function ownSessionFirst(
  { attribution: { sessionId } }: Caller,
  { retrievers }: RetrieveRequest,
  { candidates }: Rankable,
  ranked: readonly RankedHit[],
): readonly RankedHit[] {
  if (sessionId === null || retrievers.length === 1) return ranked;
  const own = new Set(candidates.filter((one) => isKeyOf(one.sessionKey, sessionId)).map(({ id }) => id));
  if (own.size === 0) return ranked;
  const places = new Map(
    ranked.map((hit) => [hit, rankScoreOf(hit.signals) + (own.has(hit.id) ? OWN_SESSION : 0)]),
  );
  return ranked.toSorted((a, b) => (places.get(b) as number) - (places.get(a) as number));
}

function rankScoreOf(signals: Hit["signals"]): number {
  return Object.values(signals).reduce((sum, value) => sum + value, 0);
}

function engineOf(set: CandidateSet): Retrieval["engine"] {
  return set.unavailable.length > 0 && set.coverage.size === 0 ? "full text" : set.engine;
}

function coverageOf(set: CandidateSet): number {
  return Math.min(1, ...set.coverage.values(), ...(set.unavailable.length > 0 ? [0] : []));
}

/** Of what full text finds so many are read. */
const TEXT_HITS_MIN = 50;
const TEXT_HITS_MAX = 1000;

/** The candidates of an index, and those of the record's own full-text search for owners that the index cannot hold. */
async function withFullText(
  ports: Pick<RetrievePorts, "store" | "lexicon" | "pace" | "watch">,
  caller: Caller,
  { hitsMax }: Pick<RetrieveRequest, "hitsMax">,
  request: CandidateRequest & Pick<RetrieveRequest, "filter">,
  set: CandidateSet,
): Promise<{ set: Rankable; degraded: readonly string[] }> {
  const { unavailable: owners } = set;
  if (owners.length === 0) return { set, degraded: [] };
  const limit = Math.min(TEXT_HITS_MAX, Math.max(hitsMax, TEXT_HITS_MIN));
  const asked = () => fullTextCandidates(ports, caller, { ...request, owners, limit });
  const text = await ports.watch.stage("full_text", asked);
  return { set: together(set, text.set), degraded: text.degraded };
}
