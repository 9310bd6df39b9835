import { ExactRanking, verifiedMatches } from "../../recall/index/exactness.ts";
import { isKeyOf } from "../../recall/index/index-document.ts";
import type { MultilingualModel, MultilingualQuery } from "../../recall/index/multilingual.ts";
import type { TokenVectors } from "../../recall/index/packed-tokens.ts";
import { analyseQuery, type QueryAnalysis, withCounted } from "../../recall/index/query.ts";
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
import { readTime } from "../../recall/language/times.ts";
import { contextTrust } from "../../recall/ranking/features.ts";
import { rankLate } from "../../recall/ranking/late-interaction.ts";
import { type Rankable, type RankedHit, rank, rankScoreOf, relevance } from "../../recall/ranking/rank.ts";
import { principalOf } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { MemoryFilter } from "../memory/memory-filter.ts";
import { needsIds } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import { askedRelationFirst } from "./asked-relation.ts";
import { askedTimeFirst, type DecidingTime } from "./asked-time.ts";
import {
  type Contradicting,
  contradictingHits,
  NO_CONTRADICTIONS,
  newestHitsFirst,
  withinEqualTimes,
} from "./contradicting-hits.ts";
import { eventRange } from "./event-time.ts";
import { passageWith } from "./exact-passage.ts";
import { fullTextCandidates, together } from "./full-text.ts";
import { OWN_SESSION, preferences } from "./preferences.ts";
import { readMemories } from "./read-memories.ts";
import { hitsToJudge, reranked } from "./rerank.ts";
import { rangeOf, type TimeRange } from "./time-range.ts";

export type RetrievePorts = Pick<
  Ports,
  "store" | "serving" | "reranker" | "lexicon" | "pace" | "watch" | "onProgress"
>;

/** A request to recall memories, for search, context and why. */
export interface RetrieveRequest {
  readonly query: string;
  readonly filter: MemoryFilter;
  readonly hitsMax: number;
  /** How many of the best hits are checked for contradictions, including hits beyond `hitsMax`. */
  readonly comparedMax: number;
  /** Minimum absolute relevance. */
  readonly scoreMin: number;
  /** Candidates of each retriever. null: the index's own default. */
  readonly candidateCount: number | null;
  readonly retrievers: readonly Retriever[];
  readonly prefersWorking: boolean;
  /** When and where it is asked, for expressions such as "last week". */
  readonly askedAt: number;
  readonly timeZone: string;
}

/** A memory that was found and that the caller may read. */
export interface Hit {
  readonly memory: MemoryRecord;
  /** Index of its best matching passage, from 0. null if it has only one passage, or if the index is unknown. */
  readonly passage: number | null;
  /** Absolute relevance, 0..1. */
  readonly score: number;
  /**
   * Relevance by which a pack weighs it, 0..1: its score, or the score including the token model's match, combined with
   * a reranker's judgement if there is one.
   */
  readonly judgedRelevance: number;
  /** The share of the query's weight that the memory's words match, 0..1. */
  readonly lexicalShare: number;
  /** See `RankedHit`. */
  readonly hasWords: boolean;
  /** The score that orders the hits. */
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
  readonly vector: Int8Array | null;
}

export interface Retrieval {
  readonly hits: readonly Hit[];
  /** Among the hits and the best beyond `hitsMax`. Empty if a single retriever's order was requested. */
  readonly contradicting: Contradicting;
  readonly query: QueryAnalysis;
  /** The index's proposals, as ranked. */
  readonly proposed: CandidateSet;
  /** Whether the query has vectors to compare with. */
  readonly isEmbedded: boolean;
  /** Whether a reranker has judged the first hits. */
  readonly isReranked: boolean;
  /**
   * The engine that answered: an index, or the record's full-text search if the index holds none of the requested
   * owners.
   */
  readonly engine: Engine | "full text";
  readonly coverage: number;
  /** Parts that could not contribute, in words; empty if all did. */
  readonly degraded: readonly string[];
  readonly retrievers: readonly Retriever[];
  /** Whether a model compared memories with the query piece by piece. */
  readonly isLate: boolean;
  readonly timeRange: TimeRange | null;
}

