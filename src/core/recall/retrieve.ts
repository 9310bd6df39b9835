import type { Caller } from "../caller.ts";
import type { Embedder, QueryEmbedding } from "../embedding/embedder.ts";
import type { MemoryFilter } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { asItStands } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";
import { isKeyOf } from "./index-document.ts";
import { OWN_SESSION, preferences, type TimeRange, timeRangeOf } from "./preferences.ts";
import { analyseQuery, type QueryAnalysis } from "./query.ts";
import { type RankedHit, rank } from "./rank.ts";
import { type CandidateSet, type Engine, needsIds, type Reach, type Retriever } from "./recall-index.ts";

export type RetrievePorts = Pick<Ports, "store" | "serving" | "lexicon" | "pace">;

/** What to recall, whoever asks: search, context and why. */
export interface RetrieveRequest {
  readonly query: string;
  readonly filter: MemoryFilter;
  readonly hitsMax: number;
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
  /** Absolute relevance, 0..1. */
  readonly score: number;
  /** How much of the query's weight the memory's words match, 0..1. */
  readonly lexicalShare: number;
  /** What the hits are ordered by. */
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
  readonly vector: Int8Array | null;
}

export interface Retrieval {
  readonly hits: readonly Hit[];
  /** What answered: an index, or the record's full-text search where the index holds no owner that was asked for. */
  readonly engine: Engine | "full text";
  readonly coverage: number;
  /** What could not take part, in words; empty where all did. */
  readonly degraded: readonly string[];
  readonly retrievers: readonly Retriever[];
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
  const { pace } = ports;
  const query = analyseQuery(ask.query, ports.lexicon);
  await meetPieces(query, ask, ports);
  const { index, embedder, generation } = ports.serving();
  const [embedding, reach] = await Promise.all([
    embedded(embedder, query, ask),
    reachOf(ports, caller, ask.filter),
  ]);
  const set = await index.candidates({
    query,
    filter: ask.filter,
    reach,
    embedding: embedding.made,
    embeddingGeneration: generation,
    retrievers: ask.retrievers,
    pace,
    ...(ask.candidateCount === null ? {} : { candidateCount: ask.candidateCount }),
  });
  const timeRange = timeRangeOf(query.text, ask.askedAt, ask.timeZone);
  const fromText = await textCandidates(ports, caller, ask, set.unavailable);
  await pace.pause();
  const ranked = [...rank(query, set), ...fromText];
  await pace.pause();
  const hits = await readHits(ports, caller, ask, { ranked, set, timeRange });
  return {
    hits,
    engine: engineOf(set),
    coverage: coverageOf(set),
    degraded: [...embedding.degraded, ...set.degraded],
    retrievers: set.retrievers,
    timeRange,
  };
}

/** What is near to the query's pieces takes a millisecond to find for each, the first time it is asked for. */
async function meetPieces(
  { terms }: QueryAnalysis,
  { retrievers }: Pick<RetrieveRequest, "retrievers">,
  { lexicon, pace }: Pick<RetrievePorts, "lexicon" | "pace">,
): Promise<void> {
  if (retrievers.length === 1) return;
  for (const { piece } of terms) {
    lexicon.near(piece);
    await pace.pause();
  }
}

/** The query's vectors; a query goes on without them while the embedder is away. */
async function embedded(
  embedder: Pick<Embedder, "query">,
  query: QueryAnalysis,
  ask: Pick<RetrieveRequest, "retrievers">,
): Promise<{ made: QueryEmbedding | null; degraded: string[] }> {
  if (!ask.retrievers.includes("dense")) return { made: null, degraded: [] };
  try {
    return { made: await embedder.query(query.text, query.sentences), degraded: [] };
  } catch {
    return { made: null, degraded: ["embedder: it did not answer, so only words were searched"] };
  }
}

/** What the caller can see, as far as an index knows it, and the ids that only the record can find for the filter. */
async function reachOf(
  { store }: Pick<RetrievePorts, "store">,
  caller: Caller,
  filter: MemoryFilter,
): Promise<Reach> {
  const { teamId: _, ...space } = caller.space;
  const [owners, ids] = await Promise.all([
    caller.owner.kind === "user" ? store.visibleOwners(caller) : [caller.owner.id],
    needsIds(filter) ? store.matchingIds(caller, filter) : null,
  ]);
  return {
    ...space,
    owners: filter.teamId === null ? owners : owners.filter((owner) => owner === filter.teamId),
    ids: ids === null ? null : new Set(ids),
  };
}

