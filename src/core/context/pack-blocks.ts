import type { OwnWords } from "../../contract/own-words.ts";
import type { Budget } from "../../contract/recall.ts";
import { countTokens } from "./count-tokens.ts";
import { excerptOf, isTooLongToCount } from "./excerpt.ts";
import {
  CONTEXT_HEADING,
  type Detail,
  details,
  plainContent,
  quoteLines,
  renderBlock,
  renderHeader,
} from "./render.ts";
import { type Portion, type Selectable, type SelectionLimits, selectByValue } from "./select.ts";

/** The number under which a block stands in the text, by the block's id; null where it does not. */
export type PlaceOf = (id: string) => number | null;

/** Anything that can stand in a context text: a memory, a todo, a decision. */
export interface ContextBlock {
  /** Tells it from the other blocks of the same text. */
  readonly id: string;
  /** What it is worth; 0 or more, comparable between all blocks given. */
  readonly value: number;
  /** Stored text, quoted under the header; null where the header says it all. */
  readonly content: string | null;
  /**
   * The header after the number: words of our own, stored ones only as `quotedField`. One line. It may name the place of
   * other blocks, and must not be longer where one of them has none.
   */
  label(detail: Detail, placeOf: PlaceOf): OwnWords;
  /** How much a sentence of the content matters, 0 or more: what an excerpt is chosen by. */
  score(sentence: string): number;
}

export interface PackedBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content as it stands in the text, without its quoting; cut where `isTruncated`. */
  readonly shown: string | null;
  /** What the block costs, header and quoting included. */
  readonly tokens: number;
  readonly isTruncated: boolean;
}

/** Why a block is not in the text: `token_budget` (more tokens would have let it in) or `item_limit`. */
export type LeftOutReason = "token_budget" | "item_limit";

export interface BlockPack<B extends ContextBlock> {
  readonly text: string;
  readonly usedTokens: number;
  /** In the order of the text. */
  readonly taken: readonly PackedBlock<B>[];
  /** By value, best first. */
  readonly leftOut: readonly { readonly block: B; readonly reason: LeftOutReason }[];
  readonly strategy: string;
}

/** What a text is besides its blocks. */
export interface Layout<B extends ContextBlock> {
  /** The lines above the blocks; each ends in a line feed. */
  frame(detail: Detail): OwnWords;
  /** The text where there are no blocks. */
  readonly nothing: OwnWords;
  /** Puts the taken blocks, given by value, into the order of the text. May drop those that say nothing by themselves. */
  arrange<T extends { readonly block: B }>(taken: readonly T[]): readonly T[];
}

/** How many blocks, best by value first, are considered at all: counting and comparing more costs time and changes little. */
export function contendersMax(itemsMax: number): number {
  return Math.max(32, 3 * itemsMax);
}

/**
 * Packs blocks into one text under both limits: `countTokens(text)` is `usedTokens` and at most `tokensMax`
 * for every input. The best block is in it whenever an excerpt of it fits under the leanest frame. With no
 * blocks the text says so; where not even the heading fits it is empty.
 */
export function packBlocks<B extends ContextBlock>(
  blocks: readonly B[],
  limits: SelectionLimits,
  layout: Layout<B>,
): BlockPack<B> {
  const sorted = [...blocks].sort((a, b) => b.value - a.value);
  const contenders = sorted
    .slice(0, contendersMax(limits.itemsMax))
    .map((block) => contenderOf(block, limits));
  for (const detail of details) {
    const frame = layout.frame(detail);
    const { strategy, taken } = takeUnder(frame, detail, contenders, limits);
    if (taken.length === 0) continue;
    const arranged = layout.arrange(taken);
    return {
      ...written(frame, detail, arranged),
      leftOut: leftOutOf(sorted, arranged, limits),
      strategy,
    };
  }
  const text = emptyText(layout, blocks.length === 0, limits.tokensMax);
  return {
    text,
    usedTokens: countTokens(text),
    taken: [],
    leftOut: leftOutOf(sorted, [], limits),
    strategy: "nothing_taken",
  };
}

/** What a block would cost whole, under the full header. */
export function blockTokens(block: ContextBlock): number {
  const plain = block.content === null ? null : plainContent(block.content);
  return countTokens(
    renderBlock(
      1,
      block.label("full", () => 1),
      plain,
    ),
  );
}

function written<B extends ContextBlock>(
  frame: string,
  detail: Detail,
  arranged: readonly TakenBlock<B>[],
): Pick<BlockPack<B>, "text" | "usedTokens" | "taken"> {
  const places = new Map(arranged.map(({ block }, at) => [block.id, at + 1]));
  const placeOf: PlaceOf = (id) => places.get(id) ?? null;
  let text = frame;
  let usedTokens = countTokens(frame);
  const taken = arranged.map(({ block, shown, quoteTokens, isTruncated }, at) => {
    const label = block.label(detail, placeOf);
    text += renderBlock(at + 1, label, shown);
    const tokens = countTokens(renderHeader(at + 1, label)) + quoteTokens;
    // Counts of whole lines add up exactly (see `countTokens`), so that the text need not be counted again.
    usedTokens += tokens;
    return { block, shown, tokens, isTruncated };
  });
  return { text, usedTokens, taken };
}

/** A block whose rank by value is beyond the item limit would be left out with any number of tokens. */
function leftOutOf<B extends ContextBlock>(
  sorted: readonly B[],
  taken: readonly { readonly block: B }[],
  { itemsMax }: SelectionLimits,
): { block: B; reason: LeftOutReason }[] {
  const isTaken = new Set(taken.map((packed) => packed.block));
  const hasRoom = taken.length < itemsMax;
  const all = sorted.map((block, rank) => ({
    block,
    reason: (hasRoom || rank < itemsMax ? "token_budget" : "item_limit") as LeftOutReason,
  }));
  return all.filter(({ block }) => !isTaken.has(block));
}

