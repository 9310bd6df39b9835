import { authorities, type Boundary } from "../../contract/memory.ts";
import type { Budget } from "../../contract/recall.ts";
import type { Pace } from "../limits/pace.ts";
import type { Review } from "../memory/review.ts";
import { queryScorer } from "./excerpt.ts";
import { duplicateFilter } from "./near-duplicates.ts";
import {
  blockTokens,
  budgetOf,
  type ContextBlock,
  contendersMax,
  type Layout,
  type LeftOutReason,
  packBlocks,
} from "./pack-blocks.ts";
import { memoryLabel, NOTHING_FOUND, renderFrame } from "./render.ts";
import { memoryValue } from "./value.ts";

/** What the context answer's `version` says of this way of packing. */
export const CONTEXT_VERSION = "value-density-v2";

/** Below this chance of being relevant an item's header says "weak match". Chosen, not fitted. */
const WEAK_RELEVANCE_MAX = 0.1;
const OMITTED_MAX = 5;
/** Best first, so that a reader who stops early has read what matters most. */
const BY_VALUE: Layout<ContextBlock> = {
  frame: renderFrame,
  nothing: NOTHING_FOUND,
  arrange: (taken) => taken,
};
const AUTHORITIES: readonly string[] = authorities;

/** A memory that recall found, with what packing needs to know of it. */
export interface ContextCandidate {
  readonly id: string;
  readonly content: string;
  readonly memoryType: string;
  readonly path: string;
  readonly bucket: string;
  /** When it happened, or was stored where that is not known. Milliseconds since the epoch. */
  readonly occurredAtMs: number;
  /** Absolute relevance to the query: 0..1, the same scale for every query. */
  readonly relevance: number;
  readonly importance: number;
  readonly confidence: number;
  readonly authority: string;
  readonly source: string | null;
  readonly agentName: string | null;
  readonly relation: Boundary["relation"];
  /** The session that a working memory is from, where it is another one than the request's. */
  readonly otherSession: string | null;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession: boolean;
  /** An agent wrote it before anybody had bound that agent: nothing else is dropped for saying the same. */
  readonly isAdopted?: boolean;
  readonly semanticKey: string | null;
  readonly status: string;
  readonly supersededBy: string | null;
  readonly review?: Review | undefined;
  /** Its embedding, to tell near-duplicates; null where there is none. */
  readonly vector: Float32Array | null;
}

export interface ContextRequest<C extends ContextCandidate> {
  readonly query: string;
  readonly candidates: readonly C[];
  readonly maxItems: number;
  readonly maxTokens: number;
  readonly nowMs: number;
  /** True where superseded memories were asked for by status: they are then not dropped. */
  readonly keepsSuperseded?: boolean;
}

export interface ContextItem<C extends ContextCandidate> {
  readonly candidate: C;
  readonly value: number;
  /** What the text shows of the content: all of it, or an excerpt where `isTruncated`. */
  readonly shown: string;
  /** What the item costs in the text, header and quoting included. */
  readonly tokens: number;
  readonly isTruncated: boolean;
}

export interface OmittedItem {
  readonly id: string;
  /** What it would cost whole, by `blockTokens`. */
  readonly tokens: number;
  readonly reason: LeftOutReason;
}

export interface ContextPack<C extends ContextCandidate> {
  readonly contextText: string;
  /** In the order of the text: by value, best first. */
  readonly items: readonly ContextItem<C>[];
  readonly budget: Budget;
  /** The best that did not fit, at most five. */
  readonly omitted: readonly OmittedItem[];
}

interface MemoryBlock<C extends ContextCandidate> extends ContextBlock {
  readonly candidate: C;
}

/**
 * Packs what recall found into a text for a model.
 *
 * Superseded memories, near-duplicates of a more valuable one and those worth nothing (no relevance, or
 * confidence 0) are dropped; of the rest the selection of greatest value that both limits allow is rendered,
 * best first, so that a reader who stops early has read what matters most. The answer is the same for the same
 * input in any order of candidates with different values.
 *
 * Candidates ranked beyond the contenders are not compared for duplicates and count as left out. `pace` is asked between
 * candidates, and within long ones, so that a large pack can make way for others.
 */
export async function packContext<C extends ContextCandidate>(
  request: ContextRequest<C>,
  pace: Pace,
): Promise<ContextPack<C>> {
  const blocks = await distinctBlocks(request, pace);
  const pack = await packBlocks<MemoryBlock<C>>(
    blocks,
    { itemsMax: request.maxItems, tokensMax: request.maxTokens },
    BY_VALUE,
    pace,
  );
  const items = pack.taken.map(({ block, shown, tokens, isTruncated }) => ({
    candidate: block.candidate,
    value: block.value,
    shown: shown ?? "",
    tokens,
    isTruncated,
  }));
  const omitted = pack.leftOut
    .slice(0, OMITTED_MAX)
    .map(({ block, reason }) => ({ id: block.id, tokens: blockTokens(block), reason }));
  const asked = { ...request, candidates: request.candidates.length, distinct: blocks.length };
  return { contextText: pack.text, items, budget: budgetOf(asked, pack), omitted };
}

async function distinctBlocks<C extends ContextCandidate>(
  request: ContextRequest<C>,
  pace: Pace,
): Promise<MemoryBlock<C>[]> {
  const score = queryScorer(request.query);
  const blocks = request.candidates
    .filter((candidate) => request.keepsSuperseded === true || !isSuperseded(candidate))
    .map((candidate) => memoryBlock(candidate, memoryValue(candidate, request.nowMs), score))
    .filter((block) => block.value > 0)
    .sort(byValue);
  const isDuplicate = duplicateFilter();
  const comparedMax = contendersMax(request.maxItems);
  const distinct: MemoryBlock<C>[] = [];
  for (const block of blocks.toSorted(adoptedLast)) {
    const turn = pace.pause();
    if (turn !== undefined) await turn;
    if (distinct.length >= comparedMax || !isDuplicate(block.candidate)) distinct.push(block);
  }
  return distinct.sort(byValue);
}

/** Who comes first is the one that stays. */
function adoptedLast(a: MemoryBlock<ContextCandidate>, b: MemoryBlock<ContextCandidate>): number {
  return Number(a.candidate.isAdopted === true) - Number(b.candidate.isAdopted === true);
}

function isSuperseded(candidate: ContextCandidate): boolean {
  return candidate.status === "superseded" || candidate.supersededBy !== null;
}

function memoryBlock<C extends ContextCandidate>(
  candidate: C,
  value: number,
  score: (sentence: string) => number,
): MemoryBlock<C> {
  const isWeakMatch = candidate.relevance < WEAK_RELEVANCE_MAX;
  return {
    id: candidate.id,
    value,
    content: candidate.content,
    candidate,
    label: (detail) => memoryLabel({ ...candidate, isWeakMatch }, detail),
    score,
  };
}

/** Best value first; of equals what is vouched for better, then the newer, then by id, so that order is total. */
function byValue(a: MemoryBlock<ContextCandidate>, b: MemoryBlock<ContextCandidate>): number {
  return (
    b.value - a.value ||
    AUTHORITIES.indexOf(b.candidate.authority) - AUTHORITIES.indexOf(a.candidate.authority) ||
    b.candidate.occurredAtMs - a.candidate.occurredAtMs ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