/**
 * Ranks candidates from the index, then reads them from the record under the caller's own predicate. A memory that the
 * caller may not see, or that no longer matches, is dropped, and the next in rank takes its place.
 */
export async function retrieve(
  ports: RetrievePorts,
  caller: Caller,
  ask: RetrieveRequest,
): Promise<Retrieval> {
  const { watch } = ports;
  const { index, embedder, generation, tokens, multilingual } = ports.serving();
  const presuming = watch.stage("reach", async () =>
    reachOf(ports, caller, ask.filter, await ports.store.presumedOwners(caller)),
  );
  const { query, time } = await readQuery(ports, caller, ask, { index, generation, presuming });
  // The model runs in its own thread while the index is queried.
  const encoding = encoded(ports, tokens, query, ask);
  // The visible owners are not queried first: they come with the read at the end.
  const languages = inLanguages(ports, multilingual, query, ask);
  const [embedding, presumed] = await Promise.all([embedded(ports, embedder, query, ask), presuming]);
  const vectors = { embedding: embedding.made, languages: languages.made };
  const search = { query, time, index, generation, ...vectors, encoding };
  let found = await ranked(ports, caller, ask, { ...search, reach: presumed });
  if (!isSame(found.owners, presumed.visible)) {
    // The caller has joined or left a team, so the word statistics covered the wrong memories.
    const reach = await reachOf(ports, caller, ask.filter, found.owners);
    found = await ranked(ports, caller, ask, { ...search, reach });
  }
  const { set, late, hits: read } = found;
  const judged = await (ports.reranker === null
    ? reranked(ports, caller, ask, read)
    : watch.stage("rerank", () => reranked(ports, caller, ask, read)));
  const contradicting = await watch.stage("contradictions", () =>
    contradictingIn(ports, caller, ask, judged.hits),
  );
  const degraded = [
    ...embedding.degraded,
    ...languages.degraded,
    ...found.degraded,
    ...late.degraded,
    ...judged.degraded,
  ];
  const [engine, coverage] = [engineOf(set), coverageOf(set)];
  watch.recalled({ ownerId: principalOf(caller.owner), engine, coverage, isDegraded: degraded.length > 0 });
  return {
    hits: holdingFirst(judged.hits, contradicting, time).slice(0, ask.hitsMax),
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
    timeRange: time.range,
  };
}

/** The newest of contradicting hits first, except as far as the asked time decides between them. */
function holdingFirst(
  hits: readonly Hit[],
  contradicting: Contradicting,
  { decides, range, order }: QueryTime,
): readonly Hit[] {
  if (!decides) return newestHitsFirst(hits, contradicting);
  if (range === null || order !== null) return hits;
  return newestHitsFirst(hits, withinEqualTimes(contradicting, range));
}

/** A time that a query names. It decides only in a question; a message names times in passing. */
interface QueryTime extends DecidingTime {
  readonly decides: boolean;
}

const PASSING = { order: null, eventId: null, countsOrder: false, decides: false } as const;

/**
 * Analyses the query. If it asks for a time, its words of time are not part of its subject. If the time is given by an
 * event that no memory names, the query is taken as it stands.
 */
async function readQuery(
  ports: RetrievePorts,
  caller: Caller,
  ask: RetrieveRequest,
  {
    index,
    generation,
    presuming,
  }: Pick<Search, "index" | "generation"> & { readonly presuming: Promise<Reach> },
): Promise<{ query: QueryAnalysis; time: QueryTime }> {
  const { lexicon, pace } = ports;
  const whole = analyseQuery(ask.query, lexicon);
  const asked = ask.retrievers.length > 1 ? readTime(whole.text) : null;
  if (asked === null) return { query: whole, time: { ...PASSING, range: null } };
  const named = rangeOf(asked, ask.askedAt, ask.timeZone);
  if (whole.isMessage || whole.sentences.length > 1)
    return { query: whole, time: { ...PASSING, range: named } };
  const request = {
    filter: ask.filter,
    embedding: null,
    embeddingGeneration: generation,
    retrievers: ["lexical"] as const,
    pace,
  };
  const eventPorts = {
    lexicon,
    candidates: async (query: QueryAnalysis) =>
      index.candidates({ ...request, query, reach: await presuming }),
    read: async (ids: readonly string[]) => (await readMemories(ports, caller, ask.filter, ids)).memories,
  };
  const event =
    asked.event === null
      ? null
      : await eventRange(eventPorts, asked.event, { ...ask, because: asked.because });
  const { order, orderWord } = asked;
  const range = event?.range ?? named;
  const subject = analyseQuery(asked.subject, lexicon);
  const hasSubject = subject.terms.some(({ piece }) => lexicon.isContent(piece));
  const query = hasSubject ? subject : whole;
  const [adjective, ...others] = orderWord === null ? [] : lexicon.pieces(orderWord);
  const countsOrder = adjective !== undefined && others.length === 0;
  const decides = range !== null || order !== null;
  return {
    query: countsOrder ? withCounted(query, adjective) : query,
    time: { range, order, eventId: event?.id ?? null, countsOrder, decides },
  };
}

