import { authorities } from "../../contract/memory.ts";
import { own } from "../../contract/own-words.ts";
import type { Budget } from "../../contract/recall.ts";
import { passageAt } from "../../recall/language/passages.ts";
import { queryScorer } from "../../recall/pack/excerpt.ts";
import { memoryValue } from "../../recall/pack/value.ts";
import { type Conflict, newestFirst } from "../../recall/statements/newest-first.ts";
import { type Repetition, RepetitionSearch } from "../../recall/statements/repetitions.ts";
import { comparedText, saysAllOf } from "../../recall/statements/sameness.ts";
import type { Steps } from "../../recall/work.ts";
import {
  type BlockPack,
  blockTokens,
  budgetOf,
  type ContextBlock,
  contendersMax,
  type Layout,
  type LeftOutReason,
  packBlocks,
} from "./pack-blocks.ts";
import {
  type Detail,
  type MemoryLabel,
  memoryLabel,
  NOTHING_FOUND,
  renderConflicts,
  renderFrame,
} from "./render.ts";
/** Identifies this method of packing, in the `version` of the context answer. */
export const CONTEXT_VERSION = "value-density-v2";

/** Below this probability of being relevant, an item's header says "weak match". Chosen, not fitted. */
const WEAK_RELEVANCE_MAX = 0.1;
const OMITTED_MAX = 5;
/** Best first, so that a reader who stops early has read what matters most. */
function byValueUnder<C extends ContextCandidate>({
  conflicts = [],
  isCompact = false,
  candidates,
  keepsOrder = false,
}: ContextRequest<C>): Layout<MemoryBlock<C>> {
  const named = conflicts.map(({ sides }) => ({ ids: sides.map(({ id }) => id) }));
  return {
    frame: (detail) => own`${renderFrame(detail)}${renderConflicts(named, detail)}`,
    nothing: NOTHING_FOUND,
    ...(isCompact && { details: ["compact"] }),
    arrange(taken) {
      if (!keepsOrder) return taken;
      const places = new Map<ContextCandidate, number>(
        candidates.map((candidate, place) => [candidate, place]),
      );
      const place = ({ block }: (typeof taken)[number]) => places.get(block.candidate) as number;
      return taken.toSorted((a, b) => place(a) - place(b));
    },
  };
}
const AUTHORITIES: readonly string[] = authorities;

/** A memory that recall found, with the data for packing it. */
export interface ContextCandidate extends Omit<MemoryLabel, "isWeakMatch"> {
  readonly content: string;
  /**
   * Index of the best matching passage of the content, from 0. null if it has only one passage, or if the index is
   * unknown.
   */
  readonly passage: number | null;
  readonly bucket: string;
  /** Its place in the order of storing: the tie-break for equal times. */
  readonly order?: number;
  /** Absolute relevance to the query, 0..1, comparable between queries. */
  readonly relevance: number;
  /** Replaces `relevance` in the weighing if something else has also judged the memory. Same scale. */
  readonly judgedRelevance?: number;
  readonly importance: number;
  readonly confidence: number;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession: boolean;
  readonly semanticKey: string | null;
  readonly status: string;
  readonly supersededBy: string | null;
}

/** Candidates that contradict each other, newest first. */
type Contradicting<C extends ContextCandidate> = Pick<Conflict<C>, "sides">;

export interface ContextRequest<C extends ContextCandidate> {
  readonly query: string;
  readonly candidates: readonly C[];
  readonly maxItems: number;
  readonly maxTokens: number;
  readonly nowMs: number;
  /** Contradicting candidates. The text mentions them. */
  readonly conflicts?: readonly Contradicting<C>[];
  /** True if superseded memories were requested by status. They are then not dropped. */
  readonly keepsSuperseded?: boolean;
  /** Whether the text has the compact form: a line for each memory, with a short id. */
  readonly isCompact?: boolean;
  /** Whether the text has the order of the candidates, instead of the best by value first. */
  readonly keepsOrder?: boolean;
}

export interface ContextItem<C extends ContextCandidate> {
  readonly candidate: C;
  readonly value: number;
  /** The content as shown: all of it, or an excerpt if `isTruncated`. */
  readonly shown: string;
  /** Tokens of the item in the text, header and quoting included. */
  readonly tokens: number;
  readonly isTruncated: boolean;
}