interface Ranked {
  readonly ranked: readonly RankedHit[];
  readonly set: CandidateSet;
  readonly timeRange: TimeRange | null;
}

/** Read a little more than asked for, so that preferences can reorder and few reads are needed. */
const READ_MIN = 40;

async function readHits(
  ports: Pick<RetrievePorts, "store">,
  caller: Caller,
  ask: RetrieveRequest,
  { ranked, set, timeRange }: Ranked,
): Promise<Hit[]> {
  const vectors = new Map(set.candidates.map((candidate) => [candidate.id, candidate.vector]));
  const wanted = ownSessionFirst(
    caller,
    ask,
    set,
    ranked.filter((hit) => hit.score >= ask.scoreMin),
  );
  const pageSize = Math.max(ask.hitsMax * 2, READ_MIN);
  const hits: Hit[] = [];
  for (let at = 0; at < wanted.length && hits.length < ask.hitsMax; at += pageSize) {
    const page = wanted.slice(at, at + pageSize);
    const memories = await readMemories(ports, caller, ask.filter, page);
    for (const hit of page) {
      const memory = memories.get(hit.id);
      if (!memory) continue;
      const preferred =
        ask.retrievers.length > 1
          ? preferences(caller, memory, { prefersWorking: ask.prefersWorking, timeRange })
          : {};
      const signals = { ...hit.signals, ...preferred };
      const rankScore = rankScoreOf(signals);
      const { score, lexicalShare } = hit;
      hits.push({ memory, score, lexicalShare, rankScore, signals, vector: vectors.get(hit.id) ?? null });
    }
  }
  return hits.sort((a, b) => b.rankScore - a.rankScore).slice(0, ask.hitsMax);
}

/**
 * Moves what is in the request's own session forward by as much as that is preferred, before pages are cut: however many
 * of other sessions rank a little above it, it is read. The preference itself is judged by what is read.
 */
function ownSessionFirst(
  { attribution: { sessionId } }: Caller,
  { retrievers }: RetrieveRequest,
  { candidates }: CandidateSet,
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

async function readMemories(
  ports: Pick<RetrievePorts, "store">,
  caller: Caller,
  filter: MemoryFilter,
  hits: readonly RankedHit[],
): Promise<Map<string, MemoryRecord>> {
  const ids = hits.map((hit) => hit.id);
  const memories = new Map(
    (await ports.store.readMatching(caller, ids, filter)).map((memory) => [memory.id, memory]),
  );
  const { asOf, now } = filter;
  const past = asOf === null ? null : await ports.store.statesAt(caller, [...memories.keys()], asOf);
  return new Map(
    [...memories].flatMap(([id, memory]) => {
      const then = past?.has(id) ? past.get(id) : memory;
      return then ? [[id, asItStands(then, asOf ?? now)] as const] : [];
    }),
  );
}

function engineOf(set: CandidateSet): Retrieval["engine"] {
  return set.unavailable.length > 0 && set.coverage.size === 0 ? "full text" : set.engine;
}

function coverageOf(set: CandidateSet): number {
  return Math.min(1, ...set.coverage.values(), ...(set.unavailable.length > 0 ? [0] : []));
}

/** A question has far fewer; a pasted document costs no more than this. */
const TEXT_CHARACTERS_MAX = 8_000;
const TEXT_WORDS_MAX = 64;
const TEXT_HITS_MIN = 50;

/** Hits that the record's own full-text search finds for owners that the index cannot hold. */
async function textCandidates(
  ports: Pick<RetrievePorts, "store">,
  caller: Caller,
  ask: RetrieveRequest,
  unavailable: readonly string[],
): Promise<RankedHit[]> {
  if (unavailable.length === 0) return [];
  const found = await ports.store.searchText(caller, {
    words: (ask.query.slice(0, TEXT_CHARACTERS_MAX).match(/[\p{L}\p{N}]+/gu) ?? [])
      .slice(0, TEXT_WORDS_MAX)
      .join(" "),
    owners: unavailable,
    filter: ask.filter,
    limit: Math.max(ask.hitsMax, TEXT_HITS_MIN),
  });
  return found.map(
    ({ id, rank }, place): RankedHit => ({
      id,
      ownerId: "",
      seq: place,
      score: rank,
      lexicalShare: rank,
      signals: { full_text: rank },
    }),
  );
}
