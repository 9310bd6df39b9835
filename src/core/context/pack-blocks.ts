import type { ContextBlock, PlaceOf } from "./block.ts";
import { countTokens } from "./count-tokens.ts";
import { plainContent } from "./quote.ts";
import { CONTEXT_HEADING, type Detail, details, renderBlock, renderHeader } from "./render.ts";
import type { SelectionLimits } from "./select.ts";
import { contenderOf, type TakenBlock, takeUnder } from "./take-blocks.ts";

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
  frame(detail: Detail): string;
  /** The text where there are no blocks. */
  readonly nothing: string;
  /** Puts what was taken, which comes by value, into the order of the text; what says nothing by itself may go. */
  arrange<T extends { readonly block: B }>(taken: readonly T[]): readonly T[];
}

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

/** A block lower by value than the item limit reaches would be out with any number of tokens. */
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