export interface OmittedItem {
  readonly id: string;
  /** Tokens of the whole item, by `blockTokens`. */
  readonly tokens: number;
  readonly reason: LeftOutReason | "repetition";
  /** For a repetition: the memory that says all of it. */
  readonly repeats?: string;
}

/** A candidate that was weighed against others and is not in the text. Excludes those of no value. */
export interface LeftOutItem<C extends ContextCandidate> {
  readonly candidate: C;
  readonly value: number;
  readonly reason: OmittedItem["reason"];
  readonly repeats?: string;
  /** Tokens of the whole item, by `blockTokens`. Counted on demand. */
  readonly tokens: () => number;
}

export interface ContextPack<C extends ContextCandidate> {
  readonly contextText: string;
  /** In the order of the text: by value, best first, unless the order is kept. */
  readonly items: readonly ContextItem<C>[];
  readonly budget: Budget;
  /** The best that did not fit, at most five, followed by all repetitions. */
  readonly omitted: readonly OmittedItem[];
  /** All that did not fit, best first, followed by all repetitions. */
  readonly leftOut: readonly LeftOutItem<C>[];
}

interface MemoryBlock<C extends ContextCandidate> extends ContextBlock {
  readonly content: string;
  readonly candidate: C;
}

/** How much of a repetition is counted, in UTF-16 units: its exact cost matters less than listing all of them. */
const REPETITION_COUNTED = 512;

/**
 * Packs what recall found into a text for a model.
 *
 * Drops superseded memories, repetitions of a more valuable one, and those of no value (no relevance, or confidence 0).
 * Renders, from the rest, the selection of greatest value within both limits, best first, so that a reader who stops
 * early has read what matters most. Among contradicting memories the newest comes first (`newestFirst`). The order of
 * candidates with different values does not affect the result.
 *
 * Candidates ranked below the contenders are not compared for repetitions, and count as left out. A step is a
 * candidate, or a part of a long one.
 */
export function* packContext<C extends ContextCandidate>(request: ContextRequest<C>): Steps<ContextPack<C>> {
  const found = yield* distinctBlocks(request);
  const limits = { itemsMax: request.maxItems, tokensMax: request.maxTokens };
  const layout = byValueUnder(request);
  const detail = request.isCompact ? "compact" : "full";
  const packed = (some: readonly MemoryBlock<C>[]) => packBlocks<MemoryBlock<C>>(some, limits, layout);
  let { blocks, repetitions } = found;
  let pack = yield* packed(blocks);
  // The memory that says everything may have been cut or left out.
  const unsaid = new Set(repetitions.filter((repetition) => !isSaidIn(pack, repetition)));
  if (unsaid.size > 0) {
    blocks = [...blocks, ...[...unsaid].map(({ memory }) => memory)].sort(byValue);
    repetitions = repetitions.filter((repetition) => !unsaid.has(repetition));
    pack = yield* packed(blocks);
  }
  const items = pack.taken.map(({ block, shown, tokens, isTruncated }) => ({
    candidate: block.candidate,
    value: block.value,
    shown: shown ?? "",
    tokens,
    isTruncated,
  }));
  const beyond = pack.leftOut
    .slice(0, OMITTED_MAX)
    .map(
      ({ block, reason }): OmittedItem => ({ id: block.id, tokens: blockTokens(block, { detail }), reason }),
    );
  const leftOut = [
    ...pack.leftOut.map(({ block, reason }) => leftOutItem(block, detail, { reason })),
    ...repetitions.map(({ memory, saidBy }) =>
      leftOutItem(memory, detail, { reason: "repetition", repeats: saidBy.id }),
    ),
  ];
  const asked = { ...request, candidates: request.candidates.length, distinct: blocks.length };
  return {
    contextText: pack.text,
    items,
    budget: budgetOf(asked, pack),
    omitted: [...beyond, ...(yield* omittedRepetitions(repetitions, detail))],
    leftOut,
  };
}