/** A search, before its scope is known. */
interface Search {
  readonly query: QueryAnalysis;
  readonly time: QueryTime;
  readonly index: RecallIndex;
  readonly generation: number;
  readonly embedding: QueryEmbedding | null;
  readonly languages: MultilingualQuery | null;
  readonly encoding: ReturnType<typeof encoded>;
  readonly reach: Reach;
}

/** The best memories in reach, as read from the record, and the owners visible to the caller at that time. */
async function ranked(
  ports: RetrievePorts,
  caller: Caller,
  ask: RetrieveRequest,
  { query, time, index, generation, embedding, languages, encoding, reach }: Search,
) {
  const { pace, watch, onProgress } = ports;
  const request: CandidateRequest & Pick<RetrieveRequest, "filter"> = {
    query,
    filter: ask.filter,
    reach,
    embedding,
    multilingual: languages,
    embeddingGeneration: generation,
    retrievers: ask.retrievers,
    pace,
    ...(onProgress && { onRead: (done: number) => onProgress({ done, total: null }) }),
    ...(ask.candidateCount === null ? {} : { candidateCount: ask.candidateCount }),
  };
  const set = await watch.stage("index", () => index.candidates(request));
  const { set: found, degraded } = await withFullText(ports, caller, ask, request, set);
  await pace.pause();
  const byWords = await watch.stage("rank", () => rank(query, found, caller.owner.id));
  await pace.pause();
  const late = await encoding;
  const { made } = late;
  const inOrder =
    made === null
      ? byWords
      : await watch.stage("token_model", () =>
          rankLate(made, byWords, { pace, share: contextTrust(query, found.candidates) }),
        );
  const timely = time.decides ? askedTimeFirst(inOrder, found, time) : inOrder;
  const wide = { ...ask, hitsMax: hitsToJudge(ports, ask) };
  const read = await watch.stage("read", () =>
    readHits(ports, caller, wide, { query, ranked: timely, set: found, timeRange: time.range }),
  );
  return { ...read, set, degraded: [...set.degraded, ...degraded], late };
}

function isSame(owners: readonly string[], others: readonly string[]): boolean {
  const all = new Set(owners);
  return owners.length === others.length && others.every((owner) => all.has(owner));
}

/** The query's vectors. If the embedder is unavailable, the query continues without them. */
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

/**
 * The query's language, and its multilingual vectors once an index asks for them. `degraded` is complete when the index
 * has answered.
 */
function inLanguages(
  { watch }: Pick<RetrievePorts, "watch">,
  model: MultilingualModel | null,
  query: QueryAnalysis,
  { retrievers }: Pick<RetrieveRequest, "retrievers">,
): { made: MultilingualQuery | null; degraded: readonly string[] } {
  if (model === null || retrievers.length === 1) return { made: null, degraded: [] };
  const degraded: string[] = [];
  const vectors = () =>
    watch
      .stage("multilingual", () => model.query(query.text, query.sentences))
      .catch(() => {
        degraded[0] = "multilingual encoder: it did not answer, so meaning was compared in English only";
        return null;
      });
  return { made: { language: model.languageOf(query.text), vectors }, degraded };
}

/** The query's token vectors. If the model does not answer, the query continues without them. Never rejects. */
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
 * Returns the caller's reach as far as an index knows it, assuming that these owners are visible; with the ids that
 * only the record can determine for the filter.
 */