function emptyText<B extends ContextBlock>(
  layout: Layout<B>,
  isNothingFound: boolean,
  tokensMax: number,
): string {
  const texts = [isNothingFound ? layout.nothing : layout.frame("short"), `${CONTEXT_HEADING}\n`];
  return texts.find((text) => countTokens(text) <= tokensMax) ?? "";
}

/** A block with what it takes to weigh it against others. */
interface Contender<B extends ContextBlock> {
  readonly block: B;
  /** null where there is only a header. */
  readonly plain: string | null;
  /** Infinite where it is too long to be worth counting. */
  readonly quoteTokens: number;
}

/** A block that was taken, as it will stand. */
interface TakenBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content without its quoting; cut where `isTruncated`. */
  readonly shown: string | null;
  readonly quoteTokens: number;
  readonly isTruncated: boolean;
}

interface BlockPortion extends Portion {
  readonly shown: string | null;
  readonly isTruncated: boolean;
}

/** An excerpt is worth at least this share of the whole: what is asked for is mostly in one place. */
const EXCERPT_VALUE_MIN = 0.5;
/** Frame and first header may take this share of the budget before a leaner frame is used. */
const FRAME_SHARE_MAX = 0.4;

function contenderOf<B extends ContextBlock>(block: B, { tokensMax }: SelectionLimits): Contender<B> {
  if (block.content === null) return { block, plain: null, quoteTokens: 0 };
  const plain = plainContent(block.content);
  const isCounted = !isTooLongToCount(plain, tokensMax);
  return { block, plain, quoteTokens: isCounted ? countTokens(quoteLines(plain)) : Number.POSITIVE_INFINITY };
}

/**
 * The selection under one frame. No repair is needed afterwards: every block ends in a line feed and begins
 * with "#", so the text's count is at most the sum of what is counted here (see `countTokens`), and less only
 * where a header that refers to a block finds it is not there.
 */
function takeUnder<B extends ContextBlock>(
  frame: string,
  detail: Detail,
  contenders: readonly Contender<B>[],
  limits: SelectionLimits,
): { strategy: string; taken: TakenBlock<B>[] } {
  const frameTokens = countTokens(frame);
  // A number of up to three digits is one token, so the highest stands for all.
  const number = Math.max(1, Math.min(limits.itemsMax, contenders.length));
  const anywhere: PlaceOf = () => number;
  const headers = contenders.map(({ block }) =>
    countTokens(renderHeader(number, block.label(detail, anywhere))),
  );
  const share = detail === "bare" ? 1 : FRAME_SHARE_MAX;
  if (frameTokens + (headers[0] ?? 0) > share * limits.tokensMax) return { strategy: "", taken: [] };
  const items = contenders.map((contender, at) => selectable(contender, headers[at] as number));
  const selection = selectByValue(items, { ...limits, tokensMax: limits.tokensMax - frameTokens });
  const taken = selection.taken.map(({ index, portion }) => ({
    block: (contenders[index] as Contender<B>).block,
    shown: portion.shown,
    quoteTokens: portion.tokens - (headers[index] as number),
    isTruncated: portion.isTruncated,
  }));
  return { strategy: selection.strategy, taken };
}

function selectable(
  { block, plain, quoteTokens }: Contender<ContextBlock>,
  headerTokens: number,
): Selectable<BlockPortion> {
  return {
    whole: { tokens: headerTokens + quoteTokens, value: block.value, shown: plain, isTruncated: false },
    excerpt(tokensMax) {
      if (plain === null) return null;
      const cut = excerptOf(plain, {
        tokensMax: tokensMax - headerTokens,
        score: (sentence) => block.score(sentence),
        measure: (text) => countTokens(quoteLines(text)),
      });
      if (cut === null) return null;
      const value = block.value * (EXCERPT_VALUE_MIN + (1 - EXCERPT_VALUE_MIN) * cut.retention);
      return { tokens: headerTokens + cut.tokens, value, shown: cut.text, isTruncated: cut.text !== plain };
    },
  };
}

/** What was asked for, and how many candidates there were before and after some were dropped. */
interface Asked {
  readonly maxItems: number;
  readonly maxTokens: number;
  readonly candidates: number;
  readonly distinct: number;
}

/**
 * The account of a pack. It counts every candidate once: `used_items + skipped_items = candidate_items`, and
 * `skipped_items = filtered_items + structured_skipped_items + budget_skipped_items`: dropped beforehand, left
 * out by `max_items` (their rank by value is beyond it and it is exhausted), left out by tokens.
 * `budget_tradeoff`: something left out for tokens is worth more than something that is in, or an item was cut.
 */
export function budgetOf(asked: Asked, pack: BlockPack<ContextBlock>): Budget {
  const overBudget = pack.leftOut.filter(({ reason }) => reason === "token_budget");
  const values = pack.taken.map(({ block }) => block.value);
  const leastValue = values.length === 0 ? 0 : Math.min(...values);
  const truncated = pack.taken.filter(({ isTruncated }) => isTruncated).length;
  return {
    max_items: asked.maxItems,
    max_tokens: asked.maxTokens,
    used_items: pack.taken.length,
    used_tokens: pack.usedTokens,
    skipped_items: asked.candidates - pack.taken.length,
    filtered_items: asked.candidates - asked.distinct,
    structured_skipped_items: pack.leftOut.length - overBudget.length,
    budget_skipped_items: overBudget.length,
    truncated_items: truncated,
    candidate_items: asked.candidates,
    selection_strategy: pack.strategy,
    budget_tradeoff: truncated > 0 || overBudget.some(({ block }) => block.value > leastValue),
    token_scope: "context_text",
  };
}
