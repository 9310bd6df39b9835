import { countTokens } from "./count-tokens.ts";
import { excerptOf, isTooLongToCount } from "./excerpt.ts";
import { plainContent, quoteLines } from "./quote.ts";
import {
  CONTEXT_HEADING,
  type Detail,
  details,
  NOTHING_FOUND,
  renderBlock,
  renderFrame,
  renderHeader,
} from "./render.ts";
import { type Portion, type Selectable, type SelectionLimits, selectByValue } from "./select.ts";

/** Anything that can stand in a context text: a memory, a todo, a decision. */
export interface ContextBlock {
  readonly id: string;
  /** What it is worth; 0 or more, comparable between all blocks given. */
  readonly value: number;
  /** Stored text, quoted under the header. */
  readonly content: string;
  /** The header after the number: words of our own, stored ones only as `quotedField`. One line. */
  label(detail: Detail): string;
  /** How much a sentence of the content matters, 0 or more: what an excerpt is chosen by. */
  score(sentence: string): number;
}

export interface PackedBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content as it stands in the text, without its quoting; cut where `isTruncated`. */
  readonly shown: string;
  /** What the block costs, header and quoting included. */
  readonly tokens: number;
  readonly isTruncated: boolean;
}

/** Why a block is not in the text: `token_budget` (more tokens would have let it in) or `item_limit`. */
export type LeftOutReason = "token_budget" | "item_limit";

export interface BlockPack<B extends ContextBlock> {
  readonly text: string;
  readonly usedTokens: number;
  /** In the order of the text: by value, best first; equals in the order given. */
  readonly taken: readonly PackedBlock<B>[];
  /** By value, best first. */
  readonly leftOut: readonly { readonly block: B; readonly reason: LeftOutReason }[];
  readonly strategy: string;
}

interface BlockPortion extends Portion {
  readonly shown: string;
  readonly isTruncated: boolean;
}

/** An excerpt is worth at least this share of the whole: what is asked for is mostly in one place. */
const EXCERPT_VALUE_MIN = 0.5;
/** Frame and first header may take this share of the budget before a leaner frame is used. */
const FRAME_SHARE_MAX = 0.4;

/** Blocks that come into question, best by value first; counting and comparing the rest would cost and change little. */
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
): BlockPack<B> {
  const sorted = [...blocks].sort((a, b) => b.value - a.value);
  const contenders = sorted
    .slice(0, contendersMax(limits.itemsMax))
    .map((block) => contenderOf(block, limits));
  for (const detail of details) {
    const { strategy, taken } = takeUnder(detail, contenders, limits);
    if (taken.length === 0) continue;
    const text =
      renderFrame(detail) +
      taken.map(({ block, shown }, at) => renderBlock(at + 1, block.label(detail), shown)).join("");
    return {
      text,
      usedTokens: countTokens(text),
      taken,
      leftOut: leftOutOf(sorted, taken, limits),
      strategy,
    };
  }
  const text = emptyText(blocks.length === 0, limits.tokensMax);
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
  return countTokens(renderBlock(1, block.label("full"), plainContent(block.content)));
}

interface Contender<B extends ContextBlock> {
  readonly block: B;
  readonly plain: string;
  /** Infinite where it is too long to be worth counting. */
  readonly quoteTokens: number;
}

function contenderOf<B extends ContextBlock>(block: B, { tokensMax }: SelectionLimits): Contender<B> {
  const plain = plainContent(block.content);
  const isCounted = !isTooLongToCount(plain, tokensMax);
  return { block, plain, quoteTokens: isCounted ? countTokens(quoteLines(plain)) : Number.POSITIVE_INFINITY };
}

/**
 * The selection under one frame. No repair is needed afterwards: every block ends in a line feed and begins
 * with "#", so the text's count is exactly the sum of what is counted here (see `countTokens`).
 */
function takeUnder<B extends ContextBlock>(
  detail: Detail,
  contenders: readonly Contender<B>[],
  limits: SelectionLimits,
): { strategy: string; taken: PackedBlock<B>[] } {
  const frameTokens = countTokens(renderFrame(detail));
  // A number of up to three digits is one token, so the highest stands for all.
  const number = Math.max(1, Math.min(limits.itemsMax, contenders.length));
  const headers = contenders.map(({ block }) => countTokens(renderHeader(number, block.label(detail))));
  const share = detail === "bare" ? 1 : FRAME_SHARE_MAX;
  if (frameTokens + (headers[0] ?? 0) > share * limits.tokensMax) return { strategy: "", taken: [] };
  const items = contenders.map((contender, at) => selectable(contender, headers[at] as number));
  const selection = selectByValue(items, { ...limits, tokensMax: limits.tokensMax - frameTokens });
  const taken = selection.taken.map(({ index, portion }) => ({
    block: (contenders[index] as Contender<B>).block,
    shown: portion.shown,
    tokens: portion.tokens,
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

/** A block lower by value than the item limit reaches would be out with any number of tokens. */
function leftOutOf<B extends ContextBlock>(
  sorted: readonly B[],
  taken: readonly PackedBlock<B>[],
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

function emptyText(isNothingFound: boolean, tokensMax: number): string {
  const texts = [isNothingFound ? NOTHING_FOUND : renderFrame("short"), `${CONTEXT_HEADING}\n`];
  return texts.find((text) => countTokens(text) <= tokensMax) ?? "";
}