async function reachOf(
  { store }: Pick<RetrievePorts, "store">,
  caller: Caller,
  filter: MemoryFilter,
  visible: readonly string[],
): Promise<Reach & { readonly visible: readonly string[] }> {
  const { teamId: _, ...space } = caller.space;
  const { onlooker } = caller;
  // An index knows only one reach. Memories hidden from another owner's onlooker must not even count in the word
  // statistics, so pass the ids of the visible ones.
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

/** If the query names something, the proposals may turn out not to contain it. Up to this many are then checked. */
const CHECKED_MAX = 400;
/** Read a little more than requested, so that preferences can reorder and few reads are needed. */
const READ_MIN = 40;
/** How many of the best a search compares, whatever its limit. These are read anyway. */
export const COMPARED_MAX = READ_MIN;

/** At least as many hits as requested, best first, with the owners visible to the caller at the time of reading. */
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
  // Even without proposals, read once to get the owners.
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
      const hit = exact.verified(proposed, memory);
      const turn = ports.pace.pause();
      if (turn !== undefined) await turn;
      if (hit.score < ask.scoreMin) continue;
      const preferred =
        ask.retrievers.length > 1
          ? preferences(caller, memory, { prefersWorking: ask.prefersWorking, timeRange })
          : null;
      // A memory that the asked time has already moved needs no preference for that time.
      const signals = preferred === null ? hit.signals : { ...preferred, ...hit.signals };
      const rankScore = rankScoreOf(signals);
      const { score, lexicalShare, hasWords } = hit;
      // A passage's vector does not represent the whole memory for sameness.
      const vector = hit.passage === null ? hit.vector() : null;
      // The index has the current text. A past text may have been divided differently.
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
  const first = hits.sort(byRankScore).slice(0, Math.max(ask.hitsMax, ask.comparedMax));
  const ordered = ask.retrievers.length > 1 ? await askedRelationFirst(query.text, first, ports.pace) : first;
  const best: Hit[] = [];
  for (const hit of ordered) {
    best.push({ ...hit, passage: exact.passageOf(hit) });
    const turn = ports.pace.pause();
    if (turn !== undefined) await turn;
  }
  return { hits: best, owners };
}

function relevanceJudged(hit: RankedHit): number {
  const { score, tokenMatch, translated } = hit;
  return tokenMatch === null ? score : Math.max(relevance(hit, tokenMatch), translated);
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

/** Verifies, by the memory's own words, the index's claim that a hit has what the query names. */
function exactReader(query: QueryAnalysis, statistics: CandidateSet["statistics"]) {
  const ranking = query.exact.length === 0 ? null : new ExactRanking(query, statistics);
  const worth = (matches: readonly number[]) => {
    const { exact = 0, named = 0 } = ranking?.order(matches) ?? {};
    return exact + named;
  };
  return {
    verified(hit: RankedHit, { content, semanticKey, logicPath, path }: MemoryRecord): RankedHit {
      if (ranking === null || hit.exact === null || hit.exact.matches.every((match) => match === 0))
        return hit;
      const text = `${content}\n${semanticKey ?? ""}\n${logicPath ?? ""}\n${path}`;
      const matches = verifiedMatches(query.exact, hit.exact.matches, text);
      const lexicalShare = ranking.share(hit.exact, matches);
      return {
        ...hit,
        lexicalShare,
        score: Math.max(relevance({ ...hit, lexicalShare }), hit.translated),
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
 * Moves memories of the request's own session forward by the preference for it, before they are read page by page. They
 * are then read even if many of other sessions rank slightly higher. The preference itself is applied after reading.
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

function engineOf(set: CandidateSet): Retrieval["engine"] {
  return set.unavailable.length > 0 && set.coverage.size === 0 ? "full text" : set.engine;
}

function coverageOf(set: CandidateSet): number {
  return Math.min(1, ...set.coverage.values(), ...(set.unavailable.length > 0 ? [0] : []));
}

/** How many of the full-text results are read. */
const TEXT_HITS_MIN = 50;
const TEXT_HITS_MAX = 1000;

/**
 * The candidates of an index, plus those of the record's own full-text search for owners that the index cannot hold.
 */
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
