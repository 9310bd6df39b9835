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
 * The reranker's share in the order. Half, since there is no evidence of which is right more often. For why scores are
 * normalised instead of using ranks, see Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval",
 * ACM TOIS 42 (2023).
 */
const SHARE = 0.5;

/**
 * Maximum length of a query, and of a memory, sent to the external reranker, in UTF-16 units: more than most
 * cross-encoders read.
 */
const QUERY_LENGTH_MAX = 2000;
const TEXT_LENGTH_MAX = 2000;

const NO_JUDGEMENT = "reranker: it did not answer, so the order is without it";

/** The fields of a hit that affect a judgement. */
interface Judged {
  readonly memory: Pick<MemoryRecord, "content">;
  /** Index of the best matching passage of its content. null if it has only one passage, or if the index is unknown. */
  readonly passage: number | null;
  readonly judgedRelevance: number;
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** The fields of the request that affect the judging. */
interface Asked {
  readonly query: string;
  readonly hitsMax: number;
  readonly retrievers: readonly Retriever[];
}

/** The hits in their final order. */
interface Reranked<H> {
  /** Best first. */
  readonly hits: readonly H[];
  readonly isReranked: boolean;
  readonly degraded: readonly string[];
}

/** Number of hits to read, so that the reranker can bring any of its candidates into the requested ones. */
export function hitsToJudge(
  { reranker }: Pick<Ports, "reranker">,
  { hitsMax, retrievers }: Pick<Asked, "hitsMax" | "retrievers">,
): number {
  return reranker === null || isPlain(retrievers) ? hitsMax : Math.max(hitsMax, reranker.candidatesMax);
}

/**
 * Orders the first hits half by their own score and half by the reranker's judgement, if there is a reranker. A hit
 * that has literally what the query names stays before one that does not, and the request's preferences keep their
 * effect. A single retriever's order is left unchanged. `hits`: best first. Each must have been read under the caller's
 * predicate, since their texts are sent to an external service.
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

/** The text to judge of each memory: all of it, or its most relevant passage. */
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

/** The passage that matches the query best; the first on a tie. */
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

/** The hits, with the judgements' effect added to the order and to the relevance by which packs choose. */
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

/** The hit's score without the request's preferences, which do not say how well a text answers. */
function ownPlace({ signals }: Judged): number {
  return Object.entries(signals).reduce((sum, [name, value]) => (isPreference(name) ? sum : sum + value), 0);
}

/** Groups hits by how much they have of what the query names literally. A hit never moves past one that has more. */
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
 * How far each value moves: from its place between the lowest and highest of its group, towards the place of its
 * judgement among all judgements. Nothing moves if all judgements are equal.
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