function leftOutItem<C extends ContextCandidate>(
  block: MemoryBlock<C>,
  detail: Detail,
  why: Pick<LeftOutItem<C>, "reason" | "repeats">,
): LeftOutItem<C> {
  return {
    candidate: block.candidate,
    value: block.value,
    ...why,
    tokens: () => blockTokens(block, { detail }),
  };
}

/** Whether the text says what the repetition says. Equal texts always count as one. */
function isSaidIn<B extends ContextBlock>(
  { taken }: Pick<BlockPack<B>, "taken">,
  { memory, saidBy, isEqual }: { memory: B; saidBy: B; isEqual: boolean },
): boolean {
  if (isEqual) return true;
  const packed = taken.find(({ block }) => block === saidBy);
  if (packed === undefined || !packed.isTruncated) return packed !== undefined;
  return saysAllOf(comparedText(packed.shown ?? ""), comparedText(memory.content ?? ""));
}

function* omittedRepetitions<C extends ContextCandidate>(
  repetitions: readonly Repetition<MemoryBlock<C>>[],
  detail: Detail,
): Steps<OmittedItem[]> {
  const omitted: OmittedItem[] = [];
  for (const { memory, saidBy } of repetitions) {
    yield;
    const tokens = blockTokens(memory, { detail, lengthMax: REPETITION_COUNTED });
    omitted.push({ id: memory.id, tokens, reason: "repetition", repeats: saidBy.id });
  }
  return omitted;
}

/**
 * Separates the candidates of some value into distinct ones and repetitions of these. Both are sorted by value, best
 * first.
 */
function* distinctBlocks<C extends ContextCandidate>(
  request: ContextRequest<C>,
): Steps<{
  blocks: readonly MemoryBlock<C>[];
  repetitions: readonly Repetition<MemoryBlock<C>>[];
}> {
  const score = queryScorer(request.query);
  const blocks = request.candidates
    .filter((candidate) => request.keepsSuperseded === true || !isSuperseded(candidate))
    .map((candidate) => memoryBlock(candidate, worthOf(candidate, request.nowMs), score))
    .filter((block) => block.value > 0)
    .sort(byValue);
  const valued = newestFirst<C, MemoryBlock<C>>(blocks, request.conflicts ?? []);
  const search = new RepetitionSearch<MemoryBlock<C>>();
  const comparedMax = contendersMax(request.maxItems);
  const distinct: MemoryBlock<C>[] = [];
  const repetitions: Repetition<MemoryBlock<C>>[] = [];
  for (const block of valued.toSorted(ownFirst)) {
    yield;
    const repetition = distinct.length >= comparedMax ? null : search.find(block);
    if (repetition === null) distinct.push(block);
    else repetitions.push(repetition);
  }
  return {
    blocks: distinct.sort(byValue),
    repetitions: repetitions.sort((a, b) => byValue(a.memory, b.memory)),
  };
}

function worthOf(candidate: ContextCandidate, nowMs: number): number {
  return memoryValue({ ...candidate, relevance: candidate.judgedRelevance ?? candidate.relevance }, nowMs);
}

/**
 * Determines which of several equal memories stays: the reader's own before another member's, and adopted ones last.
 */
function ownFirst(a: MemoryBlock<ContextCandidate>, b: MemoryBlock<ContextCandidate>): number {
  return distance(a.candidate) - distance(b.candidate);
}

function distance({ isAdopted = false, isOthers = false }: ContextCandidate): number {
  return isAdopted ? 2 : Number(isOthers);
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
    passage: () => passageAt(candidate.content, candidate.passage),
    candidate,
    label: (detail) => memoryLabel({ ...candidate, isWeakMatch }, detail),
    score,
  };
}

/** Best value first, then by authority, newer, order of storing and id, so that the order is total. */
function byValue(a: MemoryBlock<ContextCandidate>, b: MemoryBlock<ContextCandidate>): number {
  return (
    b.value - a.value ||
    AUTHORITIES.indexOf(b.candidate.authority) - AUTHORITIES.indexOf(a.candidate.authority) ||
    b.candidate.occurredAtMs - a.candidate.occurredAtMs ||
    (b.candidate.order ?? 0) - (a.candidate.order ?? 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
