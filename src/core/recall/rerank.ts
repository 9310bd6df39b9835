import type { Retriever } from "../../recall/index/recall-index.ts";
import { cutPlace } from "../../recall/language/cut-place.ts";
import { type Passage, passageAt, passagesOf } from "../../recall/language/passages.ts";
import { queryScorer } from "../../recall/pack/excerpt.ts";
import type { Pace } from "../../recall/work.ts";
import type { Caller } from "../caller.ts";
import { partyOf } from "../limits/fair-share.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import { isPreference } from "./preferences.ts";

/**
 * How much of the order is the reranker's. Half, since nothing says which of the two is right more often. Why normalised scores
 * and not places: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 42 (2023).
 */
const SHARE = 0.5;

/** What leaves the house of a query, and of a memory, at most, in UTF-16 units: more than most cross-encoders read. */
const QUERY_LENGTH_MAX = 2000;
const TEXT_LENGTH_MAX = 2000;

const NO_JUDGEMENT = "reranker: it did not answer, so the order is without it";

/** A hit, as far as a judgement bears on it. */
interface Judged {
  readonly memory: Pick<MemoryRecord, "content">;
  /** Which passage of its content matches best; null where it has one only, or where that is not known. */
  readonly passage: number | null;
  readonly judgedRelevance: number;
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** What is asked, as far as it bears on judging. */
interface Asked {
  readonly query: string;
  readonly hitsMax: number;
  readonly retrievers: readonly Retriever[];
}

/** Hits as they are ordered in the end. */
interface Reranked<H> {
  /** Best first. */
  readonly hits: readonly H[];
  readonly isReranked: boolean;
  readonly degraded: readonly string[];
}

/** As many hits as have to be read, so that the reranker can bring one into those that are asked for. */
export function hitsToJudge(
  { reranker }: Pick<Ports, "reranker">,
  { hitsMax, retrievers }: Pick<Asked, "hitsMax" | "retrievers">,
): number {
  return reranker === null || isPlain(retrievers) ? hitsMax : Math.max(hitsMax, reranker.candidatesMax);
}

/**
 * The hits, the first of them ordered by their own place and by what the reranker judges of them, half each, where there is
 * one. What has just what the query names stays before what has not, and what the request prefers is preferred as much as
 * before. One retriever's plain order stays as it is. `hits`: best first, and each read under the caller's predicate, since
 * their texts leave the house.
 */
export async function reranked<H extends Judged>(
  { reranker, pace }: Pick<Ports, "reranker" | "pace">,
  caller: Pick<Caller, "owner">,
  { query, retrievers }: Asked,
  hits: readonly H[],
): Promise<Reranked<H>> {
  if (reranker === null || isPlain(retrievers) || hits.length < 2)
    return { hits, isReranked: false, degraded: [] };
  const first = hits.slice(0, reranker.candidatesMax);
  const judgements = await reranker.rerank({
    party: partyOf(caller.owner, null),
    query: query.slice(0, cutPlace(query, QUERY_LENGTH_MAX)),
    passages: await textsOf(query, first, pace),
  });
  await pace.pause();
  if (judgements === null) return { hits, isReranked: false, degraded: [NO_JUDGEMENT] };
  const all = [...mixed(first, judgements), ...hits.slice(first.length)];
  return { hits: all.sort((a, b) => b.rankScore - a.rankScore), isReranked: true, degraded: [] };
}

function isPlain(retrievers: readonly Retriever[]): boolean {
  return retrievers.length === 1;
}

/** Of each memory what is judged: all of it, or the passage that tells most. */
async function textsOf(query: string, hits: readonly Judged[], pace: Pace): Promise<string[]> {
  const score = queryScorer(query);
  const texts: string[] = [];
  for (const { memory, passage } of hits) {
    const { content } = memory;
    const { start, end } = passageAt(content, passage) ?? (await bestPassage(content, score, pace));
    texts.push(content.slice(start, cutPlace(content, Math.min(end, start + TEXT_LENGTH_MAX))));
  }
  return texts;
}

/** The passage that has most of the query in it, the first of equals. */
async function bestPassage(content: string, score: (text: string) => number, pace: Pace): Promise<Passage> {
  await pace.pause();
  const [first, ...others] = passagesOf(content) as [Passage, ...Passage[]];
  if (others.length === 0) return first;
  const scoreOf = ({ start, end }: Passage) => score(content.slice(start, end));
  let best = { passage: first, score: scoreOf(first) };
  for (const passage of others) {
    await pace.pause();
    const found = scoreOf(passage);
    if (found > best.score) best = { passage, score: found };
  }
  return best.passage;
}

/** The hits with what the judgements add to, or take from, the order and the relevance by which packs choose. */
function mixed<H extends Judged>(hits: readonly H[], judgements: readonly number[]): H[] {
  const groups = groupsOf(hits);
  const places = moves(hits.map(ownPlace), judgements, groups);
  const relevances = moves(
    hits.map(({ judgedRelevance }) => judgedRelevance),
    judgements,
    groups,
  );
  return hits.map((hit, at) => {
    const rerank = places[at] as number;
    return {
      ...hit,
      judgedRelevance: hit.judgedRelevance + (relevances[at] as number),
      rankScore: hit.rankScore + rerank,
      signals: { ...hit.signals, rerank },
    };
  });
}

/** What it is ordered by but for the request's preferences, which say nothing of how well a text answers. */
function ownPlace({ signals }: Judged): number {
  return Object.entries(signals).reduce((sum, [name, value]) => (isPreference(name) ? sum : sum + value), 0);
}

/** Which hits have equally much of what the query names as it is written: none is moved past one that has more. */
function groupsOf(hits: readonly Judged[]): number[][] {
  const groups = new Map<number, number[]>();
  for (const [at, { signals }] of hits.entries()) {
    const exactness = signals.exact ?? 0;
    const group = groups.get(exactness);
    if (group === undefined) groups.set(exactness, [at]);
    else group.push(at);
  }
  return [...groups.values()];
}

/**
 * By how much each value moves: from where it is among the least and the greatest of its group towards where its judgement
 * is among all judgements. Nothing moves where all are judged alike.
 */
function moves(
  values: readonly number[],
  judgements: readonly number[],
  groups: readonly (readonly number[])[],
): number[] {
  const worst = Math.min(...judgements);
  const range = Math.max(...judgements) - worst;
  const moved = values.map(() => 0);
  if (range === 0) return moved;
  for (const group of groups) {
    const own = group.map((at) => values[at] as number);
    const [least, greatest] = [Math.min(...own), Math.max(...own)];
    for (const [index, at] of group.entries()) {
      const judged = ((judgements[at] as number) - worst) / range;
      moved[at] = SHARE * (least + (greatest - least) * judged - (own[index] as number));
    }
  }
  return moved;
}
